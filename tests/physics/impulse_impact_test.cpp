// The impulse model against the validation catalogue: collisions. One solve to 1e-6, or as stated.
#include <gtest/gtest.h>

#include <random>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseImpactIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseImpactIn, ::testing::Values(2, 3), dimension_name);

constexpr double kOneSolve = 1e-6;

// Free balls in a row that touch, the first k of which come with speed 1: the last k leave with it.
void check_row(int d, int k, double apart) {
  SceneDescription scene = impulse_scene(d);
  scene.gravity.setZero();
  scene.materials = {material(0.3, 1)};
  for (int i = 0; i < 5; ++i) {
    scene.bodies.push_back(body("ball" + std::to_string(i), sphere(0.1), {(0.2 + apart) * i, 0, 0}));
    if (i < k) scene.bodies.back().velocity = {1, 0, 0};
  }
  Simulation sim(scene);
  for (int i = 0; i < 100; ++i) {
    sim.step();
    ASSERT_EQ(sim.report().status, StepStatus::kOk) << "step " << i;
  }
  for (int i = 0; i < 5; ++i)
    check("B13_k" + std::to_string(k) + "_v" + std::to_string(i), sim.state(sim.bodies()[i]).velocity.x(),
          i < 5 - k ? 0 : 1, 1e-9);
}

TEST_P(ImpulseImpactIn, B13TheLastBallsOfARowLeave) {
  for (const double apart : {0.0, 1e-4})
    for (const int k : {1, 2, 3}) check_row(d, k, apart);
}

TEST_P(ImpulseImpactIn, B14BallBouncesToTheRightHeights) {
  SceneDescription scene = impulse_floor(d, material(0.5, 0.8));
  scene.bodies.push_back(body("ball", sphere(0.1), 1.1 * up(d)));
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  std::vector<double> heights;
  double before = -1;  // velocity
  while (sim.time() < 4 && heights.size() < 4) {
    sim.step();
    const BodyState s = sim.state(ball);
    const double v = s.velocity.dot(up(d));
    if (before > 0 && v <= 0) heights.push_back(s.center_of_mass.dot(up(d)) - 0.1);
    before = v;
  }
  ASSERT_EQ(heights.size(), 4u);
  const double expected[] = {0.64, 0.4096, 0.262144, 0.167772};
  for (std::size_t i = 0; i < 4; ++i)
    check_relative("B14_bounce" + std::to_string(i + 1), heights[i], expected[i], 0.01);
}

// A thin rod of length 1 and mass 1 whose lower end meets the floor with speed 1.
void check_rod(const std::string& name, int d, double degrees, double restitution, double impulse, double velocity,
               double turning) {
  SceneDescription scene = impulse_floor(d, material(0, restitution));
  scene.gravity.setZero();
  const double r = 0.01;
  BodyDescription rod = body("rod", capsule(r, 1));
  set_inertia(rod, 1, 1.0 / 12);
  // A capsule stands upright in its frame.
  rod.placement = turned(d, radians(degrees - 90), in_plane(d, 0, 0.5 * std::sin(radians(degrees)) + r));
  rod.velocity = -1.0 * up(d);
  scene.bodies.push_back(rod);
  Simulation sim(scene);
  sim.step();
  const BodyState s = sim.state(sim.find_body("rod"));
  check_relative(name + "_J", sim.body_impulse(sim.find_body("rod")).dot(up(d)), impulse, kOneSolve);
  check_relative(name + "_vG", s.velocity.dot(up(d)), velocity, kOneSolve);
  check_relative(name + "_omega", std::abs(s.angular_velocity.dot(turn_axis(d))), turning, kOneSolve);
}

TEST_P(ImpulseImpactIn, B15RodAt30Degrees) { check_rod("B15", d, 30, 0.5, 0.46153846, -0.53846154, 2.39822369); }
TEST_P(ImpulseImpactIn, B16RodAt45Degrees) { check_rod("B16", d, 45, 1, 0.8, -0.2, 3.39411255); }

