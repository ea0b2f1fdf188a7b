// The impulse model with its default preset: stacks of any height, piles that do not sink, bodies that turn fast, the
// same result in both precisions and at any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulsePileIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulsePileIn, ::testing::Values(2, 3), dimension_name);

SceneDescription ground(int d, const MaterialDescription& m, double h = 1.0 / 60) {
  SceneDescription scene = impulse_floor(d, m, h);
  use_impulse(scene, "default");
  return scene;
}

// How far bodies have come from where they were put.
double farthest(const Simulation& sim) {
  double out = 0;
  for (const BodyId id : sim.bodies())
    out = std::max(out, (sim.state(id).center_of_mass - sim.description(id).placement.position).norm());
  return out;
}

// By poses alone: the deepest pair of those that touch.
double deepest(const Simulation& sim) {
  double out = 0;
  for (std::size_t i = 0; i < sim.contact_count(); ++i) {
    const ContactReport c = sim.contact(i);
    out = std::max(out, -sim.closest_points(c.body_a, c.body_b)->gap);
  }
  return out;
}

TEST_P(ImpulsePileIn, StacksOfAnyHeightStand) {
  for (const int cubes : {2, 5, 10, 15, 25, 30, 40, 50, 60, 80}) {
    SceneDescription scene = ground(d, material(0.5));
    for (int i = 0; i < cubes; ++i)
      scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + i) * up(d)));
    Simulation sim(scene);
    run(sim, 1.0);
    EXPECT_LT(farthest(sim), 2e-5 * cubes) << cubes << " cubes";
    EXPECT_LT(sim.report().max_penetration, 1e-6) << cubes << " cubes";
  }
}

TEST_P(ImpulsePileIn, APyramidStaysWhereItIs) {
  SceneDescription scene = ground(d, material(0.5));
  constexpr int kRows = 12;
  for (int r = 0; r < kRows; ++r)
    for (int i = 0; i < kRows - r; ++i)
      scene.bodies.push_back(body("", plate(d, 1, 1, 1), in_plane(d, 1.05 * (i - 0.5 * (kRows - 1 - r)), 0.5 + r)));
  Simulation sim(scene);
  run(sim, 2.0);
  EXPECT_LT(farthest(sim), 1e-6);
  EXPECT_LT(sim.report().max_speed, 1e-6);
}

// A column that stands in a pile has to be carried by a floor far below: what the sweeps leave of it would sink by
// millimetres within seconds if it were not taken back from below upwards.
TEST_P(ImpulsePileIn, APileInAPitDoesNotSink) {
  SceneDescription scene = ground(d, material(0.5));
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  const double width = 3.5;
  for (const double side : {-1.0, 1.0}) {
    scene.bodies.push_back(fixed("", plate(d, 1, 60, width + 2), in_plane(d, side * (0.5 * width + 0.5), 30)));
    if (d == 2) continue;
    BodyDescription wall = fixed("", box(width + 2, 1, 60), Eigen::Vector3d(0, side * (0.5 * width + 0.5), 30));
    scene.bodies.push_back(wall);
  }
  const int count = d == 2 ? 40 : 80, across = d == 2 ? 2 : 4;
  for (int i = 0; i < count; ++i) {
    const double x = 1.6 * (i % 2 - 0.5) + 0.1 * unit(random), z = 1 + 1.5 * (i / across);
    Eigen::Vector3d at = in_plane(d, x, z);
    if (d == 3) at.y() = 1.6 * (i / 2 % 2 - 0.5) + 0.1 * unit(random);
    BodyDescription b = body("", plate(d, 1, 1, 1));
    b.placement = turned(d, unit(random), at);
    scene.bodies.push_back(b);
  }
  Simulation sim(scene);
  run(sim, 6.0);
  double worst = 0;
  for (int i = 0; i < 60; ++i) {
    sim.step();
    worst = std::max(worst, deepest(sim));
  }
  check("pit_depth_mm", 1e3 * worst, 0, 1.0);
}

