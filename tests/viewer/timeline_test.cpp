// Going back, changing and dragging: every state can be had again, bit by bit.
#include "viewer/timeline.h"

#include <gtest/gtest.h>

#include <map>

#include "touchstone/scene_file.h"
#include "viewer/scenes.h"

namespace touchstone::viewer {
namespace {

TimelineOptions options(std::uint64_t every, std::size_t bytes = std::size_t{64} << 20) {
  TimelineOptions o;
  o.snapshot_every = every;
  o.history_bytes = bytes;
  return o;
}

void go_to(Timeline& t, std::uint64_t step) {
  t.approach(step);
  while (t.simulation().step_count() < step) t.step();
  ASSERT_EQ(t.simulation().step_count(), step);
}

// The hashes of a plain simulation, without a timeline.
std::vector<std::uint64_t> plain_hashes(const SceneDescription& scene, std::uint64_t steps) {
  Simulation s(scene);
  std::vector<std::uint64_t> hashes{s.state_hash()};
  for (std::uint64_t i = 0; i < steps; ++i) s.step(), hashes.push_back(s.state_hash());
  return hashes;
}

class TimelineOf : public ::testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  SceneDescription scene() const { return test_scene(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};

TEST_P(TimelineOf, IsThePlainSimulation) {
  const auto hashes = plain_hashes(scene(), 120);
  Timeline t(scene(), options(16));
  for (std::uint64_t i = 1; i <= 120; ++i) {
    t.step();
    ASSERT_EQ(t.simulation().state_hash(), hashes[i]) << i;
  }
  EXPECT_FALSE(t.edited());
  for (const std::uint64_t i : {119u, 118u, 47u, 48u, 0u, 1u, 120u, 33u, 17u, 16u, 15u, 90u}) {
    go_to(t, i);
    EXPECT_EQ(t.simulation().state_hash(), hashes[i]) << i;
    EXPECT_EQ(t.head(), 120u);
  }
}

TEST_P(TimelineOf, HistoryIsBounded) {
  const auto hashes = plain_hashes(scene(), 400);
  const std::size_t one = Simulation(scene()).snapshot().size();
  Timeline t(scene(), options(1, 12 * one));
  for (int i = 0; i < 400; ++i) t.step();
  EXPECT_LE(t.history_bytes(), 12 * one);
  EXPECT_GT(t.history_size(), 2u);
  for (const std::uint64_t i : {399u, 200u, 3u, 0u}) {
    go_to(t, i);
    EXPECT_EQ(t.simulation().state_hash(), hashes[i]) << i;
  }
}

// A drag, a change of friction, a change of the step, another drag; then all over it back and forth.
TEST_P(TimelineOf, EditsAreReplayed) {
  for (const std::uint64_t every : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1000}}) {
    Timeline t(scene(), options(every));
    std::map<std::uint64_t, std::uint64_t> hashes;
    std::map<std::uint64_t, double> times;
    const auto run = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        t.step();
        hashes[t.simulation().step_count()] = t.simulation().state_hash();
        times[t.simulation().step_count()] = t.simulation().time();
      }
    };
    run(20);
    EXPECT_FALSE(t.edited());
    t.drag({1, {0.05, 0, 0}, {0.5, 0.3, 0.8}});
    run(10);
    EXPECT_TRUE(t.edited());
    t.drag({1, {0.05, 0, 0}, {-0.5, 0.3, 0.9}});
    run(15);
    t.set_material("default", 0.9, 0.8, 0.3);
    run(5);
    t.set_step_size(0.0015);
    t.release();
    run(12);
    t.set_material("default", 0.1, 0.1, std::nullopt);
    t.set_material("default", 0.2, 0.1, std::nullopt);
    run(20);
    const std::uint64_t end = t.head();
    for (const std::uint64_t i :
         {end - 1, end, std::uint64_t{3}, std::uint64_t{20}, std::uint64_t{21}, std::uint64_t{30}, std::uint64_t{45},
          std::uint64_t{46}, std::uint64_t{50}, std::uint64_t{52}, end}) {
      go_to(t, i);
      EXPECT_EQ(t.simulation().state_hash(), hashes[i]) << "step " << i << ", snapshots every " << every;
      EXPECT_EQ(t.simulation().time(), times[i]) << i;
      EXPECT_EQ(t.edited(), i > 20) << i;
      EXPECT_EQ(t.head(), end);
    }
  }
}

