// Queries through the public face: what they see after every kind of change, filters, bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class QueriesOf : public ::testing::TestWithParam<int> {
 protected:
  int dimension = GetParam();
  Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = up(GetParam());
  ShapeDescription cube(double size) const { return dimension == 2 ? box(size, size) : box(size, size, size); }
  Placement at(const Eigen::Vector3d& position) const {
    Placement p;
    p.position = position;
    return p;
  }
  // A floor, a ball at x = 2 and a box at x = 5, a kinematic box at x = 8, all one above the floor.
  SceneDescription scene() const {
    SceneDescription s = empty_scene(dimension);
    BodyDescription moving = fixed("lift", cube(1), 8 * x + z);
    moving.kind = BodyKind::kKinematic;
    s.bodies = {fixed("floor", half_space(z)), body("ball", sphere(0.5), 2 * x + z), body("crate", cube(1), 5 * x + z),
                moving};
    s.bodies[1].groups = {"round"};
    s.bodies[2].groups = {"square", "heavy"};
    s.bodies[3].groups = {"square"};
    return s;
  }
  static std::vector<std::string> names(const Simulation& sim, const std::vector<RayHit>& hits) {
    std::vector<std::string> out;
    for (const RayHit& h : hits) out.push_back(sim.body_name(h.body));
    return out;
  }
  using Names = std::vector<std::string>;
};
INSTANTIATE_TEST_SUITE_P(Both, QueriesOf, ::testing::Values(2, 3));

TEST_P(QueriesOf, RaysSeeBodiesInOrder) {
  const Simulation sim(scene());
  const auto hit = sim.ray_cast(z, 3 * x);
  ASSERT_TRUE(hit);
  EXPECT_EQ(sim.body_name(hit->body), "ball");
  EXPECT_NEAR(hit->distance, 1.5, 1e-12);
  EXPECT_NEAR((hit->point - (1.5 * x + z)).norm(), 0, 1e-12);
  EXPECT_NEAR((hit->normal + x).norm(), 0, 1e-12);
  EXPECT_FALSE(hit->inside);
  EXPECT_EQ(names(sim, sim.ray_cast_all(z, x)), (Names{"ball", "crate", "lift"}));
  EXPECT_EQ(names(sim, sim.ray_cast_all(z, x, 5)), (Names{"ball", "crate"}));
  EXPECT_FALSE(sim.ray_cast(z, x, 1.4));
  EXPECT_TRUE(sim.ray_cast(2 * x + z, x)->inside);
  EXPECT_NEAR(sim.ray_cast(3 * x + 4 * z, -z)->distance, 4, 1e-12);
}

TEST_P(QueriesOf, FiltersChoose) {
  const Simulation sim(scene());
  const auto all = [&](const QueryFilter& f) { return names(sim, sim.ray_cast_all(z, x, 100, f)); };
  QueryFilter f;
  f.groups = {"square"};
  EXPECT_EQ(all(f), (Names{"crate", "lift"}));
  f.ignores = {"heavy", "nobody is in this one"};
  EXPECT_EQ(all(f), (Names{"lift"}));
  f.groups = {"nobody is in this one"};
  EXPECT_EQ(all(f), Names{});
  f = {};
  f.see_dynamic = false;
  EXPECT_EQ(all(f), (Names{"lift"}));
  f.see_kinematic = false;
  EXPECT_EQ(all(f), Names{});
  f = {};
  f.ignore_bodies = {sim.find_body("ball")};
  EXPECT_EQ(all(f), (Names{"crate", "lift"}));
  EXPECT_EQ(sim.body_name(sim.ray_cast(z, x, 100, f)->body), "crate");
  f = {};
  f.accept = [&](BodyId id) {
    EXPECT_TRUE(sim.ray_cast(z, x));  // a query within a query
    return sim.body_name(id) != "crate";
  };
  EXPECT_EQ(all(f), (Names{"ball", "lift"}));
  f = {};
  f.see_static = false;
  EXPECT_FALSE(sim.ray_cast(3 * x + 4 * z, -z, 100, f));
}

