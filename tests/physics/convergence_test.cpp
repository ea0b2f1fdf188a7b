// Observed orders of the integrators, on motion that uses every term: a tumbling, translating body on a spring with
// drag.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

SceneDescription sprung_body(int dimension, Integrator integrator, double h) {
  SceneDescription scene = empty_scene(dimension, h);
  scene.integrator = integrator;
  scene.model.name = "free";
  BodyDescription b = body("body", dimension == 2 ? box(0.5, 0.3) : box(0.5, 0.3, 0.2));
  b.mass = 2;
  b.velocity = {1, 0.5, dimension == 2 ? 0 : -0.3};
  b.angular_velocity = dimension == 2 ? Eigen::Vector3d(0, 0, 3) : Eigen::Vector3d(3, 4, -2);
  b.linear_drag = 0.1;
  b.angular_drag = 0.01;
  SpringDescription spring;
  spring.body_b = "body";
  spring.point_a = {0, 1, 0};
  spring.point_b = {0.25, 0.1, 0};
  spring.stiffness = 40;
  spring.damping = 0.2;
  spring.rest_length = 0.8;
  scene.bodies = {b};
  scene.springs = {spring};
  return scene;
}

Eigen::VectorXd state_after(const SceneDescription& scene, double seconds) {
  Simulation sim(scene);
  const auto steps = static_cast<int>(std::lround(seconds / scene.step));
  for (int i = 0; i < steps; ++i) sim.step();
  const BodyState s = sim.state(sim.find_body("body"));
  Eigen::VectorXd out(13);
  out << s.center_of_mass, s.velocity, s.angular_velocity, s.placement.orientation.coeffs();
  return out;
}

class Order : public ::testing::TestWithParam<std::tuple<int, Integrator, double>> {};
INSTANTIATE_TEST_SUITE_P(Integrators, Order,
                         ::testing::Values(std::tuple(2, Integrator::kExplicitEuler, 1.0),
                                           std::tuple(3, Integrator::kExplicitEuler, 1.0),
                                           std::tuple(2, Integrator::kSemiImplicitEuler, 1.0),
                                           std::tuple(3, Integrator::kSemiImplicitEuler, 1.0),
                                           std::tuple(2, Integrator::kRk4, 4.0), std::tuple(3, Integrator::kRk4, 4.0)));

TEST_P(Order, IsWhatTheMethodPromises) {
  const auto [dimension, integrator, order] = GetParam();
  const Eigen::VectorXd exact = state_after(sprung_body(dimension, Integrator::kRk4, 1.0 / 4096), 1.0);
  const double h = order > 2 ? 1.0 / 256 : 1.0 / 1024;
  const double coarse = (state_after(sprung_body(dimension, integrator, h), 1.0) - exact).norm();
  const double fine = (state_after(sprung_body(dimension, integrator, h / 2), 1.0) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << "errors " << coarse << " and " << fine;
}

TEST(EnergyBalance, ClosesAtTheIntegratorsOrder) {
  // Kinetic + potential energy less all work is the integrator's error alone: with RK4 it is nearly nothing.
  Simulation sim(sprung_body(3, Integrator::kRk4, 1e-3));
  while (sim.time() < 2) sim.step();
  EXPECT_LT(sim.report().drag_work, -0.1);
  EXPECT_LT(std::abs(sim.report().energy_balance), 1e-7);
}

TEST(EnergyBalance, CountsTheWorkOfAppliedForces) {
  SceneDescription scene = empty_scene(3, 1e-3);
  scene.gravity.setZero();
  scene.model.name = "free";
  BodyDescription b = body("body", sphere(0.5));
  b.mass = 2;
  scene.bodies = {b};
  Simulation sim(scene);
  const BodyId id = sim.find_body("body");
  for (int i = 0; i < 1000; ++i) {
    sim.apply_force(id, {3, 0, 0});
    sim.step();
  }
  // v = F·t/m = 1.5 m/s, so W = ½·2·1.5² = 2.25 J.
  EXPECT_NEAR(sim.state(id).velocity.x(), 1.5, 1e-12);
  EXPECT_NEAR(sim.report().external_work, 2.25, 1e-10);
  EXPECT_NEAR(sim.report().energy_balance, 0, 1e-10);
  sim.step();  // the force was for one step only
  EXPECT_NEAR(sim.state(id).velocity.x(), 1.5, 1e-12);
}

}  // namespace
}  // namespace touchstone::testing
