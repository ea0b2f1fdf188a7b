// Joints under the impulse model: they hold in position and in velocity, after a million steps as well as after the
// first ones, and motors push no harder than they may.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

// One swinging bar for each kind of joint, far from each other; the slider's is on a slope and between stops.
SceneDescription mechanisms(int d, const std::string& preset) {
  SceneDescription scene = impulse_scene(d, 1e-3, preset);
  std::vector<JointKind> kinds{JointKind::kHinge, JointKind::kSlider, JointKind::kFixed, JointKind::kDistance};
  if (d == 3) kinds.insert(kinds.end(), {JointKind::kBall, JointKind::kUniversal});
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string name = "bar" + std::to_string(i);
    const Vector3d at = in_plane(d, 5.0 * static_cast<double>(i), 0);
    scene.bodies.push_back(body(name, plate(d, 1, 0.1, 0.2), at + in_plane(d, 0.5, 0)));
    JointDescription j;
    j.kind = kinds[i];
    j.body_b = name;
    if (j.kind == JointKind::kDistance)
      j.point_a = at, j.point_b = in_plane(d, -0.5, 0.05), j.length = 0.3;
    else
      j.point = at;
    if (j.kind == JointKind::kHinge && d == 3) j.axis = Vector3d(0.3, 1, 0.2);
    if (j.kind == JointKind::kUniversal) j.axis = Vector3d(0, 1, 0), j.axis_b = Vector3d(1, 0, 0);
    if (j.kind == JointKind::kSlider) j.axis = in_plane(d, 1, -0.5), j.lower = -1, j.upper = 1;
    scene.joints.push_back(j);
  }
  return scene;
}

void drift_test(int d, const std::string& preset, std::int64_t steps) {
  SceneDescription scene = mechanisms(d, preset);
  scene.bodies[3].placement.position += in_plane(d, 0.3, -0.05);  // so that its distance is kept from the start
  Simulation sim(scene);
  const std::int64_t part = steps / 10;
  std::vector<double> first(scene.joints.size(), 0), last = first;
  double speed = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    ASSERT_NE(sim.step().status, StepStatus::kNotConverged) << "step " << i;
    if (i >= part && i < steps - part) continue;
    std::vector<double>& worst = i < part ? first : last;
    for (std::uint32_t j = 0; j < worst.size(); ++j) {
      worst[j] = std::max(worst[j], sim.joint(j).position_error);
      speed = std::max(speed, sim.joint(j).velocity_error);
    }
  }
  EXPECT_LT(speed, 1e-6);  // [m/s, rad/s]
  for (std::size_t j = 0; j < first.size(); ++j) {
    EXPECT_LT(first[j], 1e-9) << "joint " << j;  // [m, rad]; far below the tolerance of the preset
    EXPECT_LT(last[j], 1e-9) << "joint " << j;
  }
}

TEST(ImpulseJoints, HoldInPositionAndVelocity) {
  for (const int d : {2, 3})
    for (const char* preset : {"default", "accurate"}) drift_test(d, preset, 5000);
}
TEST(LongImpulseJoints, DoNotDriftInAMillionSteps2D) { drift_test(2, "default", 1'000'000); }
TEST(LongImpulseJoints, DoNotDriftInAMillionSteps3D) { drift_test(3, "default", 1'000'000); }

// F = m·a: 0.5 N on 2 kg for 1 s.
TEST(ImpulseJoints, MotorsPushNoHarderThanTheyMay) {
  for (const int d : {2, 3}) {
    for (const char* preset : {"default", "accurate"}) {
      SceneDescription scene = impulse_scene(d, 1e-3, preset);
      scene.bodies = {body("cart", plate(d, 1, 0.1, 0.2))};
      scene.bodies[0].mass = 2;
      JointDescription j;
      j.kind = JointKind::kSlider;
      j.body_b = "cart";
      j.axis = in_plane(d, 1, 0);
      j.motor_speed = 100, j.motor_max_force = 0.5;
      scene.joints = {j};
      Simulation sim(scene);
      run(sim, 1);
      EXPECT_NEAR(sim.state(sim.find_body("cart")).velocity.x(), 0.25, 1e-9) << preset << " " << d << "D";
    }
  }
}

// A bob without a shape on a string: it has a mass, but no size. It hangs, and the joint carries its weight, whether or
// not steps stop at times of impact.
TEST(ImpulseJoints, ABobWithoutAShapeHangs) {
  for (const int d : {2, 3})
    for (const char* timing : {"fixed", "events"}) {
      SceneDescription scene = impulse_scene(d, 0.005);
      scene.model.options["timing"] = std::string(timing);
      BodyDescription bob;
      bob.name = "bob";
      bob.mass = 2;
      bob.inertia = 0.01 * Eigen::Matrix3d::Identity();
      bob.placement.position = in_plane(d, 0, -1);
      scene.bodies = {bob};
      JointDescription string;
      string.kind = JointKind::kDistance;
      string.body_b = "bob";
      string.point_a = Vector3d(Vector3d::Zero()), string.point_b = Vector3d(Vector3d::Zero()), string.length = 1;
      scene.joints = {string};
      Simulation sim(scene);
      for (int i = 0; i < 100; ++i) sim.step();
      EXPECT_NEAR(sim.joint(0).impulse.norm(), 2 * kGravity * scene.step, 1e-9) << timing;
      EXPECT_NEAR(sim.state(sim.find_body("bob")).center_of_mass.norm(), 1, 1e-9) << timing;
    }
}

}  // namespace
}  // namespace touchstone::testing
