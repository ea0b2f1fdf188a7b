// What must hold for every velocity-level and acceleration-level model with pyramids or convex programs: friction that
// sticks does not creep, and what overlaps is moved apart without speed.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

struct Case {
  const char* name;
  const char* model;
  Options options;
  double creep;  // allowed [m/s]
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Sticking : public ::testing::TestWithParam<std::tuple<Case, int>> {
 protected:
  const Case case_ = std::get<0>(GetParam());
  const int d_ = std::get<1>(GetParam());
  SceneDescription with(SceneDescription scene) const {
    scene.model.name = case_.model;
    scene.model.options = case_.options;
    scene.integrator = Integrator::kSemiImplicitEuler;
    return scene;
  }
};
const Case kCases[] = {{"lcp", "lcp", {}, 1e-6},
                       {"baraff", "lcp", {{"level", "acceleration"}}, 1e-6},
                       {"ode", "lcp", {{"level", "acceleration"}, {"regularisation", 1e-8}}, 1e-6},
                       {"convex", "convex", {}, 1e-7},
                       {"ncp", "ncp", {}, 1e-9}};
INSTANTIATE_TEST_SUITE_P(Models, Sticking, ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Values(2, 3)),
                         [](const auto& i) {
                           return std::string(std::get<0>(i.param).name) + std::to_string(std::get<1>(i.param)) + "D";
                         });

// Of a body over `steps`: how far it got over how long, and how fast it was at worst, after a tenth of them.
struct Creep {
  double mean = 0, worst = 0;
  int missed = 0;
};
Creep creep_of(Simulation& sim, const std::string& name, int steps) {
  Creep out;
  const BodyId id = sim.find_body(name);
  for (int i = 0; i < steps / 10; ++i) sim.step();
  const Vector3d start = sim.state(id).center_of_mass;
  for (int i = 0; i < steps; ++i) {
    out.missed += sim.step().status != StepStatus::kOk;
    out.worst = std::max(out.worst, sim.state(id).velocity.norm());
  }
  out.mean = (sim.state(id).center_of_mass - start).norm() / (steps * sim.step_size());
  return out;
}

TEST_P(Sticking, ABlockOnASlopeBelowTheLimit) {
  Simulation sim(with(block_on_incline(d_, 26, 0.5, 0).scene));
  const Creep c = creep_of(sim, "block", 1000);
  check("mean", c.mean, 0, case_.creep);
  check("worst", c.worst, 0, case_.creep);
  EXPECT_EQ(c.missed, 0);
}

// Two jaws on sliders squeeze a block of 1 kg by motors of 15 N: friction 2·0.5·15 N holds 9.81 N.
SceneDescription gripped(int d) {
  SceneDescription scene = empty_scene(d);
  scene.materials = {material(0.5)};
  BodyDescription block = body("block", plate(d, 0.2, 0.2, 0.2));
  block.mass = 1;
  scene.bodies = {block};
  for (const double side : {-1.0, 1.0}) {
    BodyDescription jaw = body(side < 0 ? "left" : "right", plate(d, 0.1, 0.3, 0.3), 0.15 * side * Vector3d::UnitX());
    jaw.mass = 0.5;
    scene.bodies.push_back(jaw);
    JointDescription slider;
    slider.kind = JointKind::kSlider;
    slider.body_b = jaw.name;
    slider.axis = -side * Vector3d::UnitX();
    slider.motor_speed = 1;
    slider.motor_max_force = 15;
    scene.joints.push_back(slider);
  }
  return scene;
}
// B31 with a load that swings: a bar of 0.0577 kg is pinched 0.08 m above its middle between two balls, and swings
// about the line through them. Velocities that are zero at the start of each step would let it slip by h·ω²·r/2 in a
// second: 0.36 mm/s at 3 rad/s.
SceneDescription pinched_bar(double h) {
  SceneDescription scene = empty_scene(3, h);
  scene.materials = {material(0.5)};
  BodyDescription bar = body("bar", box(0.02, 0.04, 0.2), {0, 0, -0.08});
  bar.mass = 0.0577;
  bar.angular_velocity = {3, 0, 0};
  bar.velocity = {0, 3 * 0.08, 0};
  scene.bodies = {bar};
  for (const double side : {-1.0, 1.0}) {
    BodyDescription tip = body(side < 0 ? "left" : "right", sphere(0.01), 0.02 * side * Vector3d::UnitX());
    tip.mass = 0.05;
    scene.bodies.push_back(tip);
    JointDescription slider;
    slider.kind = JointKind::kSlider;
    slider.body_b = tip.name;
    slider.axis = -side * Vector3d::UnitX();
    slider.motor_speed = 1;
    slider.motor_max_force = 2;  // 0.57 N hold it at rest
    scene.joints.push_back(slider);
  }
  return scene;
}
TEST_P(Sticking, B31APinchedBarSwingsWhereItIsHeld) {
  if (d_ == 2) return;  // it swings about the line between the fingers: 3D
  Simulation sim(with(pinched_bar(1e-3)));
  const BodyId bar = sim.find_body("bar");
  const auto held = [&] {
    const BodyState s = sim.state(bar);
    return Vector3d(s.placement.position + s.placement.orientation * Vector3d(0, 0, 0.08));
  };
  run(sim, 0.5);
  const Vector3d start = held();
  double far = 0, swing = 0;
  while (sim.time() < 5.5) {
    sim.step();
    far = std::max(far, (held() - start).norm());
    swing = std::max(swing, std::abs(sim.state(bar).angular_velocity.x()));
  }
  EXPECT_GT(swing, 2.0);  // it does swing
  check("slipped_m", (held() - start).norm(), 0, 5e-6);
  EXPECT_LT(far, 1e-5);
}

