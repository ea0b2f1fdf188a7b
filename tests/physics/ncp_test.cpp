// The ncp model against reference values of the validation catalogue, its own discrete trajectories, and `impulse`.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class NcpIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, NcpIn, ::testing::Values(2, 3),
                         [](const auto& i) { return std::to_string(i.param) + "D"; });

SceneDescription with_ncp(SceneDescription scene) {
  scene.model.name = "ncp";
  scene.integrator = Integrator::kSemiImplicitEuler;
  return scene;
}
ShapeDescription block_of(int d, double x, double y) { return d == 2 ? box(x, y) : box(x, x, y); }
// 30 boxes in a loose heap that falls together. Faces on more points than they need make such heaps hard for sweeps:
// `sweeps` is the most that a step may take.
SceneDescription heap(int d, std::int64_t sweeps) {
  SceneDescription s = with_ncp(empty_scene(d, 5e-3));
  s.model.options["max_iterations"] = sweeps;
  s.materials = {material(0.4)};
  s.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 30; ++i) {
    const int row = i / 5, column = i % 5;
    BodyDescription b = body("b" + std::to_string(i), block_of(d, 0.2, 0.2), (0.11 + 0.21 * row) * up(d));
    b.placement.position.x() = 0.23 * column + 0.05 * (row % 3);
    b.placement.angle = 0.05 * (i % 4);
    if (d == 3) b.placement.orientation = Eigen::AngleAxisd(0.05 * (i % 4), Vector3d(1, 2, i % 3).normalized());
    s.bodies.push_back(b);
  }
  return s;
}

// 30 bricks, each on two, in numbers that are exact in binary: all gaps are zero.
SceneDescription wall(int d) {
  SceneDescription s = with_ncp(empty_scene(d, 5e-3));
  s.materials = {material(0.4)};
  s.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 30; ++i) {
    const int row = i / 5;
    s.bodies.push_back(body("b" + std::to_string(i), block_of(d, 0.25, 0.125), (0.0625 + 0.125 * row) * up(d)));
    s.bodies.back().placement.position.x() = 0.28125 * (i % 5) + 0.09375 * (row % 2);
  }
  return s;
}

// The worst over some steps, none of which may fail.
double worst_natural_map(Simulation& sim, int steps) {
  double worst = 0;
  sim.set_yardstick(true);
  for (int i = 0; i < steps; ++i) {
    const StepReport& r = sim.step();
    EXPECT_EQ(r.status, StepStatus::kOk) << "step " << i << ": " << r.iterations << " sweeps";
    EXPECT_LT(r.measures.momentum_error.worst, 1e-10);
    EXPECT_EQ(r.measures.pulling.worst, 0);
    EXPECT_LT(r.measures.cone.worst, 1e-9);
    worst = std::max(worst, r.measures.natural_map_velocity.worst);
  }
  return worst;
}

TEST_P(NcpIn, TheYardstickFindsNothing) {
  Simulation rests(with_ncp(block_on_incline(d_, 0, 0.5, 0).scene));
  EXPECT_LT(worst_natural_map(rests, 100), 1e-9);
  Simulation slides(with_ncp(block_on_incline(d_, 20, 0.5, 2).scene));
  EXPECT_LT(worst_natural_map(slides, 300), 1e-9);
  Simulation bricks(wall(d_));
  EXPECT_LT(worst_natural_map(bricks, 60), 1e-9);
  EXPECT_GT(bricks.contact_count(), 60u);
  EXPECT_LT(bricks.report().measures.penetration.worst, 1e-6);
}

