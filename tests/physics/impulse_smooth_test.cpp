// The impulse model: smooth bodies that touch away from their centre of mass. The centre of curvature moves with the
// material; only the way from there to the point of contact keeps its direction.
#include <gtest/gtest.h>

#include <array>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseSmoothIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseSmoothIn, ::testing::Values(2, 3), dimension_name);

// The greatest distance between floor and body at the end of a step, up or down, while there is one contact.
double worst_gap(const SceneDescription& scene, double seconds) {
  Simulation sim(scene);
  const BodyId floor = sim.find_body("floor"), id = sim.find_body("body");
  double worst = 0;
  for (auto n = std::llround(seconds / scene.step); n > 0; --n) {
    sim.step();
    EXPECT_EQ(sim.contact_count(), 1u);
    worst = std::max(worst, std::abs(sim.closest_points(floor, id)->gap));
  }
  return worst;
}

// A rod of 1 m on its lower end, 30° off the vertical: it falls over. If its whole arm were taken for one that does not
// turn, it would be off by half of 0.5 m·(ωh)², which is millimetres.
SceneDescription falling_rod(int d, double friction, double h) {
  SceneDescription scene = impulse_floor(d, material(friction), h);
  BodyDescription rod = body("body", capsule(0.02, 1));
  rod.placement = turned(d, radians(30), (0.02 + 0.5 * std::cos(radians(30))) * up(d));
  scene.bodies.push_back(rod);
  return scene;
}

TEST_P(ImpulseSmoothIn, ARodFallsOverOnItsEnd) {
  for (const double friction : {0.0, 0.3}) {
    const double rough = worst_gap(falling_rod(d, friction, 0.02), 0.3),
                 fine = worst_gap(falling_rod(d, friction, 1e-3), 0.3);
    check("rod_gap_um", 1e6 * rough, 0, 1);
    check("rod_gap_um_fine", 1e6 * fine, 0, 1);
  }
}

TEST_P(ImpulseSmoothIn, OneContactTakesTwoSweepsAtMost) {
  SceneDescription scene = falling_rod(d, 0, 0.04);
  scene.model.options["scheme"] = "euler";  // the other one has two solves a step
  Simulation sim(scene);
  for (int i = 0; i < 8; ++i) {
    sim.step();
    EXPECT_EQ(sim.contact_count(), 1u);
    EXPECT_LE(sim.report().iterations, 2) << "step " << i + 1;
  }
}

// A ball whose centre of mass is a = 0.04 m off its middle rolls to and fro. Lagrange's equation for the angle θ:
// (I + m·(R² + a² − 2·R·a·cos θ))·θ'' + m·R·a·sin θ·θ'² + m·g·a·sin θ = 0.
constexpr double kRadius = 0.1, kOff = 0.04, kInertia = 0.003;
double rocked(double angle, double seconds) {
  const auto rate = [](const std::array<double, 2>& y) {
    const double s = std::sin(y[0]), c = std::cos(y[0]);
    const double inertia = kInertia + kRadius * kRadius + kOff * kOff - 2 * kRadius * kOff * c;
    return std::array<double, 2>{y[1], -kOff * s * (kRadius * y[1] * y[1] + kGravity) / inertia};
  };
  const auto add = [](const std::array<double, 2>& y, double f, const std::array<double, 2>& k) {
    return std::array<double, 2>{y[0] + f * k[0], y[1] + f * k[1]};
  };
  std::array<double, 2> y{angle, 0};
  constexpr int kSteps = 20000;
  const double h = seconds / kSteps;
  for (int i = 0; i < kSteps; ++i) {  // Runge and Kutta's method of fourth order
    const auto k1 = rate(y), k2 = rate(add(y, h / 2, k1)), k3 = rate(add(y, h / 2, k2)), k4 = rate(add(y, h, k3));
    for (std::size_t j = 0; j < 2; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return y[0];
}

double rocked_by_contact(int d, double angle, double seconds, double h) {
  SceneDescription scene = impulse_floor(d, material(2), h);
  BodyDescription ball = body("body", sphere(kRadius));
  set_inertia(ball, 1, kInertia);
  ball.center_of_mass = -kOff * up(d);
  ball.placement = turned(d, angle, kRadius * up(d));
  scene.bodies.push_back(ball);
  Simulation sim(scene);
  run(sim, seconds);
  return turn_of(d, sim.state(sim.find_body("body")));
}

TEST_P(ImpulseSmoothIn, ALoadedBallRocksAtSecondOrder) {
  const double angle = 1, seconds = 2, exact = rocked(angle, seconds);
  const double coarse = rocked_by_contact(d, angle, seconds, 4e-3) - exact,
               fine = rocked_by_contact(d, angle, seconds, 2e-3) - exact;
  check("loaded_ball_angle", exact + fine, exact, 0.005);
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2, 0.2) << "errors " << coarse << " and " << fine;
}

// An ellipsoid that spins and tumbles on a smooth floor: its curvature is taken to be that of the start of the step, so
// that what is left of the gap falls with the third power of the step.
double tumbling_gap(int d, double h) {
  SceneDescription scene = impulse_floor(d, material(0), h);
  ShapeDescription shape;
  shape.kind = ShapeKind::kEllipsoid;
  shape.size = d == 2 ? Eigen::Vector3d(0.2, 0.15, 0) : Eigen::Vector3d(0.2, 0.17, 0.15);
  BodyDescription b = body("body", shape, 0.15 * up(d));
  b.angular_velocity = 3 * turn_axis(d);
  if (d == 3) b.angular_velocity += Eigen::Vector3d(1, 0, 0);
  scene.bodies.push_back(b);
  return worst_gap(scene, 0.6);
}

TEST_P(ImpulseSmoothIn, AnEllipsoidTumblesOnAFloor) {
  const double coarse = tumbling_gap(d, 8e-3), fine = tumbling_gap(d, 4e-3);
  check("ellipsoid_gap_um", 1e6 * tumbling_gap(d, 1e-3), 0, 1);
  EXPECT_GT(std::log2(coarse / fine), 2.5) << "gaps " << coarse << " and " << fine;
}

}  // namespace
}  // namespace touchstone::testing