TEST_P(Sticking, AGrippedBlock) {
  Simulation sim(with(gripped(d_)));
  const Creep c = creep_of(sim, "block", 500);
  check("mean", c.mean, 0, case_.creep);
  check("worst", c.worst, 0, case_.creep);
  EXPECT_EQ(c.missed, 0);
}
TEST_P(Sticking, ABlockHeldTooWeaklyFalls) {
  SceneDescription scene = gripped(d_);
  for (JointDescription& j : scene.joints) j.motor_max_force = 5;
  Simulation sim(with(scene));
  for (int i = 0; i < 100; ++i) sim.step();
  // 9.81 − 2·0.5·5 = 4.81 m/s² less the grip.
  const double v = sim.state(sim.find_body("block")).velocity.dot(up(d_));
  check("falls", v, -0.481, 1e-2);
}

TEST_P(Sticking, OverlapsArePushedApartWithoutSpeed) {
  SceneDescription scene = empty_scene(d_);
  scene.gravity.setZero();
  scene.materials = {material(0.5)};
  scene.bodies = {body("a", plate(d_, 0.2, 0.2, 0.2)), body("b", plate(d_, 0.2, 0.2, 0.2), 0.19 * up(d_)),
                  body("c", plate(d_, 0.2, 0.2, 0.2), in_plane(d_, 0.12, 0.375))};
  Simulation sim(with(scene));
  sim.set_yardstick(true);
  double energy = 0;
  for (int i = 0; i < 200; ++i) energy = std::max(energy, sim.step().kinetic_energy);
  check("kinetic energy", energy, 0, 1e-18);
  EXPECT_LT(sim.report().measures.penetration.worst, 2e-7);
}

// Two hinged bars that swing for 2 s, started level: joints stay closed and no energy is made.
TEST_P(Sticking, JointsDoNotDriftAndMakeNoEnergy) {
  SceneDescription scene = empty_scene(d_);
  for (int i = 0; i < 2; ++i) {
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d_, 1, 0.1, 0.1), (0.5 + i) * Vector3d::UnitX()));
    JointDescription j;
    j.kind = JointKind::kHinge;
    j.body_b = "b" + std::to_string(i);
    if (i) j.body_a = "b0";
    j.point = i * Vector3d::UnitX();
    if (d_ == 3) j.axis = Vector3d::UnitY();
    scene.joints.push_back(j);
  }
  Simulation sim(with(scene));
  sim.set_yardstick(true);
  sim.step();
  const double start = sim.report().energy(), mass = d_ == 2 ? 100 : 10, swing = mass * kGravity * 2;
  double open = 0, gain = 0;
  for (int i = 0; i < 2000; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << i << ": " << r.reason;
    open = std::max(open, r.measures.joint_position.worst);
    gain = std::max(gain, (r.energy() - start) / swing);
  }
  check("open", open, 0, 1e-6);
  // That of the integrator, which swings about the right energy: 0.13 % under every model here.
  check("gain", gain, 0, 0.002);
}

}  // namespace
}  // namespace touchstone::testing