// What cannot be solved in so few sweeps is said, and is small: impulses lie in their cones and explain the motion.
TEST_P(NcpIn, AHeapThatIsCutShortIsReported) {
  SceneDescription scene = heap(d_, 300);
  scene.model.options["solver"] = std::string("nsgs");
  Simulation sim(scene);
  sim.set_yardstick(true);
  int cut = 0;
  for (int i = 0; i < 80; ++i) {
    const StepReport& r = sim.step();
    cut += r.status == StepStatus::kNotConverged;
    EXPECT_EQ(*r.reason == 0, r.status == StepStatus::kOk) << r.reason;
    EXPECT_LT(r.measures.momentum_error.worst, 1e-10);
    EXPECT_EQ(r.measures.pulling.worst, 0);
    EXPECT_LT(r.measures.cone.worst, 1e-9);
    EXPECT_LT(r.measures.natural_map_velocity.worst, 2e-2) << i;
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(sim.contact_count(), 60u);
  EXPECT_LT(sim.report().measures.penetration.worst, 1e-4);
}

// While it falls together. Which steps are hard depends on the last bits, so a few may fail; each says why.
TEST_P(NcpIn, NearlyAllStepsOfAHeapAreSolved) {
  Simulation sim(heap(d_, 20000));
  sim.set_yardstick(true);
  int failed = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport& r = sim.step();
    if (r.status == StepStatus::kOk) {
      EXPECT_LT(r.measures.natural_map_velocity.worst, 1e-9) << i;
      continue;
    }
    ++failed;
    EXPECT_NE(std::string(r.reason).find("Newton"), std::string::npos) << r.reason;
    EXPECT_LT(r.measures.natural_map_velocity.worst, 1e-4) << i;
  }
  EXPECT_LE(failed, 6);  // 18 of them before smoothed laws were measured by their own scale
}

TEST_P(NcpIn, B02StopsWhereTheDiscreteTrajectoryDoes) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 2);
  Simulation sim(with_ncp(incline.scene));
  const BodyId block = sim.find_body("block");
  const Vector3d start = sim.state(block).center_of_mass;
  for (int i = 0; i < 1700; ++i) sim.step();
  const double distance = (sim.state(block).center_of_mass - start).dot(incline.downhill);
  EXPECT_NEAR(distance, 1.594929, 2e-3);
  const double a = kGravity * (std::sin(radians(20)) - 0.5 * std::cos(radians(20)));
  double expected = 0;
  for (double v = 2 + a * 1e-3; v > 0; v += a * 1e-3) expected += 1e-3 * v;
  EXPECT_NEAR(distance, expected, 1e-7);
  EXPECT_LT(sim.state(block).velocity.norm(), 1e-9);
}

TEST(Ncp, B08FrictionKnowsNoAxes) {
  for (const double degrees : {0.0, 15.0, 30.0, 45.0, 77.0}) {
    SceneDescription scene = with_ncp(empty_scene(3));
    scene.materials = {material(0.4)};
    const Vector3d along(std::cos(radians(degrees)), std::sin(radians(degrees)), 0), across(-along.y(), along.x(), 0);
    BodyDescription block = body("block", box(0.4, 0.4, 0.1), {0, 0, 0.05});
    block.velocity = 2 * along;
    scene.bodies = {fixed("floor", half_space({0, 0, 1})), block};
    Simulation sim(scene);
    const BodyId id = sim.find_body("block");
    for (int i = 0; i < 600; ++i) sim.step();
    double expected = 0;
    for (double v = 2 - 0.4 * kGravity * 1e-3; v > 0; v -= 0.4 * kGravity * 1e-3) expected += 1e-3 * v;
    EXPECT_NEAR(sim.state(id).center_of_mass.dot(along), expected, 1e-7);
    EXPECT_NEAR(expected, 4 / (0.8 * kGravity), 2e-3);
    EXPECT_LT(std::abs(sim.state(id).center_of_mass.dot(across)), 1e-8) << degrees;
    EXPECT_LT(sim.state(id).angular_velocity.norm(), 1e-9);
  }
}