// A ball of radius 0.1 that meets the floor; `inertia` in units of m·R².
struct Ball {
  double inertia, friction, restitution, vx, vy, omega;
};
BodyState bounce(int d, const Ball& b) {
  SceneDescription scene = impulse_floor(d, material(b.friction, b.restitution));
  scene.gravity.setZero();
  BodyDescription ball = body("ball", sphere(0.1), 0.1 * up(d));
  set_inertia(ball, 1, b.inertia * 0.01);
  ball.velocity = in_plane(d, b.vx, b.vy);
  ball.angular_velocity = b.omega * turn_axis(d);
  scene.bodies.push_back(ball);
  Simulation sim(scene);
  sim.step();
  return sim.state(sim.find_body("ball"));
}
void check_bounce(const std::string& name, int d, const Ball& b, double vx, double omega) {
  const BodyState s = bounce(d, b);
  check(name + "_vx", s.velocity.x(), vx, kOneSolve);
  check(name + "_omega", s.angular_velocity.dot(turn_axis(d)), omega, 10 * kOneSolve);
  EXPECT_NEAR(s.velocity.dot(up(d)), -b.restitution * b.vy, kOneSolve);
}

TEST_P(ImpulseImpactIn, B19SphereBouncesWithFriction) {
  check_bounce("B19_stick", d, {0.4, 0.3, 0.8, 2, -4, 0}, 10.0 / 7, -100.0 / 7);
  check_bounce("B19_slip", d, {0.4, 0.05, 0.8, 2, -4, 0}, 1.64, -9.0);
}
TEST_P(ImpulseImpactIn, B20SphereBouncesWithBackspin) {
  check_bounce("B20_stick", d, {0.4, 0.6, 0.7, 1, -3, 60}, -1.0, 10);
  check_bounce("B20_slip", d, {0.4, 0.2, 0.7, 1, -3, 60}, -0.02, 34.5);
}
TEST_P(ImpulseImpactIn, B21DiskOnACushion) {
  const double v = std::sqrt(0.5);
  const BodyState s = bounce(d, {0.5, 0.2, 0.9, v, -v, 0});
  check("B21_vt", s.velocity.x(), v * 2 / 3, kOneSolve);
  check("B21_vn", s.velocity.dot(up(d)), 0.9 * v, kOneSolve);
  check("B21_omegaR", 0.1 * s.angular_velocity.norm(), v * 2 / 3, kOneSolve);
}

// A block that turns about one lower edge comes down on the other [Housner 1963]: one solve, without gravity.
// One step, not only one solve: the edge is to be on the floor at its end, to which the turn within it adds about
// ωh/20.
TEST_P(ImpulseImpactIn, B23RockingBlock) {
  for (const auto& [width, expected] : {std::pair(0.2, 0.94230769), std::pair(0.5, 0.7)}) {
    SceneDescription scene = impulse_floor(d, material(5));
    scene.gravity.setZero();
    BodyDescription block = body("block", plate(d, width, 1, 0.3), 0.5 * up(d));
    block.angular_velocity = -1.0 * turn_axis(d);  // clockwise about the left edge
    block.velocity = in_plane(d, 0.5, -0.5 * width);
    scene.bodies.push_back(block);
    Simulation sim(scene);
    sim.step();
    check_relative("B23_width_" + std::to_string(width).substr(0, 3),
                   -sim.state(sim.find_body("block")).angular_velocity.dot(turn_axis(d)), expected);
  }
}

// The same from a fall, at h = 0.1 ms: just before and just after.
TEST_P(ImpulseImpactIn, B23RockingBlockComesDown) {
  SceneDescription scene = impulse_floor(d, material(5), 1e-4);
  const double tilt = 0.1, width = 0.5;
  BodyDescription block = body("block", plate(d, width, 1, 0.3));
  // Turned counter-clockwise about its left lower edge, which is at the origin.
  block.placement = turned(d, tilt,
                           in_plane(d, 0.5 * width * std::cos(tilt) - 0.5 * std::sin(tilt),
                                    0.5 * width * std::sin(tilt) + 0.5 * std::cos(tilt)));
  scene.bodies.push_back(block);
  Simulation sim(scene);
  const BodyId id = sim.find_body("block");
  const auto turning = [&] { return -sim.state(id).angular_velocity.dot(turn_axis(d)); };
  double before = 0, after = 0;
  while (turn_of(d, sim.state(id)) > 1e-3) sim.step();
  while (sim.time() < 1 && turning() >= before) before = turning(), sim.step();
  for (int i = 0; i < 3; ++i) sim.step();  // a gap is closed in one step, and turned around in the next
  after = turning();
  check_relative("B23_falling", after / before, 0.7);
}

