// The two solvers of the ncp model: masses far apart, tall stacks, and that they mean the same.
#include <gtest/gtest.h>

#include <limits>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class NcpSolversIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, NcpSolversIn, ::testing::Values(2, 3),
                         [](const auto& i) { return std::to_string(i.param) + "D"; });

// Cubes of 1 kg on each other, the uppermost of `top`.
SceneDescription stack(int d, int cubes, double top, const std::string& solver = "newton") {
  SceneDescription s = empty_scene(d, 5e-3);
  s.model.name = "ncp";
  s.model.options["solver"] = solver;
  s.integrator = Integrator::kSemiImplicitEuler;
  s.materials = {material(0.5)};
  s.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < cubes; ++i) {
    s.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + i) * up(d)));
    s.bodies.back().mass = i == cubes - 1 ? top : 1.0;
  }
  return s;
}

struct Worst {
  double natural_map = 0, velocity = 0, speed = 0;
  std::int64_t iterations = 0, not_converged = 0;
};
Worst run(const SceneDescription& scene, int steps) {
  Simulation sim(scene);
  sim.set_yardstick(true);
  Worst out;
  for (int i = 0; i < steps; ++i) {
    sim.step();
    out.natural_map = std::max(out.natural_map, sim.measures().natural_map.worst);
    out.velocity = std::max(out.velocity, sim.measures().natural_map_velocity.worst);
    out.iterations += sim.report().iterations;
    out.not_converged += sim.report().status != StepStatus::kOk;
  }
  for (std::size_t k = 1; k < scene.bodies.size(); ++k)
    out.speed = std::max(out.speed, sim.state(sim.find_body(scene.bodies[k].name)).velocity.norm());
  return out;
}

TEST_P(NcpSolversIn, AMillionKilogramsOnOne) {
  // The impulse of the weight, M·g·h = 5e4 N·s, changes a cube of 1 kg by 5e4 m/s from above and from below. What is
  // left of that is rounding, in sums over the rows of its 8 points: 24·ε·5e4 m/s, times √2 for two such sums.
  const double rounding = 1.4142 * 24 * std::numeric_limits<double>::epsilon() * 1e6 * kGravity * 5e-3;
  const Worst two = run(stack(d_, 2, 1e6), 100);
  EXPECT_EQ(two.not_converged, 0);
  EXPECT_LT(two.velocity, rounding);
  EXPECT_LT(two.speed, 1e-9);
  const Worst ten = run(stack(d_, 10, 1e6), 100);
  EXPECT_EQ(ten.not_converged, 0);
  EXPECT_LT(ten.velocity, 2e-9);
  EXPECT_LT(ten.speed, 1e-7);
}

TEST_P(NcpSolversIn, TwentyCubesStandStill) {
  const Worst w = run(stack(d_, 20, 1), 200);
  EXPECT_EQ(w.not_converged, 0);
  EXPECT_LT(w.velocity, 1.1e-10);
  EXPECT_LT(w.speed, 1e-9);
  EXPECT_LT(w.iterations, 200 * 20) << "sweeps alone take thousands a step";
}

TEST_P(NcpSolversIn, SweepsAndNewtonMoveBodiesAlike) {
  Simulation direct(stack(d_, 3, 1)), sweeps(stack(d_, 3, 1, "nsgs"));
  for (Simulation* sim : {&direct, &sweeps})
    for (int i = 0; i < 50; ++i) {
      sim->apply_force(sim->find_body("cube2"), in_plane(d_, 8, 0));  // it slides
      sim->step();
    }
  for (const char* name : {"cube0", "cube1", "cube2"}) {
    const BodyState a = direct.state(direct.find_body(name)), b = sweeps.state(sweeps.find_body(name));
    EXPECT_LT((a.placement.position - b.placement.position).norm(), 1e-8) << name;
    EXPECT_LT((a.velocity - b.velocity).norm(), 1e-7) << name;
  }
  EXPECT_GT(direct.state(direct.find_body("cube2")).velocity.norm(), 0.1);
}

}  // namespace
}  // namespace touchstone::testing
