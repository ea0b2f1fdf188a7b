// Slip that contacts gather while they stick: bodies moved by hand between solves.
#include "contact/slip_follower.h"

#include "contact/hand_made.h"

namespace touchstone::testing {
namespace {

template <int N>
struct Dimension {
  static constexpr int value = N;
};
template <class T>
class SlipOf : public ::testing::Test {};
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(SlipOf, Dimensions);

// A turn in the plane of `along` and `normal`, from the first to the second.
template <int D>
AngVec<D> turn(double angle) {
  if constexpr (D == 2)
    return AngVec<2>(angle);
  else
    return AngVec<3>(0, -angle, 0);
}

template <int D>
void move(HandMade<D>& m, const Vec<D>& way, double angle) {
  m.state.position[1] += way;
  m.state.orientation[1] = compose(exp_rotation(turn<D>(angle)), m.state.orientation[1]);
}

// A contact that bears the weight with a fifth of the friction that it could have.
template <int D>
SolvedContact<D>& hold(HandMade<D>& m) {
  return m.touch(Vec<D>::Zero(), Vec<D>(0.25 * m.normal() + 0.025 * m.along()), 0.5);
}

TYPED_TEST(SlipOf, ASlidingBodyThatShouldStickIsTheWholeWay) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.state.position[1] = m.normal();
  hold(m);
  SlipFollower<D> follower;
  EXPECT_TRUE(follower.follow(m.view()).empty());  // nothing is known of the time before
  for (int i = 1; i <= 10; ++i) {
    move<D>(m, 1e-4 * m.along(), 0);
    m.contacts[0].contact.point += 1e-4 * m.along();
    const auto slips = follower.follow(m.view());
    ASSERT_EQ(slips.size(), 1u);
    EXPECT_NEAR(slips[0].length, i * 1e-4, 1e-15);
    EXPECT_EQ(slips[0].body_b, 1u);
  }
  // Back again: the slip is how far it is from where it began to stick.
  for (int i = 0; i < 10; ++i) move<D>(m, -1e-4 * m.along(), 0), follower.follow(m.view());
  EXPECT_NEAR(follower.follow(m.view())[0].length, 0, 1e-15);
}

// The corner of a sliding box that hardly touches: its impulse is what a solver left over.
TYPED_TEST(SlipOf, AContactThatBearsNothingDoesNotStick) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.state.position[1] = m.normal();
  hold(m).impulse *= 1e-11;
  m.touch(Vec<D>(0.1 * m.along()), Vec<D>(0.25 * m.normal() - 0.125 * m.along()), 0.5);  // it slides
  SlipFollower<D> follower;
  follower.follow(m.view());
  for (int i = 1; i <= 10; ++i) {
    move<D>(m, 1e-4 * m.along(), 0);
    EXPECT_TRUE(follower.follow(m.view()).empty());
  }
}

TYPED_TEST(SlipOf, ARollingBallHasNone) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  const double radius = 0.5;
  m.state.position[1] = radius * m.normal();
  hold(m);
  SlipFollower<D> follower;
  follower.follow(m.view());
  for (int i = 0; i < 100; ++i) {
    move<D>(m, 0.01 * m.along(), -0.01 / radius);
    m.contacts[0].contact.point += 0.01 * m.along();
    for (const auto& slip : follower.follow(m.view())) EXPECT_LT(slip.length, 1e-13);
  }
}

// Positions drift where velocities are right: a body that turns about its contact point by explicit steps leaves it by
// half the square of the turn, each step.
TYPED_TEST(SlipOf, SeesADriftOfPositionsWhereVelocitiesAreRight) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.state.position[1] = m.along();
  hold(m);
  SlipFollower<D> follower;
  follower.follow(m.view());
  const double angle = 1e-3;
  // Exact: the centre goes round the point.
  move<D>(m, (std::cos(angle) - 1) * m.along() + std::sin(angle) * m.normal(), angle);
  EXPECT_LT(follower.follow(m.view())[0].length, 1e-9);  // θ³/12
  move<D>(m, angle * (-std::sin(angle) * m.along() + std::cos(angle) * m.normal()), angle);
  EXPECT_NEAR(follower.follow(m.view())[0].length, 0.5 * angle * angle, 1e-9);
}