// Every contact eight times: impulses are not unique, the motion is.
TEST_P(NcpIn, RedundantContactsChangeNothing) {
  const auto run = [&](int copies) {
    Incline incline = block_on_incline(d_, 15, 0.5, 1.5);
    BodyDescription& block = incline.scene.bodies[1];
    block.mass = 2;
    block.inertia = Vector3d(0.03, 0.04, 0.05).asDiagonal();
    block.center_of_mass = Vector3d::Zero();
    block.shapes.resize(static_cast<std::size_t>(copies), block.shapes[0]);
    Simulation sim(with_ncp(incline.scene));
    for (int i = 0; i < 400; ++i) EXPECT_EQ(sim.step().status, StepStatus::kOk);
    EXPECT_GE(sim.contact_count(), 2u * static_cast<std::size_t>(copies));
    return sim.state(sim.find_body("block"));
  };
  const BodyState once = run(1), often = run(8);
  EXPECT_LT((once.center_of_mass - often.center_of_mass).norm(), 1e-8);
  EXPECT_LT((once.velocity - often.velocity).norm(), 1e-8);
}

// From the same state, one step of each. Balls: one point a pair, so that the answer is unique.
TEST_P(NcpIn, AgreesWithImpulseOnAHeapOfBalls) {
  SceneDescription scene = with_ncp(empty_scene(d_, 2e-3));
  scene.materials = {material(0.3)};
  scene.bodies = {fixed("floor", half_space(up(d_)))};
  for (const double side : {-1.0, 1.0}) {
    const Vector3d n = (-side * Vector3d::UnitX() + 0.5 * up(d_)).normalized();
    scene.bodies.push_back(fixed(side < 0 ? "left" : "right", half_space(n), 0.25 * side * Vector3d::UnitX()));
  }
  for (int i = 0; i < 9; ++i) {
    Vector3d at = (0.1 + 0.19 * (i / 3)) * up(d_) + (0.19 * (i % 3) - 0.19 + 0.03 * (i / 3)) * Vector3d::UnitX();
    if (d_ == 3) at.y() = 0.01 * (i % 2);
    scene.bodies.push_back(body("b" + std::to_string(i), sphere(0.09), at));
  }
  Simulation ncp(scene);
  SceneDescription other = scene;
  other.model.name = "impulse";
  other.model.options["preset"] = std::string("accurate");
  other.model.options["scheme"] = std::string("euler");  // as ncp
  other.model.options["tolerance"] = 1e-7;               // at 1e-6 a ball that rests is left with 1.6e-5 rad/s
  int compared = 0;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 40; ++i) ncp.step();
    Simulation impulse(other);
    Simulation one(scene);  // anew: slips that sticking contacts have gathered belong to a model
    for (int i = 0; i < 9; ++i) {
      const std::string name = "b" + std::to_string(i);
      impulse.set_state(impulse.find_body(name), ncp.state(ncp.find_body(name)));
      one.set_state(one.find_body(name), ncp.state(ncp.find_body(name)));
    }
    one.step();
    impulse.step();
    compared += static_cast<int>(one.contact_count());
    for (int i = 0; i < 9; ++i) {
      const std::string name = "b" + std::to_string(i);
      const BodyState x = one.state(one.find_body(name)), y = impulse.state(impulse.find_body(name));
      EXPECT_LT((x.velocity - y.velocity).norm(), 1e-6) << name << " in round " << round;
      EXPECT_LT((x.angular_velocity - y.angular_velocity).norm(), 1e-5)
          << name << " in round " << round << ": " << x.angular_velocity.transpose() << " and "
          << y.angular_velocity.transpose();
    }
  }
  EXPECT_GT(compared, 60);
}

TEST_P(NcpIn, OverlapsArePushedApartWithoutSpeed) {
  SceneDescription scene = with_ncp(empty_scene(d_));
  scene.gravity.setZero();
  scene.bodies = {body("a", block_of(d_, 0.2, 0.2)), body("b", block_of(d_, 0.2, 0.2), 0.19 * up(d_))};
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 100; ++i) {
    sim.step();
    EXPECT_LT(sim.report().kinetic_energy, 1e-20);
  }
  EXPECT_LT(sim.report().measures.penetration.worst, 2e-7);
}

}  // namespace
}  // namespace touchstone::testing
