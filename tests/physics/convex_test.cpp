// The convex model against reference values, against `ncp` where both must agree, and where its theory is another.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class ConvexModelIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ConvexModelIn, ::testing::Values(2, 3), dimension_name);

SceneDescription with(SceneDescription scene, const std::string& model = "convex", const std::string& form = "") {
  scene.model.name = model;
  if (!form.empty()) scene.model.options["form"] = form;
  scene.integrator = Integrator::kSemiImplicitEuler;
  return scene;
}
ShapeDescription block_of(int d, double x, double y) { return d == 2 ? box(x, y) : box(x, x, y); }
void steps(Simulation& sim, int n) {
  for (int i = 0; i < n; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << "step " << i << ", " << r.iterations << " Newton steps";
  }
}

TEST_P(ConvexModelIn, FreeFallIsThatOfTheScheme) {
  SceneDescription scene = with(empty_scene(d_));
  scene.bodies = {body("ball", sphere(0.1), 10 * up(d_))};
  Simulation sim(scene);
  steps(sim, 1000);
  check("height", sim.state(sim.find_body("ball")).center_of_mass.dot(up(d_)), 10 - 0.5 * kGravity * 1.001, 1e-9);
}

TEST_P(ConvexModelIn, ASmallStackStands) {
  SceneDescription scene = with(empty_scene(d_, 2e-3));
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("floor", half_space(up(d_)))};
  for (int i = 0; i < 4; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), block_of(d_, 0.2, 0.2), (0.1 + 0.2 * i) * up(d_)));
  Simulation sim(scene);
  sim.set_yardstick(true);
  steps(sim, 200);
  for (int i = 0; i < 4; ++i) {
    const BodyState s = sim.state(sim.find_body("b" + std::to_string(i)));
    EXPECT_LT((s.center_of_mass - (0.1 + 0.2 * i) * up(d_)).norm(), 1e-5) << i;
    EXPECT_LT(s.velocity.norm(), 1e-6) << i;
  }
  EXPECT_LT(sim.report().measures.penetration.worst, 1e-6);
  EXPECT_EQ(sim.report().measures.pulling.worst, 0);
  EXPECT_LT(sim.report().measures.cone.worst, 1e-9);
  EXPECT_LT(sim.report().measures.momentum_error.worst, 1e-10);
}

// Frictionless: one answer in all theories. Sticking: the same.
TEST_P(ConvexModelIn, AgreesWithNcpWhereBothMustAgree) {
  const auto compare = [&](const SceneDescription& scene, int n, double tolerance) {
    Simulation a(with(scene)), b(with(scene, "ncp"));
    steps(a, n), steps(b, n);
    for (const BodyDescription& x : scene.bodies) {
      const BodyState s = a.state(a.find_body(x.name)), t = b.state(b.find_body(x.name));
      EXPECT_LT((s.velocity - t.velocity).norm(), tolerance) << x.name;
      EXPECT_LT((s.angular_velocity - t.angular_velocity).norm(), 10 * tolerance) << x.name;
    }
  };
  SceneDescription smooth = empty_scene(d_, 2e-3);
  smooth.materials = {material(0, 0.5)};
  smooth.bodies = {fixed("floor", half_space(up(d_)))};
  for (int i = 0; i < 6; ++i) {
    smooth.bodies.push_back(body("b" + std::to_string(i), sphere(0.1), (0.1 + 0.25 * (i / 2)) * up(d_)));
    smooth.bodies.back().placement.position.x() = 0.22 * (i % 2) + 0.03 * (i / 2);
  }
  compare(smooth, 100, 1e-6);
  compare(block_on_incline(d_, 20, 0.5, 0).scene, 200, 1e-7);
  SceneDescription shaken = empty_scene(d_, 2e-3);  // a block and one on top that stick to a floor while pushed
  shaken.materials = {material(0.6)};
  shaken.bodies = {fixed("floor", half_space(up(d_))), body("low", block_of(d_, 0.4, 0.1), 0.05 * up(d_)),
                   body("high", block_of(d_, 0.2, 0.1), 0.15 * up(d_))};
  shaken.gravity += 0.4 * kGravity * Vector3d::UnitX();
  compare(shaken, 100, 1e-6);
}

// The printed bound on the norm of normal impulses forbids a block to brake: pitfall 6 of the source.
TEST_P(ConvexModelIn, PrintedBlocksSlideOn) {
  SceneDescription scene = empty_scene(d_);
  scene.materials = {material(0.5)};
  BodyDescription block = body("block", d_ == 2 ? box(1, 0.5) : box(1, 1, 0.5), 0.25 * up(d_));
  block.velocity = {2, 0, 0};
  scene.bodies = {fixed("floor", half_space(up(d_))), block};
  const auto braking = [&](const std::string& form) {
    Simulation sim(with(scene, "convex", form));
    for (int i = 0; i < 20; ++i) sim.step();
    return (2 - sim.state(sim.find_body("block")).velocity.x()) / 0.02;
  };
  check("corrected", braking("corrected"), 0.5 * kGravity, 1e-3);
  check("printed", braking("printed"), 0, 0.05);
}

// Where friction presses a contact harder, the sum of normal impulses may not follow: Painlevé's rod (B63) slides
// where Coulomb's law stops it in an impact.
TEST_P(ConvexModelIn, B63PainlevesRodSlides) {
  const double a = radians(60);
  const auto run = [&](const std::string& model) {
    SceneDescription scene = empty_scene(d_);
    scene.materials = {material(2)};
    BodyDescription rod = body("rod", sphere(0.001));
    set_inertia(rod, 1, 1.0 / 3);
    rod.center_of_mass = Vector3d::Zero();
    rod.shapes[0].placement.position = -std::cos(a) * Vector3d::UnitX() - std::sin(a) * up(d_);
    rod.placement.position = (std::sin(a) + 0.001) * up(d_);
    rod.velocity = -Vector3d::UnitX();
    scene.bodies = {fixed("floor", half_space(up(d_))), rod};
    Simulation sim(with(scene, model));
    sim.step();
    return sim.state(sim.find_body("rod"));
  };
  const BodyState coulomb = run("ncp"), convex = run("convex");
  check("ncp stops the tip", coulomb.velocity.x(), -0.5625, 1e-2);
  EXPECT_LT(convex.velocity.x(), -0.95);
  EXPECT_GT(convex.velocity.x(), -1.0001);
}

// A hundred boxes in one place touch in tens of thousands of points, whose dense matrices nobody can hold.
TEST(ConvexModel, RefusesAnIslandTooLargeForDenseMatrices) {
  SceneDescription scene = with(empty_scene(3));
  scene.bodies = {body("free", sphere(0.1), {5, 0, 5})};
  for (int i = 0; i < 100; ++i) scene.bodies.push_back(body("b" + std::to_string(i), box(1, 1, 1)));
  Simulation sim(scene);
  const std::uint64_t before = sim.state_hash();
  try {
    sim.step();
    FAIL() << "the step should have failed";
  } catch (const Error& e) {
    const std::string text = e.what();
    EXPECT_EQ(e.kind(), ErrorKind::kUnstable);
    EXPECT_NE(text.find("contacts hang together"), std::string::npos) << text;
    EXPECT_NE(text.find("the bound is 4 GiB"), std::string::npos) << text;
    EXPECT_NE(text.find("'impulse'"), std::string::npos) << text;
  }
  EXPECT_EQ(sim.state_hash(), before);
  EXPECT_EQ(sim.step_count(), 0);
}

}  // namespace
}  // namespace touchstone::testing
