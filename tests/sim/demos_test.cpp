// Every demo of [thompson2003]: the same bits at any number of threads and from any snapshot, and the changes that its
// comments offer are taken.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "touchstone/touchstone.h"

namespace touchstone::testing {
namespace {

const char* kFolder = TOUCHSTONE_SOURCE_DIR "/scenes/papers/thompson2003";

std::string path_of(const std::string& name) { return std::string(kFolder) + "/" + name + ".toml"; }

class Demos : public ::testing::TestWithParam<const char*> {};

TEST_P(Demos, GoOnFromASnapshotWithTheSameBitsAtAnyNumberOfThreads) {
  const SceneDescription scene = load_scene(path_of(GetParam()));
  Simulation whole(scene), threads(scene);
  threads.set_threads(4);
  for (int part = 0; part < 4; ++part) {
    Simulation again(scene);
    again.restore(whole.snapshot());
    EXPECT_EQ(again.snapshot(), whole.snapshot());
    for (int i = 0; i < 75; ++i) {
      whole.step(), again.step(), threads.step();
      ASSERT_EQ(again.state_hash(), whole.state_hash()) << whole.step_count();
      ASSERT_EQ(threads.state_hash(), whole.state_hash()) << whole.step_count();
    }
  }
}

// "--set KEY=VALUE" or "--set 'KEY=VALUE'".
std::vector<SceneOverride> offered(const std::string& line) {
  std::vector<SceneOverride> out;
  const std::regex set(R"(--set (?:'([^'=]+)=([^']*)'|([^ =]+)=([^ ]+)))");
  for (std::sregex_iterator i(line.begin(), line.end(), set), end; i != end; ++i)
    out.push_back((*i)[1].matched ? SceneOverride{(*i)[1], (*i)[2]} : SceneOverride{(*i)[3], (*i)[4]});
  return out;
}

TEST_P(Demos, TakeTheChangesThatTheirCommentsOffer) {
  std::ifstream file(path_of(GetParam()));
  int tried = 0;
  for (std::string line; std::getline(file, line) && !line.empty() && line[0] == '#';) {
    const std::vector<SceneOverride> changes = offered(line);
    if (changes.empty() || line.find("=...") != std::string::npos) continue;
    ++tried;
    Simulation sim(load_scene(path_of(GetParam()), changes));
    for (int i = 0; i < 50; ++i) ASSERT_NO_THROW(sim.step()) << line;
  }
  EXPECT_GE(tried, 1);
}

INSTANTIATE_TEST_SUITE_P(Thompson2003, Demos,
                         ::testing::Values("robots", "collisions", "collisions_pinned", "pendulum", "bead", "door",
                                           "pinned_boxes", "rod_impact", "jointed_rods", "cushion"),
                         [](const auto& p) { return std::string(p.param); });

TEST(Demo, AllOfThemAreTested) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) files += entry.path().extension() == ".toml";
  EXPECT_EQ(files, 10u);
}

}  // namespace
}  // namespace touchstone::testing
