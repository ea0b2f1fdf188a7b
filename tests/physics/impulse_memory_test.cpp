// What contacts hand on from step to step under `impulse`: it is where it was after snapshots, failed steps and removed
// bodies, whether a step searched for contacts once or several times.
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "physics/scene_builders.h"
#include "touchstone/simulation.h"

namespace touchstone::testing {
namespace {

// Boxes that fall fast, so that steps of 1/60 s are cut into pieces, and come to rest on each other.
SceneDescription falling_boxes(int dimension, const char* timing) {
  SceneDescription scene = empty_scene(dimension, 1.0 / 60);
  scene.model = {"impulse", {{"timing", std::string(timing)}}};
  scene.materials = {material(0.6, 0.1)};
  scene.bodies = {fixed("floor", half_space(up(dimension)))};
  for (int i = 0; i < 10; ++i) {
    Eigen::Vector3d at = (0.3 + 0.5 * i) * up(dimension);
    at.x() += 0.03 * (i % 3);
    BodyDescription b = body("b" + std::to_string(i), dimension == 2 ? box(0.4, 0.3) : box(0.4, 0.3, 0.3), at);
    b.velocity = -4 * up(dimension);
    b.placement.angle = 0.1 * i;
    b.placement.orientation = Eigen::AngleAxisd(0.1 * i, Eigen::Vector3d(1, 2, 0.5).normalized());
    scene.bodies.push_back(b);
  }
  return scene;
}

class ImpulseMemoryIn : public ::testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  static constexpr int kSteps = 90;
  SceneDescription scene_ = falling_boxes(std::get<0>(GetParam()), std::get<1>(GetParam()));
  std::vector<std::uint64_t> expected_;

  void SetUp() override {
    Simulation sim(scene_);
    for (int i = 0; i < kSteps; ++i) {
      sim.step();
      expected_.push_back(sim.state_hash());
    }
    EXPECT_GT(sim.contact_count(), 5u);
  }
  // Before each step `before` may do what should leave no trace.
  template <class Before>
  void expect_the_same(Before before) {
    Simulation sim(scene_);
    for (int i = 0; i < kSteps; ++i) {
      before(sim, i);
      sim.step();
      ASSERT_EQ(sim.state_hash(), expected_[static_cast<std::size_t>(i)]) << "step " << i;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseMemoryIn,
                         ::testing::Combine(::testing::Values(2, 3), ::testing::Values("fixed", "events")),
                         [](const auto& i) {
                           return std::to_string(std::get<0>(i.param)) + "D_" + std::get<1>(i.param);
                         });

TEST_P(ImpulseMemoryIn, LookingAtItChangesNothing) {
  expect_the_same([](Simulation& sim, int) { EXPECT_GT(sim.snapshot().size(), 0u); });
}

TEST_P(ImpulseMemoryIn, ASnapshotHasIt) {
  expect_the_same([this](Simulation& sim, int step) {
    if (step % 7 != 3) return;
    Simulation other(scene_);
    for (int k = 0; k < 5; ++k) other.step();
    other.restore(sim.snapshot());
    sim.restore(other.snapshot());
  });
}

// At the first call nothing has been searched for, later some of the step is over.
TEST_P(ImpulseMemoryIn, AFailedStepGivesItBack) {
  for (const int fails_at : {1, 2, 3}) {
    int failed = 0;
    expect_the_same([&](Simulation& sim, int step) {
      if (step % 5 != 2) return;
      int calls = 0;
      const BodyId id = sim.find_body("b3");
      sim.set_force_callback([&](ForceContext& c) {
        if (++calls >= fails_at) c.add_force(id, {std::numeric_limits<double>::infinity(), 0, 0});
      });
      const auto before = sim.snapshot();
      try {
        sim.step();
        sim.restore(before);  // it asked for forces less often
      } catch (const Error&) {
        ++failed;
      }
      sim.set_force_callback(nullptr);
    });
    EXPECT_GT(failed, 0) << fails_at;
  }
}

// A body that is not there any more leaves nothing to who gets its slot.
TEST_P(ImpulseMemoryIn, ItGoesWithABody) {
  Simulation sim(scene_);
  for (int i = 0; i < kSteps; ++i) sim.step();
  const std::size_t before = sim.contact_count();
  sim.remove_body(sim.find_body("b0"));
  EXPECT_LT(sim.contact_count(), before);
  for (std::size_t i = 0; i < sim.contact_count(); ++i) {
    EXPECT_NO_THROW(sim.state(sim.contact(i).body_a));
    EXPECT_NO_THROW(sim.state(sim.contact(i).body_b));
  }
  const auto saved = sim.snapshot();
  sim.step();
  const std::uint64_t after = sim.state_hash();
  sim.restore(saved);
  sim.step();
  EXPECT_EQ(sim.state_hash(), after);
}

}  // namespace
}  // namespace touchstone::testing