// A wheel without a rim is a polygon to the floor. Slope by gravity, friction enough not to slip. h = 0.25 ms: an
// impact takes two steps, in which gravity goes on.
TEST_P(ImpulseImpactIn, B24RimlessWheel) {
  SceneDescription scene = impulse_floor(d, material(3), 2.5e-4, 0.08 * 180 / M_PI);
  std::vector<Eigen::Vector2d> spokes;
  for (int i = 0; i < 8; ++i) spokes.push_back({std::cos((i + 0.5) * M_PI / 4), std::sin((i + 0.5) * M_PI / 4)});
  BodyDescription wheel = body("wheel", prism(d, spokes, 0.5), std::cos(M_PI / 8) * up(d));
  set_inertia(wheel, 1, 0.01);
  wheel.angular_velocity = -1.3 * turn_axis(d);
  wheel.velocity = 1.3 * in_plane(d, std::cos(M_PI / 8), std::sin(M_PI / 8));  // about the right lower corner
  scene.bodies.push_back(wheel);
  Simulation sim(scene);
  const BodyId id = sim.find_body("wheel");
  double before = 1.3, last = 0;
  int impacts = 0;
  bool falling = false;
  while (sim.time() < 20) {
    sim.step();
    const double now = -sim.state(id).angular_velocity.dot(turn_axis(d));
    const bool drops = now - before < -0.005;  // gravity changes it by 0.001 a step
    if (falling && !drops) last = before, ++impacts;
    falling = drops, before = now;
  }
  EXPECT_GT(impacts, 10);
  check_relative("B24_omega", last, 1.09902, 0.01);
}

// Bodies of all kinds that fly into each other in empty space. Those that neither bounce nor slip become one, and what
// they slip is taken back by moving them, which is no impact: without restitution there is no friction here.
TEST_P(ImpulseImpactIn, FreeBodiesKeepTheirMomentum) {
  for (const double restitution : {0.0, 0.6}) {
    SceneDescription scene = impulse_scene(d);
    scene.gravity.setZero();
    scene.materials = {material(restitution > 0 ? 0.4 : 0.0, restitution)};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    double scale = 0;
    for (int i = 0; i < 12; ++i) {
      const ShapeDescription shape = i % 3 == 0   ? sphere(0.15)
                                     : i % 3 == 1 ? plate(d, 0.3, 0.2, 0.25)
                                                  : capsule(0.08, 0.2);
      const double a = 2 * M_PI * i / 12;
      BodyDescription b = body("b" + std::to_string(i), shape, in_plane(d, std::cos(a), std::sin(a)));
      b.velocity = -in_plane(d, std::cos(a), std::sin(a)) + 0.3 * in_plane(d, unit(random), unit(random));
      b.angular_velocity = 3 * unit(random) * turn_axis(d);
      b.mass = 1 + 0.5 * unit(random);
      scale += *b.mass * b.velocity.norm();
      scene.bodies.push_back(b);
    }
    Simulation sim(scene);
    double worst_linear = 0, worst_angular = 0;
    std::int64_t met = 0;
    Eigen::Vector3d p = sim.report().momentum, l = sim.report().angular_momentum;
    for (int i = 0; i < 2000; ++i) {
      const StepReport& r = sim.step();
      worst_linear = std::max(worst_linear, (r.momentum - p).norm() / scale);
      if (r.max_penetration == 0) worst_angular = std::max(worst_angular, (r.angular_momentum - l).norm() / scale);
      p = r.momentum, l = r.angular_momentum;
      met += r.contacts;
    }
    EXPECT_GT(met, 20);
    check("momentum_change_e12", worst_linear * 1e12, 0, 1);
    check("angular_momentum_change_e12", worst_angular * 1e12, 0, 1);
  }
}

}  // namespace
}  // namespace touchstone::testing
