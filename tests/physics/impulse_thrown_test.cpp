// The impulse model: bodies that turn round, or are hit by others, within a step do not fly through what lies on their
// new way, although it was not on the old one.
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

// Dimension, preset, timing, step.
using Case = std::tuple<int, const char*, const char*, double>;

class ImpulseThrownIn : public ::testing::TestWithParam<Case> {
 protected:
  const int d = std::get<0>(GetParam());
  const double h = std::get<3>(GetParam());
  SceneDescription scene(double restitution) const {
    SceneDescription s = impulse_scene(d, h, std::get<1>(GetParam()));
    s.model.options["timing"] = std::string(std::get<2>(GetParam()));
    s.gravity.setZero();
    s.materials = {material(0.0, restitution)};
    return s;
  }
  // Times of impact are found one after the other: a thousand of them in a step take their time.
  bool takes_long(double speed) const { return std::string(std::get<2>(GetParam())) == "events" && speed * h > 5; }
};
INSTANTIATE_TEST_SUITE_P(Case, ImpulseThrownIn,
                         ::testing::Combine(::testing::Values(2, 3), ::testing::Values("accurate", "default", "fast"),
                                            ::testing::Values("fixed", "events"), ::testing::Values(1e-3, 1.0 / 60)),
                         [](const auto& at) {
                           return std::to_string(std::get<0>(at.param)) + "D_" + std::get<1>(at.param) + "_" +
                                  std::get<2>(at.param) + (std::get<3>(at.param) < 0.01 ? "_short" : "_long");
                         });

// A small ball flies to and fro between two plates of 1 mm.
TEST_P(ImpulseThrownIn, BetweenTwoPlates) {
  for (const double restitution : {1.0, 0.5})
    for (const double speed : {5.0, 30.0, 100.0, 1000.0}) {
      if (takes_long(speed)) continue;
      SceneDescription s = scene(restitution);
      s.bodies = {fixed("left", plate(d, 0.001, 2, 2)), fixed("right", plate(d, 0.001, 2, 2), {0.3, 0, 0}),
                  body("ball", sphere(0.01), {0.15, 0, 0})};
      s.bodies[2].velocity = {speed, 0, 0};
      Simulation sim(s);
      for (int i = 0; i < 100; ++i) {
        sim.step();
        const BodyState ball = sim.state(sim.find_body("ball"));
        ASSERT_GT(ball.center_of_mass.x(), 0.0105 - 1e-4) << speed << " m/s, step " << i;
        ASSERT_LT(ball.center_of_mass.x(), 0.2895 + 1e-4) << speed << " m/s, step " << i;
        ASSERT_LE(ball.velocity.norm(), speed * (1 + 1e-9));
      }
    }
}

// A light ball rests near a plate; one that is ten, or a thousand, times as heavy throws it there. Sweeps of `default`
// and `fast` do not get to an end then, and say so.
TEST_P(ImpulseThrownIn, ThrownAgainstAPlate) {
  for (const double restitution : {1.0, 0.5, 0.0})
    for (const double speed : {5.0, 30.0, 100.0})
      for (const auto& [apart, mass] : {std::pair(0.05, 10.0), std::pair(0.6, 10.0), std::pair(0.05, 1000.0)}) {
        if (takes_long(speed)) continue;
        SceneDescription s = scene(restitution);
        s.bodies = {fixed("plate", plate(d, 0.001, 8, 8), {0.02 + apart, 0, 0}), body("light", sphere(0.02)),
                    body("heavy", sphere(0.2), {-0.3, 0, 0})};
        s.bodies[1].mass = 1, s.bodies[2].mass = mass;
        s.bodies[2].velocity = {speed, 0, 0};
        Simulation sim(s);
        for (int i = 0; i < 60; ++i) {
          sim.step();
          for (const char* name : {"light", "heavy"})
            ASSERT_LT(sim.state(sim.find_body(name)).center_of_mass.x(), 0.02 + apart)
                << name << ", " << speed << " m/s, restitution " << restitution << ", " << apart << " m, step " << i;
        }
      }
}

}  // namespace
}  // namespace touchstone::testing
