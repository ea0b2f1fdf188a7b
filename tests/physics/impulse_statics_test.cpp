// The impulse model against the validation catalogue: what stands, and what falls just beyond. h = 1 ms, accurate.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseStaticsIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseStaticsIn, ::testing::Values(2, 3), dimension_name);

constexpr double kStands = 1e-5, kFalls = 1e-2;  // [m]: has moved less, more

// How far the body that moved most has come.
double moved(const SceneDescription& scene, double seconds) {
  Simulation sim(scene);
  std::vector<Eigen::Vector3d> start;
  for (const BodyId b : sim.bodies()) start.push_back(sim.state(b).center_of_mass);
  run(sim, seconds);
  double most = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    most = std::max(most, (sim.state(sim.bodies()[i]).center_of_mass - start[i]).norm());
  return most;
}

SceneDescription ladder(int d, double degrees, double floor_friction, double wall_friction) {
  SceneDescription scene = impulse_scene(d);
  for (const char* name : {"default", "floor", "wall"}) {
    scene.materials.push_back(material(0));
    scene.materials.back().name = name;
  }
  scene.material_pairs = {{"default", "floor", floor_friction, floor_friction, 0},
                          {"default", "wall", wall_friction, wall_friction, 0}};
  const double length = 4, r = 1e-3, a = radians(degrees);  // thin: the catalogue's has no thickness
  BodyDescription floor = fixed("floor", half_space(up(d))), wall = fixed("wall", half_space({-1, 0, 0}));
  floor.material = "floor", wall.material = "wall";
  BodyDescription rod = body("rod", capsule(r, length));
  set_inertia(rod, 10, 10 * length * length / 12);
  rod.placement =
      turned(d, a - 0.5 * M_PI, in_plane(d, -0.5 * length * std::cos(a) - r, 0.5 * length * std::sin(a) + r));
  scene.bodies = {floor, wall, rod};
  return scene;
}

TEST_P(ImpulseStaticsIn, B25Ladder) {
  check("B25_smooth_stands", moved(ladder(d, 51.3402 + 0.3, 0.4, 0), 3), 0, kStands);
  EXPECT_GT(moved(ladder(d, 51.3402 - 0.3, 0.4, 0), 3), kFalls);
  check("B25_rough_stands", moved(ladder(d, 47.7263 + 0.3, 0.4, 0.3), 3), 0, kStands);
  EXPECT_GT(moved(ladder(d, 47.7263 - 0.3, 0.4, 0.3), 3), kFalls);
}

// A box on a slope that falls to the right; whether it moves, and whether it turns.
struct Fate {
  double way, tilt;
};
Fate on_slope(int d, double width, double height, double degrees, double friction) {
  SceneDescription scene = impulse_floor(d, material(friction), 1e-3, degrees);
  scene.bodies.push_back(body("box", plate(d, width, height, 0.4), 0.5 * height * up(d)));
  Simulation sim(scene);
  run(sim, 3);
  const BodyState s = sim.state(sim.find_body("box"));
  return {(s.center_of_mass - 0.5 * height * up(d)).norm(), std::abs(turn_of(d, s))};
}

TEST_P(ImpulseStaticsIn, B26BoxTipsOrSlides) {
  const Fate stands = on_slope(d, 0.4, 1, 21.8014 - 0.1, 0.6), tips = on_slope(d, 0.4, 1, 21.8014 + 0.1, 0.6);
  check("B26_stands", stands.way, 0, kStands);
  EXPECT_GT(tips.tilt, 0.1);
  const Fate sticks = on_slope(d, 0.4, 1, 16.6992 - 0.1, 0.3), slides = on_slope(d, 0.4, 1, 16.6992 + 0.1, 0.3);
  check("B26_sticks", sticks.way, 0, kStands);
  EXPECT_GT(slides.way, kFalls);
  EXPECT_LT(slides.tilt, 1e-6);
}

