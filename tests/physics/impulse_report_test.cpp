// The impulse model: what it reports of a step in which contacts are found several times, some of which are gone at its
// end. Whatever a body's momentum has changed by, gravity and the contacts that are reported have done.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseReportIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseReportIn, ::testing::Values(2, 3), dimension_name);

// Steps, and compares momenta with impulses to rounding. Returns the substeps of the step.
std::int64_t step_and_count(Simulation& sim, const Eigen::Vector3d& gravity) {
  std::vector<Eigen::Vector3d> before;
  for (const BodyId b : sim.bodies()) before.push_back(sim.state(b).velocity);
  sim.step();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const BodyId b = sim.bodies()[i];
    const double mass = sim.mass(b);
    if (!std::isfinite(mass)) continue;
    const Eigen::Vector3d gained = mass * (sim.state(b).velocity - before[i]);
    const Eigen::Vector3d given = sim.body_impulse(b) + mass * sim.step_size() * gravity;
    EXPECT_LT((gained - given).norm(), 1e-11 * mass * (1 + before[i].norm())) << sim.description(b).name;
  }
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < sim.contact_count(); ++i) {
    const ContactReport c = sim.contact(i);
    EXPECT_LT(last, c.key);
    EXPECT_FALSE(c.impulse.isZero(0));
    last = c.key;
  }
  return sim.report().substeps;
}

// Boxes that fly into a wall at 15 m/s, a quarter of a metre in a step of 1/60 s, which is cut into parts.
SceneDescription flight(int d) {
  SceneDescription scene = impulse_scene(d, 1.0 / 60, "default");
  scene.materials = {material(0.4, 0.5)};
  scene.bodies = {fixed("floor", half_space(up(d))), fixed("wall", half_space(Eigen::Vector3d(-1, 0, 0)))};
  scene.bodies.back().placement.position = {3, 0, 0};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 8; ++i) {
    BodyDescription b =
        body("b" + std::to_string(i), plate(d, 0.3, 0.3, 0.3), in_plane(d, 0.5 * (i % 4), 0.3 + 0.5 * (i / 4)));
    b.velocity = in_plane(d, 15 + unit(random), unit(random));
    b.angular_velocity = 5 * unit(random) * turn_axis(d);
    scene.bodies.push_back(b);
  }
  return scene;
}

TEST_P(ImpulseReportIn, AStepInPartsReportsAllOfThem) {
  Simulation sim(flight(d));
  std::int64_t least = 1000, most = 0;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t substeps = step_and_count(sim, -kGravity * up(d));
    least = std::min(least, substeps), most = std::max(most, substeps);
  }
  EXPECT_GT(most, least);  // some were cut
}

// A ball between two walls that bounces off both of them within a step: neither is touched at its end.
TEST_P(ImpulseReportIn, ContactsThatAreGoneAreReported) {
  SceneDescription scene = impulse_scene(d, 0.02);
  scene.model.options["timing"] = std::string("events");
  scene.gravity.setZero();
  scene.materials = {material(0.0, 1)};
  scene.bodies = {fixed("left", half_space({1, 0, 0})), fixed("right", half_space({-1, 0, 0})),
                  body("ball", sphere(0.1), {0.15, 0, 0})};
  scene.bodies[1].placement.position = {0.3, 0, 0};
  scene.bodies[2].velocity = {11, 0, 0};
  Simulation sim(scene);
  std::size_t most = 0;
  for (int i = 0; i < 20; ++i) {
    step_and_count(sim, Eigen::Vector3d::Zero());
    most = std::max(most, sim.contact_count());
  }
  EXPECT_EQ(most, 2u);
  EXPECT_NEAR(sim.state(sim.find_body("ball")).velocity.norm(), 11, 1e-9);
}

TEST_P(ImpulseReportIn, ASnapshotHoldsWhatWasReported) {
  Simulation sim(flight(d)), again(flight(d));
  std::size_t reported = 0;
  for (int i = 0; i < 30; ++i) {
    sim.step();
    again.restore(sim.snapshot());
    ASSERT_EQ(sim.contact_count(), again.contact_count());
    reported += sim.contact_count();
    for (std::size_t k = 0; k < sim.contact_count(); ++k) {
      const ContactReport a = sim.contact(k), b = again.contact(k);
      EXPECT_EQ(a.key, b.key);
      EXPECT_EQ(a.point, b.point);
      EXPECT_EQ(a.normal, b.normal);
      EXPECT_EQ(a.gap, b.gap);
      EXPECT_EQ(a.impulse, b.impulse);
      EXPECT_EQ(a.relative_velocity, b.relative_velocity);
      EXPECT_EQ(a.sticking, b.sticking);
    }
  }
  EXPECT_GT(reported, 20u);
}

}  // namespace
}  // namespace touchstone::testing
