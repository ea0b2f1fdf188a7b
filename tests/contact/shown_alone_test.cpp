// Models that process one collision after the other show each by itself and name the bodies that it may move. The
// measures must be those of the same collision shown among all bodies.
#include <map>
#include <random>

#include "contact/hand_made.h"

namespace touchstone::testing {
namespace {

template <int D>
StepMeasures measure_alone(const HandMade<D>& m, std::uint32_t a, std::uint32_t b) {
  const std::array<std::uint32_t, 2> pair{a, b};
  SolveView<D> view = m.view();
  view.moved = pair;
  Yardstick<D> yardstick;
  const Parallel one(1);
  yardstick.begin(m.gravity, one);
  yardstick.solved(view);
  return yardstick.finish();
}

// A collision that makes energy, among bodies that fly: the gain is compared with the energy of all of them.
template <int D>
HandMade<D> gain_among_flying_bodies() {
  HandMade<D> m;
  m.impact = true;
  for (int i = 0; i < 100; ++i) m.before[m.add_body(1, 0.5)].linear = 3 * m.along();
  m.before[1].linear = -2 * m.normal();
  m.fall();
  m.touch(-0.5 * m.normal(), 2 * 5 * m.normal(), 0.0, 1.0);  // leaves at 3 m/s: 5 J more
  m.solve();
  return m;
}

template <int D>
void expect_the_same_gain() {
  const HandMade<D> m = gain_among_flying_bodies<D>();
  const StepMeasures all = m.measure(), alone = measure_alone<D>(m, 0, 1);
  const double energy = 100 * 0.5 * 9 + 0.5 * 2 * 9;  // after the collision
  EXPECT_NEAR(all.impact_gain.worst, 5 / energy, 1e-12);
  EXPECT_NEAR(alone.impact_gain.worst, 5 / (100 * 0.5 * 9 + 0.5 * 2 * 4), 1e-12);  // before it
  EXPECT_EQ(all.natural_map.worst, alone.natural_map.worst);
  EXPECT_EQ(all.contact_gain.worst, alone.contact_gain.worst);
  EXPECT_LT(alone.momentum_error.worst, 1e-12);
}
TEST(ShownAlone, AGainIsComparedWithTheEnergyOfAllBodies2) { expect_the_same_gain<2>(); }
TEST(ShownAlone, AGainIsComparedWithTheEnergyOfAllBodies3) { expect_the_same_gain<3>(); }

TEST(ShownAlone, MomentumThatIsNotThereIsSeen) {
  HandMade<3> m = gain_among_flying_bodies<3>();
  m.after[1].linear += 0.1 * m.along();
  EXPECT_GT(measure_alone<3>(m, 0, 1).momentum_error.worst, 0.01);
}

// Bodies rest where the yardstick compares with m·g·L: the same, alone or among all.
TEST(ShownAlone, CollisionsOfRestingBodiesAreComparedWithTheirWeight) {
  HandMade<3> m;
  m.impact = true;
  m.before[1].linear = -0.01 * m.normal();
  m.fall();
  m.touch(-0.5 * m.normal(), 2 * 0.025 * m.normal(), 0.0, 1.0);
  m.solve();
  EXPECT_GT(m.measure().impact_gain.worst, 0);
  EXPECT_EQ(m.measure().impact_gain.worst, measure_alone<3>(m, 0, 1).impact_gain.worst);
}

// Every contact keeps the greatest defect of its solves, whatever their order.
TEST(ShownAlone, EveryContactKeepsItsWorstResidual) {
  HandMade<3> m;
  m.impact = true;
  m.before[1].linear = -m.normal();
  m.fall();
  m.touch(-0.5 * m.normal(), Vec<3>::Zero(), 0.0);
  Yardstick<3> yardstick;
  const Parallel one(1);
  yardstick.begin(m.gravity, one);
  std::mt19937_64 random(1);
  std::map<std::uint64_t, double> worst;
  const std::array<std::uint32_t, 2> pair{0, 1};
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t key = 1 + random() % 300;
    const double missing = static_cast<double>(random() % 1000) / 1000;
    m.contacts[0].contact.key = key;
    m.contacts[0].impulse = 2 * (1 - missing) * m.normal();  // a body of 2 kg at 1 m/s
    m.solve();
    SolveView<3> view = m.view();
    view.moved = pair;
    yardstick.solved(view);
    worst[key] = std::max(worst[key], missing);
  }
  yardstick.finish();
  ASSERT_GT(worst.size(), 250u);
  for (const auto& [key, missing] : worst) EXPECT_NEAR(yardstick.contact_residual(key), missing, 1e-12) << key;
  EXPECT_EQ(yardstick.contact_residual(301), 0);
}

}  // namespace
}  // namespace touchstone::testing