TEST_P(TimelineOf, ANewEditForgetsWhatLayAhead) {
  Timeline t(scene(), options(8));
  for (int i = 0; i < 60; ++i) t.step();
  const std::uint64_t untouched = t.simulation().state_hash();
  go_to(t, 30);
  t.drag({1, {0, 0, 0}, {0.4, 0.4, 0.9}});
  EXPECT_EQ(t.head(), 30u);
  for (int i = 0; i < 30; ++i) t.step();
  EXPECT_NE(t.simulation().state_hash(), untouched);
  const std::uint64_t pulled = t.simulation().state_hash();
  go_to(t, 31);
  go_to(t, 60);
  EXPECT_EQ(t.simulation().state_hash(), pulled);
  t.restart();
  EXPECT_FALSE(t.edited());
  for (int i = 0; i < 60; ++i) t.step();
  EXPECT_EQ(t.simulation().state_hash(), untouched);
}

INSTANTIATE_TEST_SUITE_P(Viewer, TimelineOf,
                         ::testing::Combine(::testing::Values(2, 3), ::testing::Values("impulse", "penalty")),
                         [](const auto& given) {
                           return std::string(std::get<1>(given.param)) + std::to_string(std::get<0>(given.param)) +
                                  "D";
                         });

// The step and the time go on where they were, and a change at the start is another scene, not an edit.
// Robots with their controllers' state, also where temporary joints come and go on the way.
TEST(Timeline, GoesBackWithControllers) {
  const SceneDescription scene = load_scene(TOUCHSTONE_SOURCE_DIR "/scenes/papers/thompson2003/robots.toml");
  const auto hashes = plain_hashes(scene, 500);
  Timeline t(scene, options(37));
  for (const std::uint64_t i : {500, 480, 210, 0, 333, 77, 500}) {
    go_to(t, i);
    EXPECT_EQ(t.simulation().state_hash(), hashes[i]) << i;
  }
}

TEST(Timeline, ChangesOfTheStep) {
  Timeline t(test_scene(3, "impulse"), options(8));
  t.set_step_size(0.002);
  for (int i = 0; i < 10; ++i) t.step();
  EXPECT_FALSE(t.edited());
  SceneDescription same = test_scene(3, "impulse");
  same.step = 0.002;
  EXPECT_EQ(t.simulation().state_hash(), plain_hashes(same, 10)[10]);
  const BodyId ball = t.simulation().find_body("ball");
  const double before = t.simulation().state(ball).center_of_mass.z();
  t.set_step_size(0.0005);
  EXPECT_EQ(t.simulation().state(ball).center_of_mass.z(), before);
  EXPECT_EQ(t.simulation().step_count(), 10u);
  EXPECT_DOUBLE_EQ(t.simulation().time(), 0.02);
  t.step();
  EXPECT_DOUBLE_EQ(t.simulation().time(), 0.0205);
  EXPECT_TRUE(t.edited());
  EXPECT_THROW(t.set_step_size(-1), Error);
  EXPECT_THROW(t.set_step_size(0), Error);
  EXPECT_THROW(t.set_material("default", -1, std::nullopt, std::nullopt), Error);
  EXPECT_THROW(t.set_material("none", 1, 1, 1), Error);
  EXPECT_THROW(t.set_model("none"), Error);
  EXPECT_THROW(t.drag({0, {0, 0, 0}, {0, 0, 0}}), Error) << "the floor does not move";
  EXPECT_THROW(t.drag({999, {0, 0, 0}, {0, 0, 0}}), Error);
  EXPECT_DOUBLE_EQ(t.simulation().time(), 0.0205) << "what was refused has changed nothing";
  EXPECT_DOUBLE_EQ(t.simulation().step_size(), 0.0005);
}

