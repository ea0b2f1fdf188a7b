// Motions of trees against closed forms and reference values, and the orders of their integrators.
#include <gtest/gtest.h>

#include "dynamics/tree/random_trees.h"
#include "dynamics/tree/tree_integrators.h"

namespace touchstone {
namespace {

const Vec<3> kGravity{0, 0, -9.81};

struct Moving {
  TreeModel model;
  TreeData data;
  TreeStepper stepper;
  std::vector<double> q, v;

  explicit Moving(const std::vector<TreeLink>& links)
      : model(make_tree(links)), data(model), stepper(model), q(model.neutral()), v(model.nv(), 0.0) {}
  void step(double h, TreeIntegrator integrator = TreeIntegrator::kRk4, const Vec<3>& gravity = kGravity) {
    stepper.step(model, data, integrator, gravity, h, {}, q, v);
  }
  void to(double time, double h, TreeIntegrator integrator = TreeIntegrator::kRk4) {
    for (int i = 0; i < static_cast<int>(std::lround(time / h)); ++i) step(h, integrator);
  }
  double energy() {
    place_links(model, q, data), move_links(model, v, data);
    return kinetic_energy(model, data, v) + potential_energy(model, data, kGravity);
  }
};

// A rod of 1 kg and 1 m that hangs from its joint and swings about −y: positive angles go to +x.
TreeLink rod(std::int32_t parent) {
  TreeLink link;
  link.name = "rod";
  link.parent = parent, link.joint = TreeJoint::kRevolute, link.axis = -Vec<3>::UnitY();
  if (parent >= 0) link.joint_in_parent.p = {0, 0, -1};
  link.mass = 1, link.center = {0, 0, -0.5};
  link.inertia = Vec<3>(1.0 / 12, 1.0 / 12, 1e-6).asDiagonal();
  return link;
}

// B52: from 90°, the period is 1.180341 times that of small swings.
TEST(TreeMotion, PendulumHasItsPeriod) {
  Moving run({rod(TreeLink::kWorld)});
  run.q[0] = M_PI / 2;
  double time = 0;
  const double h = 1e-3;
  for (; run.q[0] > 0; time += h) run.step(h);
  time -= run.q[0] / run.v[0];  // back to the bottom, where the speed is at its greatest
  EXPECT_NEAR(4 * time, 1.933335, 1e-6);
}

// B53.
TEST(TreeMotion, DoublePendulumOfRods) {
  Moving run({rod(TreeLink::kWorld), rod(0)});
  run.q = {M_PI / 2, 0.0};
  run.to(0.5, 1e-3);
  EXPECT_NEAR(run.q[0], 0.448143, 1e-6);
  EXPECT_NEAR(run.q[0] + run.q[1], 1.041963, 1e-6);
  run.to(0.5, 1e-3);
  EXPECT_NEAR(run.q[0], -1.207716, 1e-6);
  EXPECT_NEAR(run.q[0] + run.q[1], -0.814391, 1e-6);
}

// B46: zeros of ω2, and the angular momentum in the world.
TEST(TreeMotion, FreeRotationAboutTheIntermediateAxis) {
  TreeLink body;
  body.name = "body", body.joint = TreeJoint::kFloating, body.mass = 1;
  body.inertia = Vec<3>(1, 2, 3).asDiagonal();
  Moving run({body});
  run.v = {0, 0, 0, 0.01, 5, 0.01};
  place_links(run.model, run.q, run.data), move_links(run.model, run.v, run.data);
  const Spatial start = momentum(run.model, run.data, Vec<3>::Zero());
  std::vector<double> zeros;
  const double h = 1e-3;
  for (int i = 0; i < 10000; ++i) {
    const double before = run.v[4];
    run.step(h, TreeIntegrator::kRk4, Vec<3>::Zero());
    if (before * run.v[4] < 0) zeros.push_back(h * (i + before / (before - run.v[4])));
  }
  ASSERT_EQ(zeros.size(), 2u);
  EXPECT_NEAR(zeros[0], 2.741068, 2e-6);
  EXPECT_NEAR(zeros[1], 7.766997, 2e-6);
  place_links(run.model, run.q, run.data), move_links(run.model, run.v, run.data);
  EXPECT_LE((momentum(run.model, run.data, Vec<3>::Zero()) - start).norm(), 1e-9 * start.norm());
}

// B48: a disc on a ball joint in steady precession, its axis at an angle from the vertical.
void precesses(double tilt, double rate) {
  TreeLink disc;
  disc.name = "disc", disc.joint = TreeJoint::kSpherical;
  disc.mass = 1, disc.center = {0, 0, 0.1};
  disc.inertia = Vec<3>(0.0025, 0.0025, 0.005).asDiagonal();
  Moving run({disc});
  const double half = tilt / 2;
  run.q = {std::cos(half), 0, std::sin(half), 0};  // the axis goes from z towards x
  // 200 rad/s along the axis in all; the rest of the precession is across it.
  run.v = {-rate * std::sin(tilt), 0, 200};
  run.to(1.0, 2.5e-4);
  place_links(run.model, run.q, run.data);
  const Vec<3> axis = run.data.R[0].col(2);
  EXPECT_NEAR(std::atan2(axis[1], axis[0]), rate, 2e-6);
  EXPECT_NEAR(axis[2], std::cos(tilt), 2e-6);
}
TEST(TreeMotion, GyroscopePrecessesHorizontally) { precesses(M_PI / 2, 0.981); }
TEST(TreeMotion, GyroscopePrecessesAt60Degrees) { precesses(M_PI / 3, 0.987090); }

// The order that halving the step shows, of a random tree of all joints with damping.
double order_of(TreeIntegrator integrator, bool floating, double h) {
  std::vector<Eigen::VectorXd> ends;
  for (int i = 0; i < 3; ++i) {
    TreeDice dice(31);
    Moving run(random_links(8, floating, dice));
    run.q = random_coordinates(run.model, dice), run.v = dice.numbers(run.model.nv(), 1.0);
    run.to(0.2, h / (1 << i), integrator);
    ends.push_back(as_vector(run.q));
  }
  return std::log2((ends[1] - ends[0]).norm() / (ends[2] - ends[1]).norm());
}
TEST(TreeMotion, IntegratorsHaveTheirOrders) {
  for (const bool floating : {false, true}) {
    SCOPED_TRACE(floating);
    EXPECT_NEAR(order_of(TreeIntegrator::kRk4, floating, 1e-2), 4, 0.3);
    EXPECT_NEAR(order_of(TreeIntegrator::kExplicitEuler, floating, 1e-4), 1, 0.1);
    EXPECT_NEAR(order_of(TreeIntegrator::kSemiImplicitEuler, floating, 1e-4), 1, 0.1);
    EXPECT_NEAR(order_of(TreeIntegrator::kImplicitDamping, floating, 1e-4), 1, 0.1);
  }
}

TEST(TreeMotion, RungeKuttaKeepsTheEnergyOfAFallingTree) {
  TreeDice dice(37);
  std::vector<TreeLink> links = random_links(10, true, dice);
  for (TreeLink& link : links)
    for (TreeRate& rate : link.rates) rate.damping = 0;
  Moving run(links);
  run.v = dice.numbers(run.model.nv(), 1.0);
  const double start = run.energy(), kinetic = kinetic_energy(run.model, run.data, run.v);
  run.to(0.2, 2.5e-4);
  EXPECT_NEAR(run.energy(), start, 1e-9 * kinetic);
}

// One step with h·D far beyond M: the rate goes to M·v/(M + h·D), while the explicit method throws it far back.
TEST(TreeMotion, ImplicitDampingIsStable) {
  TreeLink wheel = rod(TreeLink::kWorld);
  wheel.center.setZero();
  wheel.rates = {{.damping = 1e3}};
  Moving run({wheel});
  run.v = {1};
  run.step(0.01, TreeIntegrator::kImplicitDamping);
  EXPECT_NEAR(run.v[0], (1.0 / 12) / (1.0 / 12 + 10), 1e-12);
  run.v = {1};
  run.step(0.01, TreeIntegrator::kSemiImplicitEuler);
  EXPECT_NEAR(run.v[0], 1 - 120, 1e-9);
}

}  // namespace
}  // namespace touchstone
