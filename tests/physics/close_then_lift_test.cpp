// A gripper written in a scene: it closes on a box, then lifts it.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone::testing {
namespace {

// The fingers close by 3 cm from 0.1 s on, meet the box after 2 cm and squeeze it with 15 N; friction 2·0.5·15 N holds
// 9.81 N. The hand goes up from 0.6 s to 1.1 s by 0.2 m; its motor
// lifts 2.4 kg with 33 N, at 4 m/s², which is less than the 5.2 m/s² at which the box would slip.
constexpr const char* kScene = R"(touchstone = 1
name = "close, then lift"
dimension = 2
[simulation]
step = 0.001
duration = 1.5
[[material]]
name = "default"
friction = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "box"
position = [0, 0.1]
mass = 1
shape = { kind = "box", size = [0.2, 0.2] }
[[body]]
name = "hand"
position = [0, 0.4]
mass = 1
shape = { kind = "box", size = [0.5, 0.1] }
[[body]]
name = "left"
position = [-0.17, 0.2]
mass = 0.2
shape = { kind = "box", size = [0.1, 0.25] }
[[body]]
name = "right"
position = [0.17, 0.2]
mass = 0.2
shape = { kind = "box", size = [0.1, 0.25] }
[[joint]]
name = "lift"
kind = "slider"
body_b = "hand"
axis = [0, 1]
motor_waypoints = [[0, 0], [0.6, 0], [1.1, 0.2]]
motor_max_force = 33
[[joint]]
name = "left finger"
kind = "slider"
body_a = "hand"
body_b = "left"
axis = [1, 0]
motor_waypoints = [[0.1, 0], [0.4, 0.03]]
motor_max_force = 15
[[joint]]
name = "right finger"
kind = "slider"
body_a = "hand"
body_b = "right"
axis = [-1, 0]
motor_waypoints = [[0.1, 0], [0.4, 0.03]]
motor_max_force = 15
)";

class CloseThenLift : public ::testing::TestWithParam<std::string> {};

TEST_P(CloseThenLift, TheBoxComesAlong) {
  Simulation sim(parse_scene(kScene, "gripper.toml", {{"model.name", GetParam()}}));
  const BodyId box = sim.find_body("box"), left = sim.find_body("left");
  const auto until = [&](double time) {
    while (sim.time() < time - 1e-9) sim.step();
  };
  until(0.09);
  EXPECT_EQ(sim.pair_impulse(left, box).norm(), 0) << "not closed yet";
  EXPECT_NEAR(sim.state(box).center_of_mass.y(), 0.1, 1e-4);
  until(0.55);
  EXPECT_NEAR(sim.pair_impulse(left, box).x() / sim.step_size(), 15, 0.05) << "squeezed with all the motor has";
  EXPECT_NEAR(sim.joint(sim.find_joint("left finger")).coordinate, 0.02, 1e-4) << "the box is in the way";
  EXPECT_NEAR(sim.state(box).center_of_mass.y(), 0.1, 1e-4);
  until(1.5);
  EXPECT_NEAR(sim.joint(sim.find_joint("lift")).coordinate, 0.2, 1e-3);
  EXPECT_NEAR(sim.state(box).center_of_mass.y(), 0.3, 2e-3);
  EXPECT_NEAR(sim.state(box).center_of_mass.x(), 0, 2e-3);
}

// `gauss` has no friction unless its options ask for it: the box would stay where it is.
std::vector<std::string> models() {
  std::vector<std::string> out;
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.joints && m.name != std::string("gauss")) out.push_back(m.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Models, CloseThenLift, ::testing::ValuesIn(models()), [](const auto& i) { return i.param; });

}  // namespace
}  // namespace touchstone::testing
