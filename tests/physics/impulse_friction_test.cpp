// The impulse model against the validation catalogue: sliding blocks. 0.5 % at h = 1 ms, or as stated.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseFrictionIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseFrictionIn, ::testing::Values(2, 3), dimension_name);

Incline impulse_incline(int d, double degrees, double friction, double speed) {
  Incline out = block_on_incline(d, degrees, friction, speed);
  use_impulse(out.scene);
  return out;
}

// Runs until the block rests on the slope, at most for `longest` seconds, and checks way and time.
void check_stop(const std::string& name, const Incline& incline, double longest, double distance, double time,
                double part) {
  Simulation sim(incline.scene);
  const BodyId block = sim.find_body("block");
  const Eigen::Vector3d start = sim.state(block).center_of_mass;
  while (sim.time() < longest && sim.state(block).velocity.dot(incline.downhill) > 1e-6) {
    sim.step();
    ASSERT_EQ(sim.report().status, StepStatus::kOk);
  }
  ASSERT_LT(sim.time(), longest);
  check_relative(name + "_distance", (sim.state(block).center_of_mass - start).dot(incline.downhill), distance, part);
  check_relative(name + "_time", sim.time(), time, part);
}

TEST_P(ImpulseFrictionIn, B01BlockSticksBelowTheFrictionAngleAndSlipsAbove) {
  const double threshold = 26.5651;  // atan 0.5
  const Incline below = impulse_incline(d, threshold - 0.1, 0.5, 0);
  Simulation sim(below.scene);
  const BodyId block = sim.find_body("block");
  const Eigen::Vector3d start = sim.state(block).center_of_mass;
  run(sim, 10);
  check("B01_creep_um", (sim.state(block).center_of_mass - start).norm() * 1e6, 0, 1);
  const Eigen::Vector3d later = sim.state(block).center_of_mass;
  run(sim, 2);
  check("creep_nm_per_s", (sim.state(block).center_of_mass - later).norm() * 1e9 / 2, 0, 1);

  const Incline above = impulse_incline(d, threshold + 0.1, 0.5, 0);
  Simulation slips(above.scene);
  run(slips, 10);
  const double a = kGravity * (std::sin(radians(threshold + 0.1)) - 0.5 * std::cos(radians(threshold + 0.1)));
  check_relative("B01_slips", slips.state(slips.find_body("block")).center_of_mass.dot(above.downhill), 50 * a);
}

TEST_P(ImpulseFrictionIn, B02StopsOn20Degrees) {
  check_stop("B02", impulse_incline(d, 20, 0.5, 2), 5, 1.594929, 1.594929, 0.005);
}
TEST_P(ImpulseFrictionIn, B03StopsOn10Degrees) {
  check_stop("B03", impulse_incline(d, 10, 0.3, 3), 5, 3.766319, 2.510879, 0.005);
}
TEST_P(ImpulseFrictionIn, B04StopsNearTheThreshold) {
  check_stop("B04", impulse_incline(d, 26, 0.49, 1), 60, 25.0098, 50.020, 0.02);
}

TEST_P(ImpulseFrictionIn, B05SlidesFromRest) {
  const Incline incline = impulse_incline(d, 30, 0.3, 0);
  Simulation sim(incline.scene);
  run(sim, 2);
  const BodyState s = sim.state(sim.find_body("block"));
  check_relative("B05_distance", s.center_of_mass.dot(incline.downhill), 4.712574);
  check_relative("B05_acceleration", s.velocity.dot(incline.downhill) / 2, 2.356287);
}

// The load on the leading and the trailing lower edge of a block that slides to the right.
struct Shares {
  double front = 0, rear = 0;
};
Shares shares(const Simulation& sim) {
  Shares out;
  const double middle = sim.state(sim.find_body("block")).center_of_mass.x();
  for (std::size_t i = 0; i < sim.contact_count(); ++i) {
    const ContactReport c = sim.contact(i);
    (c.point.x() > middle ? out.front : out.rear) += c.impulse.dot(c.normal);
  }
  return out;
}