// Friction from here on, by the closed form: a box that slides at v stops after v²/(2μg).
TEST(Timeline, FrictionIsFelt) {
  SceneDescription scene = test_scene(3, "impulse");
  scene.bodies.resize(1);
  BodyDescription box;
  box.name = "box";
  box.placement.position = {0, 0, 0.1};
  box.velocity = {2, 0, 0};
  ShapeDescription cube;
  cube.kind = ShapeKind::kBox;
  cube.size = {0.2, 0.2, 0.2};
  box.shapes = {cube};
  scene.bodies.push_back(box);
  scene.materials = {{"default", 0, 0, 0, 1000}};
  Timeline t(scene, options(50));
  for (int i = 0; i < 100; ++i) t.step();
  const BodyId id = t.simulation().find_body("box");
  EXPECT_NEAR(t.simulation().state(id).velocity.x(), 2, 1e-9);
  const double from = t.simulation().state(id).center_of_mass.x();
  t.set_material("default", 0.5, 0.5, 0);
  for (int i = 0; i < 600; ++i) t.step();
  EXPECT_NEAR(t.simulation().state(id).velocity.x(), 0, 1e-6);
  EXPECT_NEAR(t.simulation().state(id).center_of_mass.x() - from, 2 * 2 / (2 * 0.5 * 9.81), 4e-3);
}

// The dragged point follows x(t) = d (1 − (1 + ωt) e^(−ωt)), whatever the mass and the lever.
TEST(Timeline, DragIsCriticallyDamped) {
  for (const int dimension : {2, 3})
    for (const double density : {10.0, 5000.0}) {
      SceneDescription scene;
      scene.dimension = dimension;
      scene.gravity.setZero();
      scene.model.name = "free";
      scene.step = 2e-4;
      BodyDescription rod;
      rod.name = "rod";
      rod.density = density;
      ShapeDescription box;
      box.kind = ShapeKind::kBox;
      box.size = {1, 0.1, dimension == 2 ? 0 : 0.2};
      rod.shapes = {box};
      scene.bodies = {rod};
      Timeline t(scene, options(100));
      t.drag({0, {0.5, 0, 0}, {0.5, 0.01, 0}});
      for (int i = 0; i < 500; ++i) t.step();
      const BodyState s = t.simulation().state(t.simulation().bodies()[0]);
      const Eigen::Vector3d tip =
          dimension == 2 ? Eigen::Vector3d(s.placement.position.x() + 0.5 * std::cos(s.placement.angle),
                                           s.placement.position.y() + 0.5 * std::sin(s.placement.angle), 0)
                         : Eigen::Vector3d(s.placement.position + s.placement.orientation * Eigen::Vector3d(0.5, 0, 0));
      const double wt = 12 * 500 * 2e-4;
      EXPECT_NEAR(tip.y(), 0.01 * (1 - (1 + wt) * std::exp(-wt)), 2e-5) << dimension << "D, density " << density;
      EXPECT_GT(s.angular_velocity.z(), 0.01);
    }
}

TEST(Timeline, AnotherModelBeginsAnew) {
  Timeline t(test_scene(2, "impulse"), options(8));
  for (int i = 0; i < 30; ++i) t.step();
  t.set_model("penalty");
  EXPECT_EQ(t.simulation().step_count(), 0u);
  EXPECT_EQ(t.simulation().model_name(), "penalty");
  for (int i = 0; i < 30; ++i) t.step();
  EXPECT_EQ(t.simulation().state_hash(), plain_hashes(test_scene(2, "penalty"), 30)[30]);
  t.set_model("impulse");
  for (int i = 0; i < 30; ++i) t.step();
  EXPECT_EQ(t.simulation().state_hash(), plain_hashes(test_scene(2, "impulse"), 30)[30]);
}

}  // namespace
}  // namespace touchstone::viewer
