// The impulse model against the validation catalogue: a ball on a turntable and one on a dome. Rolling on floors and
// slopes is in tests/conformance.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseRollingIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseRollingIn, ::testing::Values(2, 3), dimension_name);

// A plank that lies on driven rollers goes along at the speed of their rims: none of it is slip.
TEST_P(ImpulseRollingIn, DrivenRollersCarryAPlank) {
  for (const char* preset : {"accurate", "default"}) {
    SceneDescription scene = impulse_scene(d, 0.01, preset);
    scene.materials = {material(0.5)};
    const double r = 0.5, speed = 1;
    const std::vector<Eigen::Vector3d> at =
        d == 2 ? std::vector<Eigen::Vector3d>{{0, -r, 0}, {1.2, -r, 0}}
               : std::vector<Eigen::Vector3d>{{0, 0, -r}, {1.2, 0, -r}, {0.6, 1.2, -r}};
    for (const Eigen::Vector3d& p : at) {
      BodyDescription roller = body("roller" + std::to_string(scene.bodies.size()), sphere(r), p);
      roller.kind = BodyKind::kKinematic;
      roller.motion.emplace();
      roller.motion->angular_velocity = d == 2 ? Eigen::Vector3d(0, 0, -speed / r) : Eigen::Vector3d(0, speed / r, 0);
      scene.bodies.push_back(roller);
    }
    BodyDescription plank = body("plank", d == 2 ? box(4, 0.1) : box(4, 3, 0.1),
                                 d == 2 ? Eigen::Vector3d(0.4, 0.05, 0) : Eigen::Vector3d(0.4, 0.4, 0.05));
    plank.velocity = {speed, 0, 0};
    scene.bodies.push_back(plank);
    Simulation sim(scene);
    while (sim.time() < 0.5 - 1e-9) sim.step();
    EXPECT_NEAR(sim.state(sim.find_body("plank")).center_of_mass.x(), 0.9, 1e-5) << preset;
    EXPECT_NEAR(sim.state(sim.find_body("plank")).velocity.x(), speed, 1e-5) << preset;
  }
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