TYPED_TEST(SlipOf, SlidingContactsHaveNoneAndBeginAnew) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.state.position[1] = m.normal();
  SolvedContact<D>& c = hold(m);
  const Vec<D> sticking = c.impulse, sliding = 0.25 * m.normal() - 0.125 * m.along();
  SlipFollower<D> follower;
  follower.follow(m.view());
  move<D>(m, 1e-3 * m.along(), 0);
  m.contacts[0].impulse = sliding;  // its friction is at the limit from now on
  EXPECT_NEAR(follower.follow(m.view())[0].length, 1e-3, 1e-15);
  move<D>(m, 1e-3 * m.along(), 0);
  m.contacts[0].impulse = sticking;
  EXPECT_TRUE(follower.follow(m.view()).empty());
  move<D>(m, 1e-5 * m.along(), 0);
  EXPECT_NEAR(follower.follow(m.view())[0].length, 1e-5, 1e-15);
  m.contacts[0].impulse.setZero();  // apart
  follower.follow(m.view());
  EXPECT_TRUE(follower.follow(m.view()).empty());
}

TYPED_TEST(SlipOf, ABodyThatIsCarriedHasNone) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.state.position[1] = m.normal();
  hold(m);
  SlipFollower<D> follower;
  follower.follow(m.view());
  m.state.position[0] += m.along();
  m.contacts[0].contact.point += m.along();
  move<D>(m, m.along(), 0);
  EXPECT_LT(follower.follow(m.view())[0].length, 1e-14);
}

// The yardstick has it over the size of the smaller body, 2 m here.
TYPED_TEST(SlipOf, TheYardstickReportsIt) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.state.position[1] = m.normal();
  hold(m);
  m.free[1].linear = -0.125 * m.normal() - 0.0125 * m.along();
  m.solve();
  Yardstick<D> yardstick;
  const Parallel one(1);
  yardstick.begin(m.gravity, one);
  yardstick.solved(m.view());
  EXPECT_EQ(yardstick.finish().gathered_slip.worst, 0);
  move<D>(m, 1e-3 * m.along(), 0);
  yardstick.begin(m.gravity, one);
  yardstick.solved(m.view());
  const StepMeasures measures = yardstick.finish();
  EXPECT_NEAR(measures.gathered_slip.worst, 1e-3, 1e-15);
  EXPECT_NEAR(measures.gathered_slip_ratio.worst, 5e-4, 1e-15);
  EXPECT_EQ(measures.gathered_slip.body_b, 1u);
}

// Mirtich's model holds a resting body up by collisions that lift it by micrometres: the gain is compared with m·g·L,
// not with the energy of a body that hardly moves.
TYPED_TEST(SlipOf, GainsOfRestingBodiesAreComparedWithTheirWeight) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;  // 2 kg, 8 m/s², L = 2 m: m·g·L = 32 J
  m.impact = true;
  m.before[1].linear = -1e-3 * m.normal();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 3e-3 * m.normal()), 0.0, 1.0);
  m.solve();  // up with 2 mm/s: four times the energy
  const double gain = 0.5 * 2 * (4e-6 - 1e-6);
  EXPECT_NEAR(m.measure().impact_gain.worst, gain / 32, 1e-12);
  m.before[1].linear *= 1000;  // the same at 1 m/s is a gain of 75 % of what there is after it
  m.fall();
  m.contacts[0].impulse *= 1000;
  m.solve();
  EXPECT_NEAR(m.measure().impact_gain.worst, 0.75, 1e-12);
}

// A contact that bears across a gap of micrometres is closed; the gap is reported as what it is.
TYPED_TEST(SlipOf, AGapOfMicrometresIsNoErrorOfMotion) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.125 * m.normal()), 0.5).contact.gap = 1.9e-6;
  m.solve();  // at rest, and the gap stays
  StepMeasures measures = m.measure();
  EXPECT_LT(measures.natural_map.worst, 1e-12);
  EXPECT_NEAR(measures.open_gap.worst, 1.9e-6, 1e-18);
  m.contacts[0].contact.gap = 1e-3;  // more than 1e-4·L
  measures = m.measure();
  EXPECT_NEAR(measures.natural_map_velocity.worst, 1e-3 / m.kStep, 1e-12);
}

}  // namespace
}  // namespace touchstone::testing
