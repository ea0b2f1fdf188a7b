// Whose work it was: motors, joints, prescribed bodies, belts and pushing apart each have a class of their own, and
// contacts get none of it. Every expected value is by formula.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

std::vector<std::string> models(bool with_joints) {
  std::vector<std::string> names;
  for (const ModelInfo& model : registered_models())
    if (model.name != "free" && (!with_joints || model.capabilities.joints)) names.push_back(model.name);
  return names;
}

// Runs, and expects that the yardstick sees no gain of contacts: nothing touches.
void run_without_contacts(Simulation& sim, double seconds) {
  sim.set_yardstick(true);
  double gain = 0;
  for (auto n = std::llround(seconds / sim.step_size()); n > 0; --n) {
    sim.step();
    gain = std::max({gain, sim.measures().contact_gain.worst, sim.measures().impact_gain.worst});
  }
  check("gain", gain, 0, 1e-12);
}

class MotorWorkUnder : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Model, MotorWorkUnder, ::testing::ValuesIn(models(true)),
                         [](const auto& i) { return i.param; });

// A level bar of 2 kg on a hinge about the vertical through its middle; a motor takes it to 6 rad/s.
TEST_P(MotorWorkUnder, OfAHingeIsItsOwn) {
  SceneDescription scene = empty_scene(3, 1e-3);
  scene.model.name = GetParam();
  scene.bodies = {body("bar", box(1, 0.1, 0.1))};
  set_inertia(scene.bodies[0], 2, 0.2);
  JointDescription j;
  j.kind = JointKind::kHinge;
  j.body_b = "bar";
  j.point = Vector3d::Zero();
  j.axis = Vector3d::UnitZ();
  j.motor_speed = 6, j.motor_max_force = 3;  // 15 rad/s², there after 0.4 s
  scene.joints = {j};
  Simulation sim(scene);
  run_without_contacts(sim, 0.5);
  const StepReport& r = sim.report();
  check("kinetic_J", r.kinetic_energy, 0.5 * 0.2 * 36, 1e-9);
  check("motor_J", r.motor_work, 0.5 * 0.2 * 36, 1e-9);
  check("contact_J", r.contact_work, 0, 1e-9);
  check("joint_J", r.joint_work, 0, 1e-9);
  check("balance_J", r.energy_balance, 0, 1e-9);
  check("made_J", r.energy_made(), 0, 1e-9);
}

// A crane: a kinematic trolley rises at 0.5 m/s and pulls a load of 3 kg up by a ball joint. It puts in m·g·v·t, and at
// the start the jerk, m·v², of which half is lost in the joint.
TEST_P(MotorWorkUnder, OfAPrescribedBodyGoesThroughItsJoint) {
  SceneDescription scene = empty_scene(3, 1e-3);
  scene.model.name = GetParam();
  BodyDescription trolley;
  trolley.name = "trolley";
  trolley.kind = BodyKind::kKinematic;
  trolley.motion = PrescribedMotion{.velocity = {0, 0, 0.5}};
  scene.bodies = {trolley, body("load", sphere(0.1), {0, 0, -1})};
  scene.bodies[1].mass = 3;
  JointDescription j;
  j.kind = JointKind::kBall;
  j.body_a = "trolley", j.body_b = "load";
  j.point = Vector3d::Zero();
  scene.joints = {j};
  Simulation sim(scene);
  run_without_contacts(sim, 1);
  const StepReport& r = sim.report();
  check_relative("driven_J", r.driven_work, 3 * kGravity * 0.5 + 3 * 0.25, 0.002);
  check_relative("kinetic_J", r.kinetic_energy, 0.5 * 3 * 0.25, 1e-6);
  check("joint_J", r.joint_work, -0.5 * 3 * 0.25, 0.02);
  check("motor_J", r.motor_work, 0, 1e-12);
  check("contact_J", r.contact_work, 0, 1e-9);
}

class DrivenWorkUnder : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Model, DrivenWorkUnder, ::testing::ValuesIn(models(false)),
                         [](const auto& i) { return i.param; });