TEST_P(ImpulseFrictionIn, B06LoadsOfASlidingBlock) {
  SceneDescription scene = impulse_floor(d, material(0.5), 0.01);
  BodyDescription block = body("block", plate(d, 1, 0.5, 0.4), 0.25 * up(d));
  block.mass = 1;
  block.velocity = {1, 0, 0};
  scene.bodies.push_back(block);
  Simulation sim(scene);
  sim.step();
  // One solve of an iterative method: 1e-6.
  check_relative("B06_deceleration", (1 - sim.state(sim.find_body("block")).velocity.x()) / 0.01, 4.905, 1e-6);
  const Shares s = shares(sim);
  check_relative("B06_front", s.front, 0.0613125, 1e-6);
  check_relative("B06_rear", s.rear, 0.0367875, 1e-6);
}

TEST_P(ImpulseFrictionIn, B07LoadsOfASlidingBox) {
  SceneDescription scene = impulse_floor(d, material(0.4));
  BodyDescription block = body("block", plate(d, 0.5, 0.3, 0.4), 0.15 * up(d));
  block.mass = 1;
  block.velocity = {2, 0, 0};
  scene.bodies.push_back(block);
  Simulation sim(scene);
  run(sim, 0.1);  // not only in the first step
  const double weight = kGravity * 1e-3;
  check_relative("B07_front", shares(sim).front / weight, 0.62, 1e-6);
  check_relative("B07_rear", shares(sim).rear / weight, 0.38, 1e-6);
}

TEST(ImpulseFriction, B08SlidesAlikeInAllDirections) {
  const double speed = 2, friction = 0.4, distance = speed * speed / (2 * friction * kGravity);
  for (const double degrees : {0.0, 15.0, 30.0, 45.0}) {
    SceneDescription scene = impulse_floor(3, material(friction));
    BodyDescription block = body("block", box(0.4, 0.3, 0.2), {0, 0, 0.1});
    const Eigen::Vector3d along(std::cos(radians(degrees)), std::sin(radians(degrees)), 0);
    block.velocity = speed * along;
    scene.bodies.push_back(block);
    Simulation sim(scene);
    run(sim, 1);
    const Eigen::Vector3d end = sim.state(sim.find_body("block")).center_of_mass;
    const std::string name = "B08_at_" + std::to_string(static_cast<int>(degrees));
    check_relative(name, end.dot(along), distance);
    // Half the diagonal of the plane is crossed by the same forces on both sides: rounding and the solver only.
    check(name + "_aside_um", end.dot(Eigen::Vector3d(-along.y(), along.x(), 0)) * 1e6, 0, 1);
    EXPECT_LT(sim.state(sim.find_body("block")).velocity.norm(), 1e-9);
  }
}

// Two boards on each other; the floor is smooth and the lower one is pulled.
struct Boards {
  double upper, lower;  // accelerations
};
Boards pull(int d, double force) {
  SceneDescription scene = impulse_floor(d, material(0));
  MaterialDescription rough = material(0);
  rough.name = "rough";
  scene.materials.push_back(rough);
  scene.material_pairs = {{"rough", "rough", 0.4, 0.4, 0}};
  BodyDescription lower = body("lower", plate(d, 2, 0.1, 0.5), 0.05 * up(d));
  BodyDescription upper = body("upper", plate(d, 0.4, 0.1, 0.3), 0.15 * up(d));
  lower.mass = 2, upper.mass = 1;
  lower.material = upper.material = "rough";
  scene.bodies.push_back(lower);
  scene.bodies.push_back(upper);
  SteadyForceDescription f;
  f.body = "lower", f.force = {force, 0, 0};
  scene.forces = {f};
  Simulation sim(scene);
  run(sim, 0.3);
  return {sim.state(sim.find_body("upper")).velocity.x() / 0.3, sim.state(sim.find_body("lower")).velocity.x() / 0.3};
}