// Boxes that turn by up to 70 rad/s and meet at 20 m/s, with steps of 1 ms: their corners go along curves, and the
// normals of faces and crossing edges turn under them. By what is linear in the velocities alone they would overlap by
// more than 0.1 mm in hundreds of steps, and by 1.5 mm (2D) and 6.6 mm. What is left are a few steps in which the first
// features to touch are not those that were nearest, a centimetre apart, when the step began.
TEST_P(ImpulsePileIn, BoxesThatTurnFastDoNotOverlap) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  double worst = 0;
  int deep = 0;
  for (int round = 0; round < 40; ++round) {
    SceneDescription scene = ground(d, material(0.1), 1e-3);
    for (int i = 0; i < 2; ++i) {
      BodyDescription b = body("b" + std::to_string(i), plate(d, 1, 1, 1));
      b.placement = turned(d, 3 * unit(random), in_plane(d, i == 0 ? -1.5 : 1.5, 3 + unit(random)));
      if (d == 3)
        b.placement.orientation =
            Eigen::Quaterniond(unit(random), unit(random), unit(random), unit(random)).normalized();
      b.velocity = in_plane(d, i == 0 ? 10 : -10, 2 * unit(random));
      b.angular_velocity = d == 2 ? Eigen::Vector3d(0, 0, 40 * unit(random))
                                  : 40 * Eigen::Vector3d(unit(random), unit(random), unit(random));
      scene.bodies.push_back(b);
    }
    Simulation sim(scene);
    const BodyId floor = sim.find_body("floor"), one = sim.find_body("b0"), two = sim.find_body("b1");
    for (int i = 0; i < 700; ++i) {
      sim.step();
      for (const auto& [a, b] : {std::pair(floor, one), std::pair(floor, two), std::pair(one, two)}) {
        const double depth = -sim.closest_points(a, b)->gap;
        worst = std::max(worst, depth);
        if (depth > 1e-4) ++deep;
      }
    }
  }
  check("turning_boxes_depth_um", 1e6 * worst, 0, 2000);
  check("turning_boxes_deep_steps", deep, 0, 20);
}

// Columns of 25 cubes land one cube after the other, without restitution. The impulses that stop them are poor guesses
// for the substeps that follow, and more than the sweeps take back: the pile was thrown up again at 0.7 m/s in a step.
// What is left is what gravity gives in a substep, three times, and what taking back penetrations lifts.
TEST_P(ImpulsePileIn, WhatLandsIsNotThrownUpAgain) {
  for (const int columns : {1, 2}) {
    SceneDescription scene = ground(d, material(0.5));
    int k = 0;
    for (int i = 0; i < columns; ++i)
      for (int level = 0; level < 25; ++level, ++k) {
        BodyDescription b = body("cube" + std::to_string(k), plate(d, 1, 1, 1));
        b.placement.position = in_plane(d, 1.1 * i + 0.02 * std::sin(1 + 3.7 * k), 3.5 + 1.1 * level);
        b.placement.angle = 0.025 * std::sin(7.1 * k);
        b.placement.orientation =
            Eigen::Quaterniond(1, 0.02 * std::sin(1.1 * k), 0.02 * std::sin(2.3 * k), 0.02 * std::sin(3.1 * k))
                .normalized();
        scene.bodies.push_back(b);
      }
    Simulation sim(scene);
    double before = std::numeric_limits<double>::infinity(), most = 0;
    for (int i = 0; i < 180; ++i) {
      const double energy = sim.step().energy();
      most = std::max(most, energy - before);
      before = energy;
    }
    check("thrown_up_at_m_s", std::sqrt(2 * most / (1000 * k)), 0, 0.2);
  }
}