TEST_P(QueriesOf, EveryChangeIsSeen) {
  Simulation sim(scene());
  const auto distance = [&] { return sim.ray_cast(z, x)->distance; };
  EXPECT_NEAR(distance(), 1.5, 1e-12);
  const auto before = sim.snapshot();
  BodyState s = sim.state(sim.find_body("ball"));
  s.placement.position = 3 * x + z;
  sim.set_state(sim.find_body("ball"), s);
  EXPECT_NEAR(distance(), 2.5, 1e-12);
  const BodyId added = sim.add_body(fixed("post", sphere(0.25), x + z));
  EXPECT_NEAR(distance(), 0.75, 1e-12);
  sim.replace_body(added, fixed("post", sphere(0.5), x + z));
  EXPECT_NEAR(distance(), 0.5, 1e-12);
  sim.remove_body(added);
  EXPECT_NEAR(distance(), 2.5, 1e-12);
  sim.restore(before);
  EXPECT_NEAR(distance(), 1.5, 1e-12);
  sim.set_motion(sim.find_body("lift"), [&](double) {
    BodyState m;
    m.placement.position = 0.9 * x + z;
    return m;
  });
  EXPECT_NEAR(distance(), 0.4, 1e-12);
  // A step: what falls is seen lower.
  const double top = sim.ray_cast(2 * x + 9 * z, -z)->distance;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_GT(sim.ray_cast(2 * x + 9 * z, -z)->distance, top + 0.04);
  // From inside a step, the state before it.
  const double then = sim.ray_cast(2 * x + 9 * z, -z)->distance;
  int asked = 0;
  sim.set_force_callback([&](ForceContext&) {
    EXPECT_EQ(sim.ray_cast(2 * x + 9 * z, -z)->distance, then);
    ++asked;
  });
  sim.step();
  EXPECT_GT(asked, 0);
  sim.set_force_callback(nullptr);
  EXPECT_NE(sim.ray_cast(2 * x + 9 * z, -z)->distance, then);
}

TEST_P(QueriesOf, CastShapesMeetTheFirstBody) {
  const Simulation sim(scene());
  auto hit = sim.shape_cast(sphere(0.25), at(z), 10 * x);
  ASSERT_TRUE(hit);
  EXPECT_EQ(sim.body_name(hit->body), "ball");
  EXPECT_NEAR(hit->distance, 1.25, 1e-6);
  EXPECT_NEAR(hit->fraction, 0.125, 1e-7);
  EXPECT_NEAR((hit->normal + x).norm(), 0, 1e-6);
  EXPECT_NEAR((hit->point - (1.5 * x + z)).norm(), 0, 1e-6);
  EXPECT_FALSE(sim.shape_cast(sphere(0.25), at(z), 1.2 * x));
  hit = sim.shape_cast(cube(1), at(2 * x + z), x);
  ASSERT_TRUE(hit);
  EXPECT_TRUE(hit->inside);
  EXPECT_EQ(hit->distance, 0);
  // On the floor: along it nothing is met, into it at once.
  QueryFilter floor_only;
  floor_only.see_dynamic = floor_only.see_kinematic = false;
  EXPECT_FALSE(sim.shape_cast(cube(1), at(0.5 * z), 9 * x, floor_only));
  hit = sim.shape_cast(cube(1), at(0.5 * z), -z, floor_only);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->distance, 0);
  EXPECT_FALSE(hit->inside);
  // No way at all: only what overlaps.
  EXPECT_TRUE(sim.shape_cast(cube(1), at(2 * x + z), 0 * x)->inside);
  EXPECT_FALSE(sim.shape_cast(cube(0.1), at(z), 0 * x));
}

