// Joints, limits and motors under the convex model, and many contacts at once.
#include <gtest/gtest.h>

#include "physics/chain_scene.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class ConvexJointsIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ConvexJointsIn, ::testing::Values(2, 3), dimension_name);

SceneDescription scene_of(int d, double h, const std::string& model = "convex") {
  SceneDescription scene = empty_scene(d, h);
  scene.model.name = model;
  scene.integrator = Integrator::kSemiImplicitEuler;
  return scene;
}
// A bar that hangs by one end from the origin, let go when level.
SceneDescription pendulum(int d) {
  SceneDescription scene = scene_of(d, 1e-3);
  scene.bodies = {body("bar", d == 2 ? box(1, 0.1) : box(1, 0.1, 0.1), {0.5, 0, 0})};
  JointDescription j;
  j.kind = JointKind::kHinge;
  j.body_b = "bar";
  j.point = Vector3d::Zero();
  if (d == 3) j.axis = Vector3d::UnitY();
  scene.joints = {j};
  return scene;
}

TEST_P(ConvexJointsIn, APendulumKeepsItsLengthAndItsEnergy) {
  Simulation sim(pendulum(d_));
  const BodyId bar = sim.find_body("bar");
  sim.step();
  const double start = sim.report().energy(), swing = 100 * kGravity * 0.5 * (d_ == 2 ? 1 : 0.1);  // m·g·L/2
  for (int i = 0; i < 3000; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << i;
    ASSERT_LT(std::abs(sim.state(bar).center_of_mass.norm() - 0.5), 1e-9);
    ASSERT_LT(std::abs(r.energy() - start) / swing, 0.01);
  }
}

TEST_P(ConvexJointsIn, LimitsStopAndMotorsDrive) {
  SceneDescription scene = pendulum(d_);
  scene.joints[0].lower = -2.0, scene.joints[0].upper = 2.0;
  Simulation stops(scene);
  double furthest = 0;
  for (int i = 0; i < 2000; ++i) {
    stops.step();
    furthest = std::max(furthest, std::abs(stops.joint(0).coordinate));
  }
  EXPECT_LT(furthest, 2.0 + 1e-8);
  EXPECT_GT(furthest, 2.0 - 1e-3);
  scene.gravity.setZero();
  scene.joints[0].lower.reset(), scene.joints[0].upper.reset();
  scene.joints[0].motor_speed = 3, scene.joints[0].motor_max_force = 10;
  Simulation drives(scene);
  const double mass = d_ == 2 ? 100 : 10, inertia = mass * (1 + 0.01) / 12 + mass * 0.25;
  for (int i = 0; i < 100; ++i) drives.step();
  EXPECT_NEAR(drives.joint(0).coordinate_rate, 0.1 * 10 / inertia, 1e-6);  // as fast as its torque can
}

// A chain of links that falls on the floor: contacts and joints at once.
TEST_P(ConvexJointsIn, AChainOnTheFloor) {
  SceneDescription scene = scene_of(d_, 2e-3);
  add_falling_chain(d_, scene);
  Simulation sim(scene);
  sim.set_yardstick(true);
  int missed = 0;
  for (int i = 0; i < 400; ++i) {
    const StepReport& r = sim.step();
    missed += r.status != StepStatus::kOk;
    ASSERT_LT(r.measures.momentum_error.worst, 1e-9) << i;
    ASSERT_LT(r.measures.joint_position.worst, 1e-6) << i;
    ASSERT_EQ(r.measures.pulling.worst, 0) << i;
  }
  EXPECT_EQ(missed, 0);
  check("energy at the end", sim.report().kinetic_energy, 0, 1e-6);
}

// 20 boxes that fall together; what is not solved is reported, and bodies stay apart.
TEST_P(ConvexJointsIn, AHeapOfBoxes) {
  SceneDescription s = scene_of(d_, 5e-3);
  s.materials = {material(0.4)};
  s.bodies = {fixed("floor", half_space(up(d_)))};
  const int n = d_ == 2 ? 20 : 9;
  for (int i = 0; i < n; ++i) {
    const int row = i / 4, column = i % 4;
    const ShapeDescription cube = d_ == 2 ? box(0.2, 0.2) : box(0.2, 0.2, 0.2);
    BodyDescription b = body("b" + std::to_string(i), cube, (0.11 + 0.21 * row) * up(d_));
    b.placement.position.x() = 0.23 * column + 0.05 * (row % 3);
    b.placement.angle = 0.05 * (i % 4);
    if (d_ == 3) b.placement.orientation = Eigen::AngleAxisd(0.05 * (i % 4), Vector3d(1, 2, i % 3).normalized());
    s.bodies.push_back(b);
  }
  Simulation sim(s);
  sim.set_yardstick(true);
  int missed = 0;
  double deepest = 0, cone = 0;
  for (int i = 0; i < 150; ++i) {
    const StepReport& r = sim.step();
    missed += r.status != StepStatus::kOk;
    if (i >= 75) deepest = std::max(deepest, r.measures.penetration.worst);  // they overlap by 6 mm at the start
    cone = std::max(cone, r.measures.cone.worst);
    ASSERT_LT(r.measures.momentum_error.worst, 1e-9) << i;
    ASSERT_EQ(r.measures.pulling.worst, 0) << i;
  }
  EXPECT_GT(sim.contact_count(), 20u);
  check("steps not converged", missed, 0, 8);
  check("deepest", deepest, 0, 1e-3);
  check("cone", cone, 0, 1e-9);
}

// Sliding and spinning: each contact of the face would brake along its own slip. Least slip of all together brakes the
// turn and the slide as one, which is another motion. How much other is kept here.
TEST(ConvexModel, SpinningBlocksAreNotCoulombs) {
  const auto run_with = [](const std::string& model, double spin) {
    SceneDescription scene = scene_of(3, 1e-3, model);
    scene.materials = {material(0.3)};
    BodyDescription block = body("block", box(0.4, 0.4, 0.1), {0, 0, 0.05});
    block.velocity = {1, 0, 0};
    block.angular_velocity = {0, 0, spin};
    scene.bodies = {fixed("floor", half_space({0, 0, 1})), block};
    Simulation sim(scene);
    for (int i = 0; i < 100; ++i) sim.step();
    return sim.state(sim.find_body("block"));
  };
  const BodyState straight = run_with("convex", 0), plain = run_with("ncp", 0);
  check("without spin", (straight.velocity - plain.velocity).norm(), 0, 1e-6);
  const BodyState convex = run_with("convex", 5), ncp = run_with("ncp", 5);
  const double slide = (convex.velocity - ncp.velocity).norm();
  const double turn = (convex.angular_velocity - ncp.angular_velocity).norm();
  RecordProperty("slide", std::to_string(slide));
  RecordProperty("turn", std::to_string(turn));
  EXPECT_GT(slide + 0.2 * turn, 1e-3);
  EXPECT_LT(slide, 0.15);
  EXPECT_LT(turn, 1);
  EXPECT_LT(convex.velocity.norm(), 1);
}

}  // namespace
}  // namespace touchstone::testing
