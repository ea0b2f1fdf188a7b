// The impulse model against the validation catalogue: a block that topples. What stands, and what falls just beyond, is
// in tests/conformance.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseStaticsIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseStaticsIn, ::testing::Values(2, 3), dimension_name);

// A block 0.2 by 1 that turns clockwise about its right lower edge at the origin, from an angle (0: upright).
SceneDescription toppling(int d, double angle, double turning, double friction = 10, double h = 1e-3) {
  SceneDescription scene = impulse_floor(d, material(friction), h);
  BodyDescription b = body("block", plate(d, 0.2, 1, 0.3));
  const Eigen::Vector2d arm = Eigen::Rotation2Dd(-angle) * Eigen::Vector2d(-0.1, 0.5);
  b.placement = turned(d, -angle, in_plane(d, arm.x(), arm.y()));
  b.angular_velocity = -turning * turn_axis(d);
  b.velocity = turning * in_plane(d, arm.y(), -arm.x());
  scene.bodies.push_back(b);
  return scene;
}

// With R from the edge to the centre, θ the centre's angle from the vertical and I = m·(0.2² + 1²)/3 = 4/3·m·R² about
// the edge: θ'' = a·sin θ with a = 3g/(4R), and θ'² = 2a·(c₀ − c), where c = cos θ. It is flat at θ = 90° − atan 0.2.
// The force on the edge is m times the acceleration of the centre, plus the weight, in weights:
//   load N = 1/4 + 9/4·c² − 3/2·c₀·c, friction T = sin θ·(9/4·c − 3/2·c₀).
// At c = c₀/3 the load is down to sin²(1°)/4 = 7.6e-5, while the friction is 0.7. So "no slip" takes μ > 9300; with
// μ = 1 the edge slips by 9 mm, and the block comes down with 4.63 rad/s. And the load of a step, which is off by
// T·ω·h/2 (half of the step's impulse acts before the motion and half after it), must not vanish: h < 5e-5 s or so.
TEST_P(ImpulseStaticsIn, B58BlockTopples) {
  const double R = std::sqrt(0.26), a = 0.75 * kGravity / R, start = radians(1), balance = std::atan(0.2);
  const double flat = 0.5 * M_PI - balance, omega = std::sqrt(2 * a * (std::cos(start) - std::cos(flat)));
  double theta = start, rate = 0, time = 0;
  const double tiny = 1e-6;
  while (theta < flat) {  // leapfrog
    rate += 0.5 * tiny * a * std::sin(theta);
    theta += tiny * rate;
    rate += 0.5 * tiny * a * std::sin(theta);
    time += tiny;
  }
  EXPECT_NEAR(omega, 4.816065, 1e-6);  // the catalogue's
  EXPECT_NEAR(time, 1.342377, 2 * tiny);

  Simulation sim(toppling(d, balance + start, 0, 1e5, 4e-5));
  const BodyId id = sim.find_body("block");
  double before = 0, slip = 0;
  while (sim.time() < 3 && turn_of(d, sim.state(id)) > -0.5 * M_PI + 1e-5) {
    const BodyState s = sim.state(id);
    before = -s.angular_velocity.dot(turn_axis(d));
    const Eigen::Vector2d edge = Eigen::Rotation2Dd(turn_of(d, s)) * Eigen::Vector2d(0.1, -0.5);
    slip = std::max(slip, (s.center_of_mass + in_plane(d, edge.x(), edge.y())).norm());
    sim.step();
  }
  check_relative("B58_time", sim.time(), time, 0.01);
  check_relative("B58_omega", before, omega, 0.01);
  check("B58_edge_moved_um", 1e6 * slip, 0, 1);
}

TEST_P(ImpulseStaticsIn, B58LeastTurningFromUpright) {
  for (const double part : {0.99, 1.01}) {
    Simulation sim(toppling(d, 0, part * 0.748607));
    run(sim, 3);
    const double end = std::abs(turn_of(d, sim.state(sim.find_body("block"))));
    if (part < 1)
      EXPECT_LT(end, 0.2);
    else
      EXPECT_NEAR(end, 0.5 * M_PI, 1e-3);
  }
}

}  // namespace
}  // namespace touchstone::testing