// Pushed a little harder than friction holds. The box is as high as twice the critical height, so that what is more
// than friction hardly turns it.
Fate pushed(int d, double at) {
  SceneDescription scene = impulse_floor(d, material(0.6));
  const double height = 2 * 0.416667;
  BodyDescription b = body("box", plate(d, 0.5, height, 0.4), 0.5 * height * up(d));
  b.mass = 1;
  scene.bodies.push_back(b);
  SteadyForceDescription push;
  push.body = "box", push.force = {1.01 * 0.6 * kGravity, 0, 0};
  push.point = in_plane(d, 0, at - 0.5 * height);
  scene.forces = {push};
  Simulation sim(scene);
  run(sim, 1.5);
  const BodyState s = sim.state(sim.find_body("box"));
  return {s.center_of_mass.x(), std::abs(turn_of(d, s))};
}

TEST_P(ImpulseStaticsIn, B27PushedBoxSlidesOrTips) {
  const Fate low = pushed(d, 0.416667 - 0.005), high = pushed(d, 0.416667 + 0.005);
  EXPECT_GT(low.way, kFalls);
  check("B27_low_tilt", low.tilt, 0, 1e-6);
  EXPECT_GT(high.tilt, 0.1);
}

// Round bodies of radius 0.1 on the floor and one on top of them.
SceneDescription pyramid(int d, double between, double floor) {
  SceneDescription scene = impulse_scene(d);
  const double r = 0.1;
  for (const char* name : {"default", "floor"}) {
    scene.materials.push_back(material(between));
    scene.materials.back().name = name;
  }
  scene.material_pairs = {{"default", "floor", floor, floor, 0}};
  scene.bodies = {fixed("floor", half_space(up(d)))};
  scene.bodies[0].material = "floor";
  if (d == 2) {
    scene.bodies.push_back(body("left", sphere(r), {-r, r, 0}));
    scene.bodies.push_back(body("right", sphere(r), {r, r, 0}));
    scene.bodies.push_back(body("top", sphere(r), {0, r + std::sqrt(3.0) * r, 0}));
  } else {
    for (int i = 0; i < 3; ++i) {
      const double a = 2 * M_PI * i / 3, away = 2 * r / std::sqrt(3.0);
      scene.bodies.push_back(body("b" + std::to_string(i), sphere(r), {away * std::cos(a), away * std::sin(a), r}));
    }
    scene.bodies.push_back(body("top", sphere(r), {0, 0, r + 2 * r * std::sqrt(2.0 / 3)}));
  }
  return scene;
}

TEST_P(ImpulseStaticsIn, B28B29PyramidsNeedBothFrictions) {
  const double between = d == 2 ? 0.267949 : 0.317837, floor = d == 2 ? 0.089316 : 0.079459;
  check(d == 2 ? "B28_stands" : "B29_stands", moved(pyramid(d, 1.02 * between, 1.02 * floor), 3), 0, kStands);
  EXPECT_GT(moved(pyramid(d, 0.98 * between, 1.02 * floor), 3), kFalls);
  EXPECT_GT(moved(pyramid(d, 1.02 * between, 0.98 * floor), 3), kFalls);
}

TEST_P(ImpulseStaticsIn, B34HeavyOnLight) {
  SceneDescription scene = impulse_floor(d, material(0.5));
  scene.bodies.push_back(body("light", plate(d, 0.2, 0.2, 0.2), 0.1 * up(d)));
  scene.bodies.push_back(body("heavy", plate(d, 0.2, 0.2, 0.2), 0.3 * up(d)));
  scene.bodies[1].mass = 1, scene.bodies[2].mass = 1000;
  Simulation sim(scene);
  std::int64_t most = 0;
  for (int i = 0; i < 100; ++i) {
    sim.step();
    ASSERT_EQ(sim.report().status, StepStatus::kOk);
    most = std::max(most, sim.report().iterations);
    const double n = sim.pair_impulse(sim.find_body("floor"), sim.find_body("light")).dot(up(d)) / 1e-3;
    ASSERT_NEAR(n, 9819.81, 1e-3 * 9819.81) << "step " << i;
    if (i == 99) check_relative("B34_N", n, 9819.81, 1e-3);
  }
  RecordProperty("B34_iterations_of_the_worst_step", std::to_string(most));
}

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
