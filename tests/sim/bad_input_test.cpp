// What a world refuses, and how it says so.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// The message of the error that making this scene gives; fails if there is none.
std::string refusal(const SceneDescription& scene, ErrorKind kind = ErrorKind::kBadInput) {
  try {
    Simulation sim(scene);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "the scene was accepted";
  return "";
}
void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

SceneDescription with(const BodyDescription& b, int dimension = 3) {
  SceneDescription scene = empty_scene(dimension);
  scene.bodies = {b};
  return scene;
}

TEST(BadInput, ScenesThatMakeNoSense) {
  SceneDescription scene = empty_scene(3);
  scene.dimension = 4;
  expect_says(refusal(scene), "dimension is 4");
  for (const double h : {0.0, -1.0, kNaN, kInfinity}) {
    scene = empty_scene(3, h);
    expect_says(refusal(scene), "step is");
  }
  scene = empty_scene(3);
  scene.model.name = "penaltie";
  expect_says(refusal(scene), "did you mean 'penalty'");
  scene = empty_scene(3);
  scene.model = {"penalty", {{"stifness", 1e5}}};
  expect_says(refusal(scene), "did you mean 'stiffness'");
  scene = empty_scene(3);
  scene.model = {"penalty", {{"stiffness", -1.0}}};
  expect_says(refusal(scene), "stiffness");
  scene = empty_scene(3);
  scene.model.name = "penalty";
  scene.integrator = Integrator::kExplicitEuler;
  expect_says(refusal(scene, ErrorKind::kUnsupported), "semi_implicit_euler or rk4");
  scene = empty_scene(3);
  scene.table = TableDescription{};
  expect_says(refusal(scene), "2D");
}

TEST(BadInput, BodiesThatCannotBe) {
  BodyDescription b = body("ball", sphere(0.1));
  for (const double mass : {0.0, -2.0, kNaN, kInfinity}) {
    b.mass = mass;
    expect_says(refusal(with(b)), "'ball': mass is");
  }
  for (const double radius : {0.0, -1.0, kNaN, kInfinity}) {
    expect_says(refusal(with(body("ball", sphere(radius)))), "radius is");
  }
  expect_says(refusal(with(body("brick", box(1, 0, 1)))), "size is 0 m");
  expect_says(refusal(with(body("brick", box(1, 1, 1), {kNaN, 0, 0}))), "'brick'");
  expect_says(refusal(with(body("ground", half_space({0, 0, 1})))), "static and kinematic");
  expect_says(refusal(with(fixed("ground", half_space({0, 0, 0})))), "normal");
  expect_says(refusal(with(BodyDescription{})), "needs a shape");
  expect_says(refusal(with(body("flat", box(1, 1), {0, 0, 1}), 2)), "z component of position");
  BodyDescription still = fixed("still", sphere(1));
  still.velocity = {1, 0, 0};
  expect_says(refusal(with(still)), "kinematic");
  BodyDescription stuff = body("stuff", sphere(1));
  stuff.material = "woood";
  expect_says(refusal(with(stuff)), "no material 'woood'");
}

TEST(BadInput, InertiaThatNoBodyHas) {
  BodyDescription b = body("odd", sphere(0.1));
  b.mass = 1;
  b.inertia = Eigen::Vector3d(1, 1, 2.5).asDiagonal();
  expect_says(refusal(with(b)), "triangle inequality");
  b.inertia = Eigen::Vector3d(1, -1, 1).asDiagonal();
  expect_says(refusal(with(b)), "positive");
  Eigen::Matrix3d skew = Eigen::Matrix3d::Identity();
  skew(0, 1) = 0.5;
  b.inertia = skew;
  expect_says(refusal(with(b)), "symmetric");
  b.mass.reset();
  b.inertia = Eigen::Matrix3d::Identity();
  expect_says(refusal(with(b)), "needs a given mass");
  // A flat body is the limit and is allowed.
  b.mass = 1;
  b.inertia = Eigen::Vector3d(1, 1, 2).asDiagonal();
  EXPECT_NO_THROW(Simulation sim(with(b)));
}

TEST(BadInput, NamesPairsAndMaterials) {
  SceneDescription scene = empty_scene(3);
  scene.bodies = {body("a", sphere(1)), body("a", sphere(1), {5, 0, 0})};
  expect_says(refusal(scene), "two bodies are named 'a'");
  scene = empty_scene(3);
  MaterialDescription m = material(0.5);
  m.restitution = 1.5;
  scene.materials = {m};
  expect_says(refusal(scene), "restitution is 1.5");
  m = material(0.5);
  m.dynamic_friction = 0.6;
  scene.materials = {m};
  expect_says(refusal(scene), "dynamic <= static");
}

TEST(BadInput, AStepFarTooLargeNamesTheStepItNeeds) {
  SceneDescription scene = empty_scene(3, 0.5);
  scene.model.name = "penalty";
  scene.bodies = {fixed("floor", half_space({0, 0, 1})), body("cube", box(1, 1, 1), {0, 0, 0.5})};
  Simulation sim(scene);
  const std::uint64_t before = sim.state_hash();
  try {
    for (int i = 0; i < 10; ++i) sim.step();
    ADD_FAILURE() << "the step was taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUnstable);
    expect_says(e.what(), "need a step of at most");
  }
  EXPECT_EQ(sim.state_hash(), before);  // the state before the step is kept
}

TEST(BadInput, ANumberThatIsNotFiniteStopsTheStepAndNamesTheBody) {
  SceneDescription scene = empty_scene(3);
  scene.bodies = {body("ball", sphere(1))};
  Simulation sim(scene);
  sim.step();
  const std::uint64_t before = sim.state_hash();
  const BodyId id = sim.find_body("ball");
  EXPECT_THROW(sim.apply_force(id, {kNaN, 0, 0}), Error);
  sim.set_force_callback([&](ForceContext& c) { c.add_force(id, {kInfinity, 0, 0}); });
  try {
    sim.step();
    ADD_FAILURE() << "the step was taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kNonFinite);
    expect_says(e.what(), "'ball'");
  }
  EXPECT_EQ(sim.state_hash(), before);
  sim.set_force_callback(nullptr);
  EXPECT_NO_THROW(sim.step());
}

TEST(BadInput, ChangesFromInsideACallbackAreRefused) {
  SceneDescription scene = empty_scene(3);
  scene.bodies = {body("ball", sphere(1))};
  Simulation sim(scene);
  sim.set_force_callback([&](ForceContext&) { sim.remove_body(sim.find_body("ball")); });
  EXPECT_THROW(sim.step(), Error);
  EXPECT_TRUE(sim.contains(sim.find_body("ball")));
  const std::vector<std::function<void()>> forbidden{
      [&] { sim.step(); },
      [&] { (void)sim.snapshot(); },
      [&] { sim.set_threads(2); },
      [&] { sim.set_force_callback(nullptr); },
      [&] {
        sim.apply_force(sim.find_body("ball"), {1, 0, 0});
      },
  };
  for (const auto& call : forbidden) {
    sim.set_force_callback([&](ForceContext&) { call(); });
    EXPECT_THROW(sim.step(), Error);
  }
  sim.set_force_callback(nullptr);
  EXPECT_NO_THROW(sim.step());
}

TEST(BadInput, WhatAnyDescriptionMayNotSay) {
  const auto refused = [](auto change, int dimension = 3) {
    BodyDescription b = body("odd", dimension == 2 ? box(1, 1) : box(1, 1, 1));
    change(b);
    expect_says(refusal(with(b, dimension)), "'odd'");
  };
  refused([](BodyDescription& b) { b.center_of_mass = Eigen::Vector3d(kNaN, 0, 0); });
  refused([](BodyDescription& b) { b.gravity_scale = kNaN; });
  refused([](BodyDescription& b) { b.linear_drag = -1; });
  refused([](BodyDescription& b) { b.angular_drag = kInfinity; });
  refused([](BodyDescription& b) { b.surface_velocity = {kNaN, 0, 0}; });
  refused([](BodyDescription& b) { b.placement.orientation.coeffs().setZero(); });
  refused([](BodyDescription& b) { b.shapes[0].placement.orientation.coeffs().setZero(); });
  refused([](BodyDescription& b) { b.shapes[0].placement.position = {0, kInfinity, 0}; });
  refused([](BodyDescription& b) { b.angular_velocity = {1, 0, 0}; }, 2);
  refused([](BodyDescription& b) { b.surface_velocity = {0, 0, 1}; }, 2);
  expect_says(refusal(with(body("far", sphere(1), {0, 0, 1e308}))),
              "position has a component of 1e+308; at most 1e+50");
  SceneDescription heavy = with(body("a", sphere(1)));
  heavy.gravity = {0, 0, -1e300};
  expect_says(refusal(heavy), "gravity has a component of 1e+300; at most 1e+50");
  SceneDescription flat;  // the default gravity points into the plane
  flat.dimension = 2;
  expect_says(refusal(flat), "gravity");
  SceneDescription sprung = with(body("a", sphere(1)));
  SpringDescription spring;
  spring.body_b = "a", spring.stiffness = 1, spring.rest_length = -3;
  sprung.springs = {spring};
  expect_says(refusal(sprung), "rest_length");
  // A refused body leaves nothing behind.
  Simulation sim(with(body("a", sphere(1))));
  BodyDescription zero = body("zero", sphere(1), {5, 0, 0});
  zero.placement.orientation.coeffs().setZero();
  EXPECT_THROW(sim.add_body(zero), Error);
  EXPECT_EQ(sim.bodies().size(), 1u);
  EXPECT_THROW(sim.find_body("zero"), Error);
  // Nor does a static body take a velocity later.
  Simulation still(with(fixed("floor", half_space({0, 0, 1}))));
  BodyState moving;
  moving.velocity = {1, 0, 0};
  EXPECT_THROW(still.set_state(still.find_body("floor"), moving), Error);
}

TEST(BadInput, OptionsThatWouldMakeAModelWrong) {
  const auto says = [](const std::string& model, const Options& options) {
    SceneDescription scene = with(body("a", sphere(1)));
    scene.model.name = model;
    scene.model.options = options;
    return refusal(scene);
  };
  expect_says(says("mirtich", {{"envelope", 10.0}}), "envelope is 10 m; it must be at most a tenth of margin");
  expect_says(says("hahn", {{"max_collisions", std::int64_t{100000000}}}), "max_collisions is 100000000");
  const std::string level = "acceleration";
  expect_says(says("lcp", {{"level", level}, {"regularisation", 1e-300}}), "it must be 0, or 1e-12 to 1");
  expect_says(says("lcp", {{"level", level}, {"regularisation", 2.0}}), "it must be at most 1");
  expect_says(says("lcp", {{"regularisation", 1e-8}}), "is of level = \"acceleration\"");
}

}  // namespace
}  // namespace touchstone::testing
