// The packages that ./touchstone installs: nobody who only wants to see the demo gets browsers, peers and test
// libraries.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace touchstone {
namespace {

std::map<std::string, std::set<std::string>> packages() {
  std::ifstream list(TOUCHSTONE_SOURCE_DIR "/packaging/debian.txt");
  std::map<std::string, std::set<std::string>> out;
  std::string group;
  for (std::string line; std::getline(list, line);) {
    std::stringstream words(line.substr(0, line.find('#')));
    std::string first, second;
    if (!(words >> first)) continue;
    words >> second;
    if (first == "group:")
      group = second;
    else
      EXPECT_TRUE(out[group].insert(first).second) << first << " stands there twice";
  }
  return out;
}

TEST(Packages, TheProgramNeedsNoTestLibraryAndNoPeer) {
  const auto groups = packages();
  ASSERT_EQ(groups.size(), 2u);
  for (const char* package : {"chromium", "ffmpeg", "libgtest-dev", "libbenchmark-dev", "libfcl-dev", "libbullet-dev",
                              "libode-dev", "libmujoco-dev", "liburdfdom-dev", "libbox2d-dev", "libchipmunk-dev",
                              "libsiconos-numerics-dev", "coinor-libipopt-dev"}) {
    EXPECT_TRUE(groups.at("development").contains(package)) << package;
    EXPECT_FALSE(groups.at("program").contains(package)) << package;
  }
  for (const char* package : {"g++", "cmake", "libhdf5-dev", "npm"})
    EXPECT_TRUE(groups.at("program").contains(package)) << package;
}

}  // namespace
}  // namespace touchstone
