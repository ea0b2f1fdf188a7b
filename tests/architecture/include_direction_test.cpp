// Modules depend on each other in one direction only. Reads every #include of src and apps.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace {

namespace fs = std::filesystem;

// A room may include itself and what stands before it. `touchstone` is the public face: plain data and the declarations
// that modules implement.
const std::vector<std::string> kOrder{"touchstone", "base",    "math", "geometry",  "collision", "dynamics", "contact",
                                      "models",     "statics", "sim",  "recording", "io",        "study",    "viewer"};
// The broad and narrow phases, and the contact solvers, are modules within modules; models and statics stand side by
// side.

int rank(const std::string& room) {
  for (std::size_t i = 0; i < kOrder.size(); ++i)
    if (kOrder[i] == room) return static_cast<int>(i);
  return -1;
}

struct Include {
  fs::path file;
  std::string room, target;
};

std::vector<Include> includes_of_sources() {
  std::vector<Include> out;
  const fs::path src = fs::path(TOUCHSTONE_SOURCE_DIR) / "src";
  const std::regex pattern("^\\s*#include \"([a-z_0-9]+)/[^\"]+\"");
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    const std::string room = fs::relative(entry.path(), src).begin()->string();
    std::ifstream file(entry.path());
    std::string line;
    std::smatch match;
    while (std::getline(file, line))
      if (std::regex_search(line, match, pattern)) out.push_back({entry.path(), room, match[1]});
  }
  return out;
}

TEST(Architecture, EveryIncludePointsDownwards) {
  const std::vector<Include> includes = includes_of_sources();
  ASSERT_GT(includes.size(), 100u);
  for (const Include& i : includes) {
    ASSERT_GE(rank(i.room), 0) << i.room << " is not in the order of modules";
    EXPECT_GE(rank(i.target), 0) << i.file << " includes the unknown room " << i.target;
    EXPECT_LE(rank(i.target), rank(i.room)) << i.file << " in room " << i.room << " includes " << i.target;
  }
}

// Above sim only `Simulation` is seen: the public face, the parts of it that are read by modules of the library, and
// the names of controllers and joints. None of these leads to a world.
TEST(Architecture, AboveSimThereAreOnlySimulations) {
  const fs::path root(TOUCHSTONE_SOURCE_DIR);
  const std::set<std::string> open{"simulation_parts.h", "controller_registry.h", "joint_description.h"};
  const std::regex pattern("^\\s*#include \"sim/([a-z_0-9]+\\.h)\"");
  const auto sim_includes = [&](const fs::path& path) {
    std::vector<std::string> out;
    std::ifstream file(path);
    std::string line;
    std::smatch match;
    while (std::getline(file, line))
      if (std::regex_search(line, match, pattern)) out.push_back(match[1]);
    return out;
  };
  for (const std::string& header : open) {
    const fs::path path = root / "src/sim" / header;
    ASSERT_TRUE(fs::exists(path)) << path;
    for (const std::string& seen : sim_includes(path)) EXPECT_TRUE(open.contains(seen)) << path << " includes " << seen;
  }
  std::size_t seen = 0;
  for (const char* folder : {"src/recording", "src/io", "src/study", "src/viewer", "apps", "examples", "bench"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      for (const std::string& header : sim_includes(entry.path())) {
        ++seen;
        EXPECT_TRUE(open.contains(header)) << entry.path() << " includes sim/" << header;
      }
    }
  }
  EXPECT_GT(seen, 3u);
}

// Text that is not UTF-8 makes nlohmann's dump() throw unless it is told otherwise: base/json_text.h does.
TEST(Architecture, JsonIsWrittenInOnePlace) {
  const std::regex pattern("[a-z_A-Z)}]\\.dump\\(");
  std::size_t files = 0;
  for (const char* folder : {"src", "apps", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(TOUCHSTONE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      if (entry.path().filename() == "json_text.h") continue;
      ++files;
      std::ifstream file(entry.path());
      std::string line;
      while (std::getline(file, line)) EXPECT_FALSE(std::regex_search(line, pattern)) << entry.path() << ": " << line;
    }
  EXPECT_GT(files, 100u);
}

// Solvers, and the forms that problems are brought into for them, see problems and mathematics: no bodies, no
// materials, no models. Islands are sets of numbers.
TEST(Architecture, SolversKnowOnlyProblems) {
  const std::regex pattern("#include \"([^\"]+)\""),
      allowed(
          "(contact/solvers/|contact/reform/|math/|contact/contact_problem\\.h|contact/clique_mass\\.h|contact/"
          "delassus\\.h|contact/"
          "islands\\.h|touchstone/error\\.h).*");
  for (const char* folder : {"src/contact/solvers", "src/contact/reform"}) {
    int seen = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(TOUCHSTONE_SOURCE_DIR) / folder)) {
      std::ifstream file(entry.path());
      std::string line;
      std::smatch match;
      while (std::getline(file, line)) {
        if (!std::regex_search(line, match, pattern)) continue;
        ++seen;
        EXPECT_TRUE(std::regex_match(match[1].str(), allowed)) << entry.path() << " includes " << match[1];
      }
    }
    EXPECT_GT(seen, 1) << folder;
  }
}

TEST(Architecture, TheStepReadsLikeATableOfContents) {
  std::ifstream file(fs::path(TOUCHSTONE_SOURCE_DIR) / "src/sim/step.cpp");
  int lines = 0, longest = 0, current = 0;
  std::string line;
  while (std::getline(file, line)) {
    ++lines;
    current = line.rfind("}", 0) == 0 ? 0 : current + 1;
    longest = std::max(longest, current);
  }
  EXPECT_GT(lines, 20);
  EXPECT_LT(longest, 60);
}

TEST(Architecture, FilesStaySmall) {
  for (const char* folder : {"src", "apps", "include"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(TOUCHSTONE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
      EXPECT_LE(lines, 400) << entry.path() << ": split it along its ideas";
    }
}

}  // namespace