// A box of 4 kg is put on a belt of 1 m/s, friction 0.5: it slips for v/(μ·g) = 0.2039 s. The belt puts in m·v², half
// of which is heat.
TEST_P(DrivenWorkUnder, OfABelt) {
  SceneDescription scene = floor_scene(2, material(0.5), 1e-3);
  scene.model.name = GetParam();
  scene.bodies[0].surface_velocity = {1, 0, 0};
  scene.bodies.push_back(body("box", box(0.4, 0.2), {0, 0.1, 0}));
  scene.bodies[1].mass = 4;
  Simulation sim(scene);
  run(sim, 0.5);
  const StepReport& r = sim.report();
  if (GetParam() == "gauss") {  // without friction unless its options ask for it: the belt passes below the box
    check("driven_J", r.driven_work, 0, 1e-12);
    check("kinetic_J", r.kinetic_energy, 0, 1e-12);
    return;
  }
  check_relative("driven_J", r.driven_work, 4.0, 0.02);
  check_relative("contact_J", r.contact_work, -2.0, 0.03);
  check_relative("kinetic_J", r.kinetic_energy, 2.0, 0.02);
  EXPECT_LT(r.energy_made() / 4, 0.02);
}

// A lift that rises at 0.5 m/s with a box of 4 kg on it.
TEST_P(DrivenWorkUnder, OfALift) {
  SceneDescription scene = empty_scene(2, 1e-3);
  scene.model.name = GetParam();
  scene.materials = {material(0.5)};
  BodyDescription lift = body("lift", box(1, 0.1), {0, -0.05, 0});
  lift.kind = BodyKind::kKinematic;
  lift.motion = PrescribedMotion{.velocity = {0, 0.5, 0}};
  scene.bodies = {lift, body("box", box(0.4, 0.2), {0, 0.1, 0})};
  scene.bodies[1].mass = 4;
  scene.bodies[1].velocity = {0, 0.5, 0};
  Simulation sim(scene);
  run(sim, 1);
  const StepReport& r = sim.report();
  check_relative("driven_J", r.driven_work, 4 * kGravity * 0.5, 0.01);
  check("contact_J", r.contact_work, 0, 0.05);
  check("motor_J", r.motor_work, 0, 1e-12);
}

// A paddle at 1 m/s hits a ball of 2 kg at rest, with a restitution of 0.5: the ball leaves at 1.5 m/s, the paddle puts
// in m·(1 + e)·v², and ½·m·v²·(1 − e²) is lost in the contact.
TEST_P(DrivenWorkUnder, OfAPaddleThatHits) {
  SceneDescription scene = empty_scene(2, 1e-3);
  scene.gravity.setZero();
  scene.model.name = GetParam();
  scene.materials = {material(0.5, 0.5)};
  BodyDescription paddle = body("paddle", box(1, 0.1), {0, -0.1, 0});
  paddle.kind = BodyKind::kKinematic;
  paddle.motion = PrescribedMotion{.velocity = {0, 1, 0}};
  scene.bodies = {paddle, body("ball", sphere(0.05), {0, 0.05, 0})};
  scene.bodies[1].mass = 2;
  Simulation sim(scene);
  run(sim, 0.2);
  const StepReport& r = sim.report();
  // Springs of penalty methods give back what they stored, not to the letter.
  const double part = GetParam() == "penalty" ? 0.05 : 1e-6;
  check_relative("kinetic_J", r.kinetic_energy, 2.25, part);
  check_relative("driven_J", r.driven_work, 3, part);
  check_relative("contact_J", r.contact_work, -0.75, 2 * part);
  check("balance_J", r.energy_balance, 0, 1e-9);
  check("joint_J", r.joint_work, 0, 1e-12);
}

// Two boxes that start 0.1 m deep in each other, the lower one fixed: pushing the upper one out lifts it.
TEST_P(DrivenWorkUnder, OfPushingApartIsNobodysContactWork) {
  SceneDescription scene = empty_scene(2, 1e-3);
  scene.model.name = GetParam();
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("lower", box(2, 1), {0, -0.5, 0}), body("upper", box(1, 1), {0, 0.4, 0})};
  scene.bodies[1].mass = 2;
  Simulation sim(scene);
  run(sim, 2);
  const StepReport& r = sim.report();
  const double lifted = sim.state(sim.find_body("upper")).center_of_mass.y() - 0.4;
  EXPECT_GT(r.correction_work, 0.9 * 2 * kGravity * std::max(0.0, lifted));
  EXPECT_LT(r.energy_made(), 0.05 * 2 * kGravity);
  EXPECT_LT(r.contact_work, 0.05 * 2 * kGravity);
}

}  // namespace
}  // namespace touchstone::testing
