// Smooth motion of the validation catalogue: spinning bodies and bodies that turn about a fixed point (inertia about
// the pivot, torque by callback).
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "physics/scene_builders.h"
#include "physics/turning_over.h"

namespace touchstone::testing {
namespace {

// A body with the given inertia in a world without gravity.
SceneDescription spinning_body(const Eigen::Vector3d& inertia, const Eigen::Vector3d& omega, Integrator integrator,
                               double h) {
  SceneDescription scene = empty_scene(3, h);
  scene.gravity.setZero();
  scene.integrator = integrator;
  scene.model.name = "free";
  BodyDescription b;
  b.name = "body";
  b.mass = 1;
  b.inertia = inertia.asDiagonal();
  b.angular_velocity = omega;
  scene.bodies = {b};
  return scene;
}

void check_intermediate_axis(const Eigen::Vector3d& omega, double period, double zero1, double zero2) {
  Simulation sim(spinning_body({1, 2, 3}, omega, Integrator::kRk4, 1e-3));
  const Eigen::Vector3d L0 = sim.report().angular_momentum;
  const double E0 = sim.report().kinetic_energy;
  const std::vector<double> zeros = zeros_of_second(sim, zero2 + period * 0.75);
  ASSERT_GE(zeros.size(), 3u);
  // The references have 6 decimals; interpolation between steps adds less.
  EXPECT_NEAR(zeros[0], zero1, 2e-6);
  EXPECT_NEAR(zeros[1], zero2, 2e-6);
  EXPECT_NEAR(zeros[2] - zeros[0], period, 2e-6);
  EXPECT_LT((sim.report().angular_momentum - L0).norm() / L0.norm(), 1e-9);
  EXPECT_LT(std::abs(sim.report().kinetic_energy - E0) / E0, 1e-9);
}

TEST(SpinningBody, B46IntermediateAxis) { check_intermediate_axis({0.01, 5, 0.01}, 10.051858, 2.741068, 7.766997); }
TEST(SpinningBody, B47IntermediateAxis) { check_intermediate_axis({0.1, 1, 0}, 25.510978, 6.377744, 19.133233); }

TEST(SpinningBody, SemiImplicitEulerKeepsAngularMomentumToRounding) {
  Simulation sim(spinning_body({1, 2, 3}, {0.3, 5, 0.2}, Integrator::kSemiImplicitEuler, 1e-2));
  const Eigen::Vector3d L0 = sim.report().angular_momentum;
  for (int i = 0; i < 10000; ++i) sim.step();
  EXPECT_LT((sim.report().angular_momentum - L0).norm() / L0.norm(), 1e-11);
}

// A heavy symmetric top about a fixed point. axis: the symmetry axis, body z.
struct Top {
  double mass = 1, arm = 0.1, radius = 0.1, spin = 200;
  double axial() const { return 0.5 * mass * radius * radius; }
  double transverse() const { return 0.25 * mass * radius * radius + mass * arm * arm; }
};

// Starts the steady precession at rate `precession` and returns the measured rate; checks that the tilt stays.
double measured_precession(const Top& top, double tilt, double precession, double h, double seconds) {
  SceneDescription scene =
      spinning_body({top.transverse(), top.transverse(), top.axial()}, Eigen::Vector3d::Zero(), Integrator::kRk4, h);
  const Eigen::Quaterniond start(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY()));
  const Eigen::Vector3d axis = start * Eigen::Vector3d::UnitZ();
  scene.bodies[0].placement.orientation = start;
  scene.bodies[0].angular_velocity =
      precession * Eigen::Vector3d::UnitZ() + (top.spin - precession * std::cos(tilt)) * axis;
  Simulation sim(scene);
  const BodyId id = sim.find_body("body");
  sim.set_force_callback([&](ForceContext& context) {
    const Eigen::Vector3d a = context.state(id).placement.orientation * Eigen::Vector3d::UnitZ();
    context.add_torque(id, (top.arm * a).cross(Eigen::Vector3d(0, 0, -top.mass * kGravity)));
  });
  double turned = 0, before = std::atan2(axis.y(), axis.x());
  while (sim.time() < seconds) {
    sim.step();
    const Eigen::Vector3d a = sim.state(id).placement.orientation * Eigen::Vector3d::UnitZ();
    const double now = std::atan2(a.y(), a.x());
    turned += std::remainder(now - before, 2 * std::numbers::pi);
    before = now;
    EXPECT_NEAR(std::acos(a.z()), tilt, 1e-5) << "at t = " << sim.time();
    if (::testing::Test::HasFailure()) break;
  }
  return turned / sim.time();
}

TEST(Gyroscope, B48HorizontalAndTiltedSteadyPrecession) {
  EXPECT_NEAR(measured_precession(Top{}, radians(90), 0.981, 1e-3, 2.0), 0.981, 1e-5);
  EXPECT_NEAR(measured_precession(Top{}, radians(60), 0.9870904, 1e-3, 2.0), 0.987090, 1e-5);
  EXPECT_NEAR(measured_precession(Top{}, radians(60), 159.01290957, 1e-4, 0.5), 159.0129, 1e-3);
}

// A planar pendulum: angle from the lowest position; torque = −force·arm·sin(angle).
SceneDescription pendulum(double inertia, double angle, Integrator integrator, double h) {
  SceneDescription scene = empty_scene(2, h);
  scene.gravity.setZero();
  scene.integrator = integrator;
  scene.model.name = "free";
  BodyDescription b;
  b.name = "body";
  b.mass = 1;
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  I(2, 2) = inertia;
  b.inertia = I;
  b.placement.angle = angle;
  scene.bodies = {b};
  return scene;
}

ForceCallback pendulum_torque(BodyId id, double moment) {
  return [=](ForceContext& c) { c.add_torque(id, {0, 0, -moment * std::sin(c.state(id).placement.angle)}); };
}

TEST(Pendulum, B51MasonPendulumUnderThreeIntegrators) {
  // [thompson2003]: a 20 × 5 rectangle of mass 100 pinned 20 from its centre, force 5, dt = 1, started horizontal.
  const double inertia = 100 * (20.0 * 20 + 5 * 5) / 12 + 100 * 20 * 20, moment = 5 * 20;
  struct Row {
    Integrator integrator;
    double energy, tolerance;
  };
  for (const Row& row : {Row{Integrator::kExplicitEuler, 1.3156, 5e-5},
                         Row{Integrator::kSemiImplicitEuler, 0.0068, 5e-5}, Row{Integrator::kRk4, -9.9e-8, 5e-10}}) {
    Simulation sim(pendulum(inertia, -std::numbers::pi / 2, row.integrator, 1.0));
    const BodyId id = sim.find_body("body");
    sim.set_force_callback(pendulum_torque(id, moment));
    for (int i = 0; i < 1000; ++i) sim.step();
    const BodyState s = sim.state(id);
    const double energy =
        0.5 * inertia * s.angular_velocity.z() * s.angular_velocity.z() - moment * std::cos(s.placement.angle);
    EXPECT_NEAR(energy / moment, row.energy, row.tolerance);
  }
}

// The period from two crossings of the lowest point in the same direction.
double period(const SceneDescription& scene, double moment) {
  Simulation sim(scene);
  const BodyId id = sim.find_body("body");
  sim.set_force_callback(pendulum_torque(id, moment));
  std::vector<double> crossings;
  double before = sim.state(id).placement.angle;
  while (crossings.size() < 3) {
    sim.step();
    const double now = sim.state(id).placement.angle;
    if (before < 0 && now >= 0) crossings.push_back(sim.time() - sim.step_size() * now / (now - before));
    before = now;
  }
  return crossings[2] - crossings[1];
}

TEST(Pendulum, B51B52PeriodsAt90Degrees) {
  const double horizontal = -std::numbers::pi / 2;
  const double mason = 100 * (20.0 * 20 + 5 * 5) / 12 + 100 * 20 * 20;
  EXPECT_NEAR(period(pendulum(mason, horizontal, Integrator::kRk4, 0.1), 100), 154.753, 1e-3);
  // A rod of length 1 about its end, and a point at distance 1.
  EXPECT_NEAR(period(pendulum(1.0 / 3, horizontal, Integrator::kRk4, 1e-3), 0.5 * kGravity), 1.933335, 2e-6);
  EXPECT_NEAR(period(pendulum(1.0, horizontal, Integrator::kRk4, 1e-3), kGravity), 2.367842, 2e-6);
  const double small = 2 * std::numbers::pi / std::sqrt(kGravity);
  EXPECT_NEAR(period(pendulum(1.0, horizontal, Integrator::kRk4, 1e-3), kGravity) / small, 1.180341, 2e-6);
}

}  // namespace
}  // namespace touchstone::testing
