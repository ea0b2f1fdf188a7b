// Contact events: begin, persist and end in the right steps, also when bodies go, steps fail and worlds are restored.
#include <gtest/gtest.h>

#include <limits>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Kind = ContactEvent::Kind;

class EventsOf : public ::testing::TestWithParam<int> {
 protected:
  int dimension = GetParam();
  Eigen::Vector3d z = up(GetParam());
  // A ball that falls 1 mm onto the floor and bounces, and a box that rests.
  SceneDescription scene() const {
    SceneDescription s = empty_scene(dimension);
    s.materials = {material(0.5, 0.8)};
    s.bodies = {
        fixed("floor", half_space(z)), body("ball", sphere(0.1), 0.101 * z),
        body("box", dimension == 2 ? box(0.2, 0.2) : box(0.2, 0.2, 0.2), 0.1 * z + 2 * Eigen::Vector3d::UnitX())};
    return s;
  }
};
INSTANTIATE_TEST_SUITE_P(Both, EventsOf, ::testing::Values(2, 3));

std::vector<ContactEvent> of_body(const Simulation& sim, BodyId id) {
  std::vector<ContactEvent> out;
  for (const ContactEvent& e : sim.contact_events())
    if (e.body_a == id || e.body_b == id) out.push_back(e);
  return out;
}

TEST_P(EventsOf, FollowTheContactsOfEveryStep) {
  Simulation sim(scene());
  const BodyId ball = sim.find_body("ball");
  EXPECT_TRUE(sim.contact_events().empty());
  bool touched = false;
  int begins = 0, ends = 0, persists = 0;
  for (int i = 0; i < 1000; ++i) {
    sim.step();
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
    bool touches = false;
    for (std::size_t k = 0; k < sim.contact_count(); ++k)
      if (const ContactReport c = sim.contact(k); c.body_b == ball || c.body_a == ball) {
        touches = true;
        impulse += c.body_b == ball ? c.impulse : -c.impulse;
      }
    const auto events = of_body(sim, ball);
    ASSERT_EQ(events.size(), touched || touches ? 1u : 0u) << i;
    if (!events.empty()) {
      const ContactEvent& e = events[0];
      EXPECT_EQ(e.kind, !touched ? Kind::kBegin : touches ? Kind::kPersist : Kind::kEnd) << i;
      begins += e.kind == Kind::kBegin, ends += e.kind == Kind::kEnd, persists += e.kind == Kind::kPersist;
      EXPECT_NEAR((e.impulse - impulse).norm(), 0, 1e-15);
      EXPECT_NEAR((e.normal - z).norm(), 0, 1e-12);
      EXPECT_EQ(e.body_a, sim.find_body("floor"));
      EXPECT_EQ(e.shape_b, 0u);
    }
    touched = touches;
  }
  EXPECT_GT(begins, 2);  // it bounces
  EXPECT_GE(begins, ends);
  EXPECT_LE(begins - ends, 1);
  EXPECT_GT(persists, 10);
  const auto box_events = of_body(sim, sim.find_body("box"));
  ASSERT_EQ(box_events.size(), 1u);  // one for its several contact points
  EXPECT_EQ(box_events[0].kind, Kind::kPersist);
}

TEST_P(EventsOf, ARemovedBodyEndsItsContactsInTheNextStep) {
  Simulation sim(scene());
  const BodyId crate = sim.find_body("box");
  while (of_body(sim, crate).empty()) sim.step();
  sim.step();
  ASSERT_EQ(of_body(sim, crate)[0].kind, Kind::kPersist);
  sim.remove_body(crate);
  // Its slots go to another body, which touches the floor at once.
  const BodyId next = sim.add_body(body("next", sphere(0.1), 0.0999 * z + 2 * Eigen::Vector3d::UnitX()));
  ASSERT_EQ(next.index, crate.index);
  sim.step();
  const auto gone = of_body(sim, crate), come = of_body(sim, next);
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].kind, Kind::kEnd);
  EXPECT_EQ(gone[0].impulse.norm(), 0);
  ASSERT_EQ(come.size(), 1u);
  EXPECT_EQ(come[0].kind, Kind::kBegin);
  sim.step();
  EXPECT_TRUE(of_body(sim, crate).empty());
  // A body that is put elsewhere ends its contact too.
  BodyState s = sim.state(next);
  s.placement.position += 3 * z;
  sim.set_state(next, s);
  sim.step();
  ASSERT_EQ(of_body(sim, next).size(), 1u);
  EXPECT_EQ(of_body(sim, next)[0].kind, Kind::kEnd);
}

bool same(const ContactEvent& a, const ContactEvent& b) {
  return a.kind == b.kind && a.body_a == b.body_a && a.body_b == b.body_b && a.shape_a == b.shape_a &&
         a.shape_b == b.shape_b && a.point == b.point && a.normal == b.normal && a.gap == b.gap &&
         a.impulse == b.impulse;
}

TEST_P(EventsOf, SurviveASnapshotBitByBit) {
  Simulation sim(scene());
  std::vector<std::vector<ContactEvent>> history;
  std::vector<std::byte> saved;
  for (int i = 0; i < 300; ++i) {
    sim.step();
    if (i >= 50) history.emplace_back(sim.contact_events().begin(), sim.contact_events().end());
    if (i == 50) saved = sim.snapshot();
  }
  Simulation again(scene());
  again.restore(saved);
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (i > 0) again.step();
    ASSERT_TRUE(std::equal(history[i].begin(), history[i].end(), again.contact_events().begin(),
                           again.contact_events().end(), same))
        << i;
  }
}

TEST_P(EventsOf, AFailedStepLeavesThem) {
  Simulation sim(scene());
  while (sim.contact_events().empty()) sim.step();
  const std::vector<ContactEvent> before(sim.contact_events().begin(), sim.contact_events().end());
  sim.set_force_callback([&](ForceContext& c) {
    c.add_force(sim.find_body("ball"), Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
  });
  EXPECT_THROW(sim.step(), Error);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), sim.contact_events().begin(), sim.contact_events().end(), same));
  sim.set_force_callback(nullptr);
  sim.step();
  for (const ContactEvent& e : of_body(sim, sim.find_body("box"))) EXPECT_EQ(e.kind, Kind::kPersist);
}

}  // namespace
}  // namespace touchstone::testing
