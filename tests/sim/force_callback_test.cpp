// A user's force callback is called once for each evaluation of forces, in order of time, and from nowhere else.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

struct Case {
  std::string name, model;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Options options;
  int calls_a_substep = 1;
};

// Every model with every integrator it supports, and the schemes of impulse that evaluate forces at other times.
std::vector<Case> cases() {
  std::vector<Case> out;
  for (const ModelInfo& m : registered_models())
    for (const Integrator i : m.capabilities.integrators)
      out.push_back({m.name + "_" + integrator_name(i), m.name, i, {}, i == Integrator::kRk4 ? 4 : 1});
  const auto impulse = [&](const std::string& name, Options options, int calls) {
    out.push_back({"impulse_" + name, "impulse", Integrator::kSemiImplicitEuler, std::move(options), calls});
  };
  impulse("verlet", {{"scheme", std::string("verlet")}}, 2);
  impulse("events", {{"timing", std::string("events")}}, 1);
  impulse("events_verlet", {{"timing", std::string("events")}, {"scheme", std::string("verlet")}}, 2);
  impulse("accurate", {{"preset", std::string("accurate")}}, 2);
  impulse("sleep", {{"sleep", true}, {"sleep_time", 0.05}}, 1);
  impulse("one_substep", {{"substeps", std::int64_t{1}}}, 1);
  return out;
}

class Callback : public ::testing::TestWithParam<Case> {};

// A ball that bounces, a box that rests, and one that flies fast enough for steps to be cut.
SceneDescription scene_of(const Case& c, int d) {
  SceneDescription scene = empty_scene(d);
  scene.step = 0.005;
  scene.integrator = c.integrator;
  scene.model = {c.model, c.options};
  scene.materials = {material(0.5, 0.5)};
  scene.bodies = {fixed("floor", half_space(up(d))), body("ball", sphere(0.1), 0.3 * up(d) + 1.5 * Vector3d::UnitX()),
                  body("box", plate(d, 0.2, 0.2, 0.2), 0.1 * up(d)),
                  body("fast", sphere(0.05), 0.06 * up(d) - 1 * Vector3d::UnitX())};
  scene.bodies.back().velocity = 6 * Vector3d::UnitX();
  return scene;
}

TEST_P(Callback, IsCalledOnceForEachEvaluation) {
  const Case& c = GetParam();
  for (const int d : {2, 3}) {
    Simulation sim(scene_of(c, d));
    const BodyId box = sim.find_body("box");
    std::vector<double> times;
    sim.set_force_callback([&](ForceContext& context) {
      times.push_back(context.time());
      context.add_force(box, 0.1 * Vector3d::UnitX());
    });
    for (int i = 0; i < 100; ++i) {
      times.clear();
      const double start = sim.time();
      // After a collision within a step of `lagrange` the last forces go on.
      const std::int64_t substeps = c.model == "lagrange" ? (sim.step(), 1) : sim.step().substeps;
      ASSERT_EQ(times.size(), static_cast<std::size_t>(c.calls_a_substep * substeps)) << d << "D, step " << i;
      EXPECT_EQ(times.front(), start);
      EXPECT_LE(times.back(), sim.time());
      EXPECT_TRUE(std::is_sorted(times.begin(), times.end())) << d << "D, step " << i;
      // No time is evaluated twice, but by the two middle stages of RK4 and where one Verlet substep meets the next.
      if (c.calls_a_substep == 1) {
        EXPECT_EQ(std::adjacent_find(times.begin(), times.end()), times.end()) << d << "D, step " << i;
      }
    }
  }
}

TEST(CallbackStages, AreThoseOfRk4) {
  for (const Case& c : cases()) {
    if (c.integrator != Integrator::kRk4) continue;
    SceneDescription scene = scene_of(c, 2);
    scene.bodies.resize(2);  // nothing touches
    scene.bodies[1].placement.position.y() = 10;
    Simulation sim(scene);
    std::vector<double> times;
    sim.set_force_callback([&](ForceContext& context) { times.push_back(context.time()); });
    sim.step();
    EXPECT_EQ(times, (std::vector<double>{0, 0.0025, 0.0025, 0.005})) << c.name;
  }
}

// A force that a callback gives is what acts, once: free fall with a constant push beside it.
TEST_P(Callback, ItsForceActsOnce) {
  const Case& c = GetParam();
  SceneDescription scene = scene_of(c, 3);
  scene.bodies.resize(2);
  scene.bodies[1].placement.position.z() = 100;
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  const double mass = sim.mass(ball);
  sim.set_force_callback([&](ForceContext& context) { context.add_force(ball, 3 * mass * Vector3d::UnitX()); });
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_NEAR(sim.state(ball).velocity.x(), 3 * 0.5, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Callback, ::testing::ValuesIn(cases()), [](const auto& i) {
  std::string name = i.param.name;
  for (char& x : name)
    if (!std::isalnum(static_cast<unsigned char>(x))) x = '_';
  return name;
});

// A sleeping body is woken by a callback's force that begins later, also in the step after it fell asleep.
TEST(SleepAndCallback, AForceThatBeginsWakes) {
  Case c{"sleep", "impulse", Integrator::kSemiImplicitEuler, {{"sleep", true}, {"sleep_time", 0.05}}, 1};
  SceneDescription scene = scene_of(c, 3);
  scene.bodies.erase(scene.bodies.begin() + 3);  // nothing comes along
  scene.bodies.erase(scene.bodies.begin() + 1);
  for (const double begins : {0.5, 0.055, 0.06, 0.065}) {
    Simulation sim(scene);
    const BodyId box = sim.find_body("box");
    const double weight = 9.81 * sim.mass(box);
    sim.set_force_callback([&](ForceContext& context) {
      const Vector3d drag = -2 * sim.mass(box) * context.state(box).velocity;  // depends on how it creeps
      context.add_force(box, drag + (context.time() >= begins ? weight : 0.0) * Vector3d::UnitX());
    });
    while (sim.time() < begins) sim.step();
    const double before = sim.state(box).center_of_mass.x();
    for (int i = 0; i < 40; ++i) sim.step();
    EXPECT_GT(sim.state(box).center_of_mass.x(), before + 0.05) << "from " << begins << " s on";
  }
}

}  // namespace
}  // namespace touchstone::testing
