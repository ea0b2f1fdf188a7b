// Damaged scenes: refused with every place named, or run for a few steps in finite numbers.
#include <gtest/gtest.h>

#include <fstream>

#include "attack/attack.h"
#include "io/scene/reader.h"
#include "models/registry.h"
#include "touchstone/touchstone.h"

namespace touchstone::attack {
namespace {

namespace fs = std::filesystem;

// Small worlds: what is right and large only takes time.
constexpr SceneLimits kLimits{std::size_t{1} << 20, 16, 50, std::size_t{1} << 20};

struct Scene {
  std::string path, text;
};

// Scenes that come with the program and those of the fuzzer, as far as they are small enough.
std::vector<Scene> good_scenes() {
  std::vector<Scene> out;
  for (const char* folder : {"scenes", "tests/fuzz/corpus"})
    for (const auto& entry : fs::directory_iterator(fs::path(TOUCHSTONE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".toml") continue;
      const Scene scene{entry.path().string(), read_bytes(entry.path().string())};
      try {
        parse_scene_text(scene.text, scene.path, {}, kLimits);
        out.push_back(scene);
      } catch (const Error&) {  // too many bodies
      }
    }
  std::sort(out.begin(), out.end(), [](const Scene& a, const Scene& b) { return a.path < b.path; });
  return out;
}

// The fuzzer's dictionary: a word in quotes a line.
std::vector<std::string> words() {
  std::vector<std::string> out;
  std::ifstream in(TOUCHSTONE_SOURCE_DIR "/tests/fuzz/scene.dict");
  for (std::string line; std::getline(in, line);) {
    if (line.size() < 3 || line.front() != '"') continue;
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i)
      if (line[i] != '\\') word += line[i];
    out.push_back(word);
  }
  return out;
}

bool finite(const BodyState& s) {
  return s.placement.position.allFinite() && s.placement.orientation.coeffs().allFinite() &&
         std::isfinite(s.placement.angle) && s.velocity.allFinite() && s.angular_velocity.allFinite();
}

void run_a_little(const SceneDescription& scene) {
  constexpr int kSteps = 3;
  Simulation simulation(scene);
  for (int i = 0; i < kSteps; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_TRUE(std::isfinite(report.energy())) << report.energy();
    for (const BodyId body : simulation.bodies())
      EXPECT_TRUE(finite(simulation.state(body))) << simulation.body_name(body);
  }
}

TEST(Attack, Scenes) {
  const std::vector<Scene> scenes = good_scenes();
  const std::vector<std::string> dictionary = words();
  const auto& models = registered_models();
  ASSERT_GT(scenes.size(), 5u);
  ASSERT_GT(dictionary.size(), 50u);
  std::size_t loaded = 0;
  run_cases("scenes", dictionary, [&](Mutator& m) {
    const Scene& seed = m.pick(scenes);
    const std::string text = m.damage(seed.text, m.pick(scenes).text);
    std::vector<SceneOverride> overrides;
    if (m.chance(2)) overrides.push_back({"model.name", m.pick(models).name});
    if (m.chance(8)) overrides.push_back({m.damage("simulation.step"), m.damage("0.001")});
    show(text);
    for (const SceneOverride& o : overrides) show("override " + o.key + " = " + o.value);
    SceneDescription scene;
    if (!survives([&] { scene = parse_scene_text(text, seed.path, overrides, kLimits); }, {seed.path})) return;
    ++loaded;
    survives([&] { run_a_little(scene); });
  });
  if (!campaign().only) {
    EXPECT_GT(loaded, campaign().count / 20) << "the damage is too great to reach the simulation";
  }
}

}  // namespace
}  // namespace touchstone::attack