TEST_P(QueriesOf, OverlapsAndNearestPoints) {
  const Simulation sim(scene());
  const BodyId ball = sim.find_body("ball"), crate = sim.find_body("crate"), floor = sim.find_body("floor");
  auto found = sim.overlaps(cube(1), at(2.9 * x + z));
  EXPECT_EQ(found, (std::vector<BodyShape>{{ball, 0}}));
  found = sim.overlaps(sphere(2), at(3.5 * x + z));
  EXPECT_EQ(found, (std::vector<BodyShape>{{floor, 0}, {ball, 0}, {crate, 0}}));
  EXPECT_TRUE(sim.overlaps(sphere(0.1), at(3.5 * x + z)).empty());
  const auto pair = sim.closest_points(ball, crate);
  ASSERT_TRUE(pair);
  EXPECT_NEAR(pair->gap, 2, 1e-9);
  EXPECT_NEAR((pair->point_a - (2.5 * x + z)).norm(), 0, 1e-9);
  EXPECT_NEAR((pair->normal - x).norm(), 0, 1e-9);
  EXPECT_EQ(pair->a.body, ball);
  const auto below = sim.closest_points(floor, crate);
  EXPECT_NEAR(below->gap, 0.5, 1e-12);
  EXPECT_NEAR((below->normal - z).norm(), 0, 1e-12);
  const auto near = sim.nearest(Eigen::Vector3d(3.5 * x + 1.1 * z), 1.05);
  ASSERT_EQ(near.size(), 2u);
  EXPECT_EQ(near[0].body, crate);
  EXPECT_NEAR(near[0].gap, 1, 1e-9);
  EXPECT_EQ(near[1].body, ball);
  EXPECT_NEAR(near[1].gap, std::sqrt(1.5 * 1.5 + 0.01) - 0.5, 1e-9);
  EXPECT_NEAR((near[0].from - (3.5 * x + 1.1 * z)).norm(), 0, 1e-12);
  EXPECT_NEAR((near[0].point - (4.5 * x + 1.1 * z)).norm(), 0, 1e-9);
  EXPECT_LT(sim.nearest(Eigen::Vector3d(5 * x + z), 0)[0].gap, -0.4);
  EXPECT_EQ(sim.nearest(sphere(0.2), at(3.5 * x + 1.1 * z), 1.05).size(), 3u);
}

TEST_P(QueriesOf, BadInputIsNamed) {
  const Simulation sim(scene());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto f, const std::string& word) {
    try {
      f();
      ADD_FAILURE() << "accepted: " << word;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused([&] { sim.ray_cast(nan * x, x); }, "origin");
  refused([&] { sim.ray_cast(z, 0 * x); }, "direction");
  refused([&] { sim.ray_cast(z, nan * x); }, "direction");
  refused([&] { sim.ray_cast(z, x, -1); }, "distance");
  refused([&] { sim.ray_cast_all(z, x, nan); }, "distance");
  refused([&] { sim.shape_cast(sphere(1), at(z), nan * x); }, "displacement");
  refused([&] { sim.shape_cast(sphere(-1), at(z), x); }, "radius");
  refused([&] { sim.shape_cast(half_space(z), at(z), x); }, "half_space");
  refused([&] { sim.overlaps(sphere(1), at(nan * z)); }, "position");
  refused([&] { sim.nearest(Eigen::Vector3d(nan * z), 1); }, "point");
  refused([&] { sim.nearest(z, -1); }, "radius");
  refused([&] { sim.closest_points(sim.find_body("ball"), sim.find_body("ball")); }, "itself");
  refused([&] { sim.closest_points(sim.find_body("ball"), BodyId{77, 0}); }, "77");
  if (dimension == 2) refused([&] { sim.ray_cast(Eigen::Vector3d::UnitZ(), x); }, "z = 1");
  EXPECT_TRUE(sim.ray_cast(z, 1e-310 * x));  // tiny, but a direction
  EXPECT_TRUE(sim.ray_cast(z, 1e300 * x));
}

}  // namespace
}  // namespace touchstone::testing