// Boxes that fall on each other at 4 m/s and more take many collisions in a step. Where those and the sweeps are not
// through with it, which the step says, each part of a step may leave energy behind, but not more than if all flew at
// push_speed; it was three times all that there was with timing "events".
TEST_P(ImpulsePileIn, CollisionsThatDoNotEndMakeNoEnergy) {
  for (const char* timing : {"fixed", "events"}) {
    for (int seed = 0; seed < 4; ++seed) {
      SceneDescription scene = ground(d, material(0.6, 0.1));
      scene.model.options["timing"] = std::string(timing);
      double mass = 0;
      for (int i = 0; i < 10; ++i) {
        Eigen::Vector3d at = (0.3 + 0.5 * i) * up(d);
        at.x() += 0.03 * (seed == 0 ? i % 3 : std::sin(1.0 + 3.7 * i + 1.3 * seed));
        BodyDescription b = body("b" + std::to_string(i), d == 2 ? box(0.4, 0.3) : box(0.4, 0.3, 0.3), at);
        b.velocity = -4 * up(d);
        b.placement.angle = 0.1 * i + 0.05 * seed;
        b.placement.orientation = Eigen::AngleAxisd(b.placement.angle, Eigen::Vector3d(1, 2, 0.5).normalized());
        scene.bodies.push_back(b);
      }
      Simulation sim(scene);
      for (const BodyId id : sim.bodies())
        if (sim.description(id).kind == BodyKind::kDynamic) mass += 1000 * (d == 2 ? 0.4 * 0.3 : 0.4 * 0.3 * 0.3);
      constexpr double kPushSpeed = 0.5, kParts = 4;  // the default [m/s]; so many parts of a step at the most
      double before = std::numeric_limits<double>::infinity();
      for (int i = 0; i < 90; ++i) {
        const double energy = sim.step().energy();
        ASSERT_LT(energy - before, kParts * 0.5 * mass * kPushSpeed * kPushSpeed)
            << timing << " " << seed << ", step " << i;
        before = energy;
      }
    }
  }
}

// What changes is computed in single precision, what is there in double: the results differ by rounding, and what
// rests rests as well.
TEST_P(ImpulsePileIn, BothPrecisionsAgree) {
  const auto final_state = [&](const char* precision) {
    SceneDescription scene = ground(d, material(0.3));
    scene.model.options["precision"] = precision;
    for (int i = 0; i < 6; ++i)
      scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + i) * up(d)));
    BodyDescription slider = body("slider", plate(d, 1, 0.5, 1), in_plane(d, 5, 0.25));
    slider.velocity = in_plane(d, 3, 0);
    scene.bodies.push_back(slider);
    Simulation sim(scene);
    run(sim, 0.8);
    std::vector<double> out;
    for (const BodyId id : sim.bodies()) {
      const BodyState s = sim.state(id);
      for (int k = 0; k < 3; ++k) out.push_back(s.center_of_mass[k]), out.push_back(s.velocity[k]);
    }
    return out;
  };
  const std::vector<double> one = final_state("single"), two = final_state("double");
  double worst = 0;
  for (std::size_t i = 0; i < one.size(); ++i) worst = std::max(worst, std::abs(one[i] - two[i]));
  check("precisions_differ_by_um", 1e6 * worst, 0, 1);
  EXPECT_NE(one, two) << "the option does nothing";
}

TEST_P(ImpulsePileIn, HundredsOfCubesAreTheSameAtAnyNumberOfThreads) {
  const auto hashes = [&](int threads) {
    SceneDescription scene = ground(d, material(0.5));
    std::mt19937 random(2);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 700; ++i) {
      const double x = 1.1 * (i % 12), z = 0.6 + 1.1 * (d == 2 ? i / 12 : i / 96);
      Eigen::Vector3d at = in_plane(d, x + 0.02 * unit(random), z);
      if (d == 3) at.y() = 1.1 * (i / 12 % 8);
      BodyDescription b = body("", plate(d, 1, 1, 1));
      b.placement = turned(d, 0.03 * unit(random), at);
      scene.bodies.push_back(b);
    }
    Simulation sim(scene);
    sim.set_threads(threads);
    std::vector<std::uint64_t> out;
    for (int i = 0; i < 40; ++i) sim.step(), out.push_back(sim.state_hash());
    return out;
  };
  const std::vector<std::uint64_t> one = hashes(1);
  for (const int threads : {2, 4}) EXPECT_EQ(one, hashes(threads)) << threads << " threads";
}

}  // namespace
}  // namespace touchstone::testing