TEST_P(ImpulseFrictionIn, B35BoardsPulledApart) {
  const Boards together = pull(d, 0.99 * 11.772), apart = pull(d, 1.01 * 11.772), fast = pull(d, 20);
  check_relative("B35_together", together.lower, 0.99 * 11.772 / 3);
  EXPECT_NEAR(together.upper, together.lower, 1e-6);
  check_relative("B35_slips_upper", apart.upper, 3.924);
  EXPECT_GT(apart.lower - apart.upper, 0.01);  // ½·(1.01·11.772 − 3.924) − 3.924 = 0.0589 m/s²
  check_relative("B35_a1", fast.upper, 3.924);
  check_relative("B35_a2", fast.lower, 8.038);
}

TEST_P(ImpulseFrictionIn, B36BlockOnAWedge) {
  SceneDescription scene = impulse_floor(d, material(0));
  const double slope = radians(30), height = 2 * std::tan(slope);
  BodyDescription wedge = body("wedge", prism(d, {{0, 0}, {2, 0}, {0, height}}, 0.5));
  wedge.mass = 3;
  BodyDescription block = body("block", plate(d, 0.2, 0.1, 0.3));
  block.mass = 1;
  const Eigen::Vector3d downhill = in_plane(d, std::cos(slope), -std::sin(slope)),
                        normal = in_plane(d, std::sin(slope), std::cos(slope));
  block.placement = turned(d, -slope, in_plane(d, 0, height) + 0.5 * downhill + 0.05 * normal);
  scene.bodies.push_back(wedge);
  scene.bodies.push_back(block);
  Simulation sim(scene);
  const BodyId w = sim.find_body("wedge"), b = sim.find_body("block");
  run(sim, 0.4);
  check_relative("B36_A", -sim.state(w).velocity.x() / 0.4, 1.307032);
  check_relative("B36_relative", (sim.state(b).velocity - sim.state(w).velocity).norm() / 0.4, 6.036923);
  check_relative("B36_N", sim.pair_impulse(w, b).norm() / 1e-3, 7.842193);
}

// What people run: the default preset at 60 steps a second.
TEST_P(ImpulseFrictionIn, ABlockDoesNotCreepInTheDefaultPreset) {
  Incline incline = block_on_incline(d, 26.5651 - 0.1, 0.5, 0, 1.0 / 60);
  use_impulse(incline.scene, "default");
  Simulation sim(incline.scene);
  const BodyId block = sim.find_body("block");
  run(sim, 2);
  const Eigen::Vector3d settled = sim.state(block).center_of_mass;
  run(sim, 10);
  check("creep_nm_per_s", (sim.state(block).center_of_mass - settled).norm() * 1e9 / 10, 0, 100);
}

// Friction that grows with the slip. On a slope of angle α a block comes to slide at the speed where
// μ·cos α·v/√(v² + s²) = sin α: v = s·q/√(1 − q²) with q = tan α/μ.
TEST_P(ImpulseFrictionIn, ABlockCreepsWhereFrictionGrowsWithTheSlip) {
  for (const double friction : {0.3, 0.5, 2.0}) {
    Incline incline = block_on_incline(d, 10, friction, 0);
    use_impulse(incline.scene);
    incline.scene.model.options["slip_speed"] = 0.01;
    Simulation sim(incline.scene);
    run(sim, 0.5);
    const double q = std::tan(radians(10)) / friction;
    check_relative("creep_speed", sim.state(sim.find_body("block")).velocity.dot(incline.downhill),
                   0.01 * q / std::sqrt(1 - q * q), 1e-6);
    EXPECT_EQ(sim.report().status, StepStatus::kOk);
  }
}

}  // namespace
}  // namespace touchstone::testing
