// A step that is told to stop: it ends soon, and nothing of it is left.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

// Boxes that land on each other: contacts, bounces and friction in every step.
SceneDescription tower(int d, const std::string& model) {
  SceneDescription scene = empty_scene(d);
  scene.model.name = model;
  scene.materials = {material(0.5, 0.3)};
  scene.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d, 0.2, 0.2, 0.2), (0.1 + 0.201 * i) * up(d)));
  scene.integrator = find_model(model).capabilities.integrators.back();
  return scene;
}

class Stopping : public ::testing::TestWithParam<std::string> {};

// The callback is called within the step: the loops that follow it hear the stop.
TEST_P(Stopping, KeepsTheStateBeforeTheStep) {
  for (const int d : {2, 3}) {
    Simulation sim(tower(d, GetParam())), undisturbed(tower(d, GetParam()));
    std::atomic<bool> stop{false};
    bool armed = false;
    const auto nothing = [](ForceContext&) {};
    sim.set_stop(&stop);
    sim.set_force_callback([&](ForceContext&) { stop = armed; });
    undisturbed.set_force_callback(nothing);
    for (int i = 0; i < 20; ++i) sim.step(), undisturbed.step();
    const std::uint64_t hash = sim.state_hash();
    armed = true;
    try {
      sim.step();
      ADD_FAILURE() << "the step went on, in " << d << "D";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kInterrupted);
      EXPECT_NE(std::string(e.what()).find("interrupted"), std::string::npos);
    }
    EXPECT_EQ(sim.state_hash(), hash);
    EXPECT_EQ(sim.step_count(), 20u);
    armed = false, stop = false;
    for (int i = 0; i < 20; ++i) sim.step(), undisturbed.step();
    EXPECT_EQ(sim.state_hash(), undisturbed.state_hash()) << d << "D";
  }
}

std::vector<std::string> models_with_loops() {
  std::vector<std::string> out;
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.contacts) out.push_back(m.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Models, Stopping, ::testing::ValuesIn(models_with_loops()),
                         [](const auto& i) { return i.param; });

TEST(Stop, EndsAStepThatTakesHours) {
  SceneDescription scene = tower(3, "impulse");
  scene.step = 1e7;  // two thousand million substeps: hours
  Simulation sim(scene);
  std::atomic<bool> stop{false};
  sim.set_stop(&stop);
  const auto begin = std::chrono::steady_clock::now();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  EXPECT_THROW(sim.step(), Error);
  later.join();
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GE(took, 0.2) << "it ended by itself";
  EXPECT_LT(took, 60);
  EXPECT_EQ(sim.step_count(), 0u);
}

TEST(Stop, AFlagThatIsTakenAwayStopsNothing) {
  Simulation sim(tower(2, "ncp"));
  const std::atomic<bool> stop{true};
  sim.set_stop(&stop);
  EXPECT_THROW(sim.step(), Error);
  sim.set_stop(nullptr);
  EXPECT_NO_THROW(sim.step());
}

}  // namespace
}  // namespace touchstone::testing
