// The rows of joints against what they claim to be: J and J̇·v against differences of C along motions, momentum, rank.
#include <gtest/gtest.h>

#include "dynamics/joint_builders.h"

namespace touchstone {
namespace {

template <class T>
class JointRows : public ::testing::Test {
 public:
  static constexpr int kD = T::value;
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(JointRows, Dimensions);

// Every kind, held or disturbed, with and without limits and motor, also with a side fixed to the world.
template <int D, class F>
void for_many(unsigned seed, double push, double turn, F&& check) {
  Dice dice(seed);
  for (const JointKind kind : joint_kinds<D>()) {
    for (int trial = 0; trial < 60; ++trial) {
      Joined<D> j = random_joined<D>(kind, dice);
      if (trial % 2 == 1) give_limits_and_motor(j.joint);
      j.state = disturbed(j.state, push, turn, dice);
      SCOPED_TRACE(::testing::Message() << D << "D, kind " << static_cast<int>(kind) << ", trial " << trial);
      check(j.joint, j.state);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TYPED_TEST(JointRows, JacobianIsTheDerivativeOfTheError) {
  constexpr int D = TestFixture::kD;
  constexpr double kStep = 1e-5;  // central differences: truncation 1e-10, rounding 1e-11
  for_many<D>(1, 0.3, 0.4, [&](const Joint<D>& joint, State<D> state) {
    const std::vector<JointRow<D>> rows = rows_of(joint, state);
    const Eigen::MatrixXd j = jacobian(rows);
    constexpr int kOne = D + kAngular<D>;
    for (int column = 0; column < 2 * kOne; ++column) {
      for (std::size_t b = 0; b < 2; ++b) state.velocity[b].setZero(), state.angular_velocity[b].setZero();
      const auto body = static_cast<std::size_t>(column / kOne);
      if (const int part = column % kOne; part < D)
        state.velocity[body][part] = 1;
      else
        state.angular_velocity[body][part - D] = 1;
      const auto after = rows_of(joint, moved_on(state, kStep)), before = rows_of(joint, moved_on(state, -kStep));
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_NEAR(j(static_cast<Eigen::Index>(i), column), (after[i].error - before[i].error) / (2 * kStep), 2e-8)
            << "row " << i << ", column " << column;
    }
  });
}

TYPED_TEST(JointRows, RateBiasIsTheSecondDerivativeAtConstantVelocity) {
  constexpr int D = TestFixture::kD;
  constexpr double kStep = 1e-5;
  for_many<D>(2, 0.3, 0.4, [&](const Joint<D>& joint, const State<D>& state) {
    const std::vector<JointRow<D>> rows = rows_of(joint, state);
    const State<D> later = moved_on(state, kStep), earlier = moved_on(state, -kStep);
    const auto after = rows_of(joint, later), before = rows_of(joint, earlier);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double slope = (rate_of(after[i], joint, later) - rate_of(before[i], joint, earlier)) / (2 * kStep);
      EXPECT_NEAR(rows[i].rate_bias, slope, 1e-7 * (1 + std::abs(slope))) << "row " << i;
    }
  });
}

TYPED_TEST(JointRows, RowsKeepMomentum) {
  constexpr int D = TestFixture::kD;
  for_many<D>(3, 0.3, 0.8, [&](const Joint<D>& joint, const State<D>& state) {
    for (const JointRow<D>& row : rows_of(joint, state)) {
      EXPECT_LT((row.linear_a + row.linear_b).norm(), 1e-14);
      if (joint.kind == JointKind::kGear) {  // its housing takes what is missing
        EXPECT_EQ(row.angular_a, AngVec<D>(-joint.ratio * row.angular_b));
        continue;
      }
      const AngVec<D> turning = torque_of(state.position[0], row.linear_a) + row.angular_a +
                                torque_of(state.position[1], row.linear_b) + row.angular_b;
      EXPECT_LT(turning.norm(), 1e-13);
    }
  });
}

// The rows of a joint without limits and motor are its equalities; a rope has one limit, a target a motor for each
// axis.
TYPED_TEST(JointRows, CountsAndOrder) {
  constexpr int D = TestFixture::kD;
  const std::vector<int> expected =
      D == 2 ? std::vector<int>{2, 2, 3, 1, 0, 0, 1, 1, 0} : std::vector<int>{3, 5, 5, 6, 1, 4, 0, 0, 0, 4, 3, 5};
  Dice dice(4);
  ASSERT_EQ(expected.size(), joint_kinds<D>().size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    Joined<D> j = random_joined<D>(joint_kinds<D>()[k], dice);
    SCOPED_TRACE(joint_kind_name(j.joint.kind, D));
    const auto rows = rows_of(j.joint, j.state);
    const int others = j.joint.kind == JointKind::kRope ? 1 : j.joint.kind == JointKind::kTarget ? D : 0;
    EXPECT_EQ(static_cast<int>(rows.size()), expected[k] + others);
    EXPECT_EQ(equality_count(j.joint), expected[k]);
    bool seen_angular = false;
    for (const JointRow<D>& row : rows) {
      EXPECT_EQ(row.kind, j.joint.kind == JointKind::kRope     ? RowKind::kUpper
                          : j.joint.kind == JointKind::kTarget ? RowKind::kMotor
                                                               : RowKind::kEquality);
      EXPECT_FALSE(seen_angular && !row.angular) << "linear rows come first";
      seen_angular |= row.angular;
    }
    give_limits_and_motor(j.joint);
    const auto more = rows_of(j.joint, j.state);
    EXPECT_LE(static_cast<int>(more.size()), kMaxJointRows<D>);
    EXPECT_EQ(equality_count(j.joint), j.joint.kind == JointKind::kDistance ? 0 : expected[k]);
    if (j.joint.has_motor) {
      ASSERT_EQ(more.size(), rows.size() + 4);
      EXPECT_EQ(more[rows.size()].kind, RowKind::kLower);
      EXPECT_EQ(more[rows.size() + 1].kind, RowKind::kUpper);
      EXPECT_EQ(more[rows.size() + 2].kind, RowKind::kMotor);
      EXPECT_EQ(more[rows.size() + 2].target_speed, 2.0);
      EXPECT_EQ(more[rows.size() + 2].max_force, 3.0);
      EXPECT_EQ(more.back().kind, RowKind::kFriction);
      EXPECT_EQ(more.back().target_speed, 0.0);
      EXPECT_EQ(more.back().max_force, 0.5);
    }
    if (j.joint.has_motor || j.joint.kind == JointKind::kDistance) {
      j.joint.lower = j.joint.upper = 0.8;
      j.joint.has_motor = false;
      EXPECT_EQ(rows_of(j.joint, j.state).back().kind, RowKind::kEquality);
      EXPECT_EQ(static_cast<int>(rows_of(j.joint, j.state).size()), equality_count(j.joint));
    }
    j.joint.broken = true;
    EXPECT_TRUE(rows_of(j.joint, j.state).empty());
    EXPECT_EQ(equality_count(j.joint), 0);
  }
}

TYPED_TEST(JointRows, HeldJointsHaveNoErrorAndIndependentRows) {
  constexpr int D = TestFixture::kD;
  for_many<D>(5, 0.0, 0.0, [&](Joint<D> joint, const State<D>& state) {
    std::vector<JointRow<D>> rows = rows_of(joint, state);
    rows.resize(static_cast<std::size_t>(equality_count(joint)));
    for (const JointRow<D>& row : rows)  // a screw's is a difference of up to 20 turns, a gear's of angles
      EXPECT_LT(std::abs(row.error), joint.kind == JointKind::kScrew || joint.kind == JointKind::kGear ? 4e-14 : 1e-14);
    // With the coordinate's own row they are still independent: it is what the equalities leave free.
    if (joint.has_motor) rows.push_back(rows_of(joint, state).back());
    if (rows.empty()) return;
    const auto independent = [](const std::vector<JointRow<D>>& r) {
      const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(jacobian(r)).singularValues();
      EXPECT_GT(values.minCoeff(), 0.02 * values.maxCoeff());
    };
    independent(rows);
    joint.body_a = kWorldBody;  // the world's part is gone, and the rest is still independent
    for (JointRow<D>& row : rows) row.linear_a.setZero(), row.angular_a.setZero();
    independent(rows);
  });
}

TYPED_TEST(JointRows, TheWorldHasNoPart) {
  constexpr int D = TestFixture::kD;
  for_many<D>(6, 0.1, 0.2, [&](Joint<D> joint, State<D> state) {
    // A body at the world's frame that does not move says the same as the world itself.
    for (const bool first : {true, false}) {
      const std::size_t body = first ? 0 : 1;
      State<D> placed = state;
      placed.position[body].setZero(), placed.orientation[body] = identity_rotation<D>();
      placed.velocity[body].setZero(), placed.angular_velocity[body].setZero();
      Joint<D> to_world = joint;
      (first ? to_world.body_a : to_world.body_b) = kWorldBody;
      const auto with_body = rows_of(joint, placed), with_world = rows_of(to_world, placed);
      for (std::size_t i = 0; i < with_body.size(); ++i) {
        const JointRow<D>&b = with_body[i], &w = with_world[i];
        EXPECT_EQ(b.error, w.error);
        EXPECT_EQ(b.rate_bias, w.rate_bias);
        EXPECT_EQ(w.linear_a, first ? Vec<D>(Vec<D>::Zero()) : b.linear_a);
        EXPECT_EQ(w.angular_a, first ? AngVec<D>(AngVec<D>::Zero()) : b.angular_a);
        EXPECT_EQ(w.linear_b, first ? b.linear_b : Vec<D>(Vec<D>::Zero()));
        EXPECT_EQ(w.angular_b, first ? b.angular_b : AngVec<D>(AngVec<D>::Zero()));
      }
    }
  });
}

TYPED_TEST(JointRows, FiniteWhereTheyAreSingular) {
  constexpr int D = TestFixture::kD;
  Dice dice(7);
  for (const JointKind kind : joint_kinds<D>()) {
    for (const double turn : {0.0, 1.5707963267948966, 3.141592653589793}) {
      for (int axis = 0; axis < kAngular<D>; ++axis) {
        Joined<D> j = random_joined<D>(kind, dice);
        if (kind != JointKind::kDistance) give_limits_and_motor(j.joint);
        j.joint.frame_a = j.joint.frame_b = identity_rotation<D>();
        j.joint.point_a.setZero(), j.joint.point_b.setZero();
        j.state.position[0] = j.state.position[1];
        j.state.orientation[0] = identity_rotation<D>();
        j.state.orientation[1] = exp_rotation(AngVec<D>(turn * AngVec<D>::Unit(axis)));
        for (const JointRow<D>& row : rows_of(j.joint, j.state)) {
          EXPECT_TRUE(std::isfinite(row.error) && std::isfinite(row.rate_bias));
          EXPECT_TRUE(row.linear_a.allFinite() && row.linear_b.allFinite());
          EXPECT_TRUE(row.angular_a.allFinite() && row.angular_b.allFinite());
        }
        // A flipped joint does not look as if it held.
        const bool flipped = turn > 3 && (kind == JointKind::kFixed || kind == JointKind::kSlider ||
                                          (kind == JointKind::kHinge && D == 3 && axis > 0));
        if (flipped) {
          EXPECT_GT(joint_errors(j.joint, j.state).angle, 1.0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace touchstone
