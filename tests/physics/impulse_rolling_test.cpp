// The impulse model against the validation catalogue: balls, cylinders and hoops that roll. 0.5 % at h = 1 ms, or as
// stated.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseRollingIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseRollingIn, ::testing::Values(2, 3), dimension_name);

// A round body of mass 1 and radius 0.1 on a floor; `inertia` in units of m·R².
SceneDescription round_body(int d, double friction, double inertia, double speed, double degrees = 0) {
  SceneDescription scene = impulse_floor(d, material(friction), 1e-3, degrees);
  BodyDescription ball = body("ball", sphere(0.1), 0.1 * up(d));
  set_inertia(ball, 1, inertia * 0.01);
  ball.velocity = {speed, 0, 0};
  scene.bodies.push_back(ball);
  return scene;
}

double slip_of(const Simulation& sim, int d) {
  const BodyState s = sim.state(sim.find_body("ball"));
  return s.velocity.x() + 0.1 * s.angular_velocity.dot(turn_axis(d));
}

void check_slide_to_roll(const std::string& name, const SceneDescription& scene, double speed, double time,
                         double distance) {
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  double rolls_at = 0, way = 0;
  while (sim.time() < 2) {
    sim.step();
    ASSERT_EQ(sim.report().status, StepStatus::kOk);
    if (rolls_at == 0 && slip_of(sim, scene.dimension) < 1e-3)
      rolls_at = sim.time(), way = sim.state(ball).center_of_mass.x();
  }
  check_relative(name + "_time", rolls_at, time);
  if (distance > 0) check_relative(name + "_distance", way, distance);
  check_relative(name + "_speed", sim.state(ball).velocity.x(), speed);
  EXPECT_NEAR(slip_of(sim, scene.dimension), 0, 1e-9);  // rolling goes on without slip
}

TEST_P(ImpulseRollingIn, B09SphereSlidesThenRolls) {
  check_slide_to_roll("B09", round_body(d, 0.2, 0.4, 5), 25.0 / 7, 0.728120, 3.120514);
}
TEST_P(ImpulseRollingIn, B10CylinderAndHoopSlideThenRoll) {
  check_slide_to_roll("B10_cylinder", round_body(d, 0.2, 0.5, 5), 10.0 / 3, 0.849473, 0);
  check_slide_to_roll("B10_hoop", round_body(d, 0.2, 1.0, 5), 2.5, 1.274210, 0);
}

// The same with a true cylinder, which lies on a line of contact.
TEST(ImpulseRolling, B10CylinderOnItsSide) {
  SceneDescription scene = impulse_floor(3, material(0.2));
  BodyDescription ball = body("ball", cylinder(0.1, 0.3), {0, 0, 0.1});
  ball.placement.orientation = Eigen::AngleAxisd(radians(90), Eigen::Vector3d::UnitX());
  ball.velocity = {5, 0, 0};
  scene.bodies.push_back(ball);
  check_slide_to_roll("B10_cylinder", scene, 10.0 / 3, 0.849473, 0);
}

TEST_P(ImpulseRollingIn, B11RollsDownASlopeAboveALeastFriction) {
  struct Row {
    const char* name;
    double inertia, acceleration, friction;
  };
  for (const Row& row : {Row{"sphere", 0.4, 1.813582, 0.076557}, Row{"cylinder", 0.5, 1.692677, 0.089316},
                         Row{"hoop", 1, 1.269507, 0.133975}, Row{"shell", 2.0 / 3, 1.523409, 0.107180}}) {
    Simulation rolls(round_body(d, 1.02 * row.friction, row.inertia, 0, 15));
    Simulation slips(round_body(d, 0.98 * row.friction, row.inertia, 0, 15));
    run(rolls, 1);
    run(slips, 1);
    check_relative(std::string("B11_") + row.name, rolls.state(rolls.find_body("ball")).velocity.x(), row.acceleration);
    EXPECT_NEAR(slip_of(rolls, d), 0, 1e-9) << row.name;
    // The slip grows by 0.02·g·sin 15° a second.
    check_relative(std::string("B11_slip_") + row.name, slip_of(slips, d), 0.02 * kGravity * std::sin(radians(15)));
  }
}

TEST_P(ImpulseRollingIn, B12SlippingSphereOn45Degrees) {
  Simulation sim(round_body(d, 0.1, 0.4, 0, 45));
  run(sim, 1);
  const BodyState s = sim.state(sim.find_body("ball"));
  check_relative("B12_a", s.velocity.x(), 6.243046);
  check_relative("B12_alpha", -s.angular_velocity.dot(turn_axis(d)), 17.34179);
}

TEST(ImpulseRolling, B50SphereOnATurntable) {
  SceneDescription scene = impulse_scene(3);
  scene.materials = {material(1)};
  BodyDescription table = body("table", box(6, 6, 0.2), {0, 0, -0.1});
  table.kind = BodyKind::kKinematic;
  table.motion.emplace();
  table.motion->angular_velocity = {0, 0, 2};
  const double r = 0.1;
  BodyDescription ball = body("ball", sphere(r), {0.5, 0, r});
  ball.velocity = {0, 0.2, 0};
  // It rolls: v − r·(ω×z) = Ω×x at the point of contact.
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ(), skin = 2 * z.cross(ball.placement.position);
  ball.angular_velocity = z.cross(Eigen::Vector3d(ball.velocity - skin)) / r;
  scene.bodies = {table, ball};
  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  const Eigen::Vector3d start = sim.state(id).center_of_mass;
  double turned = 0, period = 0, before = std::atan2(0.2, 0.0), farthest = 0;
  while (period == 0 && sim.time() < 15) {
    sim.step();
    const BodyState s = sim.state(id);
    const double now = std::atan2(s.velocity.y(), s.velocity.x()), step = std::remainder(now - before, 2 * M_PI);
    if (std::abs(turned + step) >= 2 * M_PI) period = sim.time();
    turned += step, before = now;
    farthest = std::max(farthest, (s.center_of_mass - start).norm());
  }
  check_relative("B50_period", period, 10.995574, 0.01);
  check_relative("B50_diameter", farthest, 2 * 0.2 / (4.0 / 7), 0.01);
  check("B50_returns_to", (sim.state(id).center_of_mass - start).norm(), 0, 0.01 * 0.7);
}

// A small ball on top of a large one that is held: the angle at which it leaves.
double leaving_angle(int d, double friction, double inertia) {
  SceneDescription scene = impulse_scene(d);
  scene.materials = {material(friction)};
  const double start = radians(1);
  BodyDescription ball = body("ball", sphere(0.1), in_plane(d, 1.1 * std::sin(start), 1.1 * std::cos(start)));
  set_inertia(ball, 1, inertia * 0.01);
  scene.bodies = {fixed("dome", sphere(1)), ball};
  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  double angle = 0;
  Eigen::Vector3d p = ball.placement.position;
  while (p.norm() < 1.1 + 1e-3 && sim.time() < 10) {  // a step without load is no farewell yet: it may touch again
    sim.step();
    p = sim.state(id).center_of_mass;
    if (sim.contact_count() > 0) angle = std::atan2(p.x(), p.dot(up(d)));
  }
  return angle * 180 / M_PI;
}

TEST_P(ImpulseRollingIn, B61BallLeavesADome) {
  check("B61_frictionless", leaving_angle(d, 0, 0.4), 48.1897, 0.5);
  check("B61_rolling", leaving_angle(d, 1000, 0.4), 53.9681, 0.5);  // friction enough not to slip to the end
}

}  // namespace
}  // namespace touchstone::testing
