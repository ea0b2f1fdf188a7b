// That a solver can use the rows: Newton iterations on C with the pseudo-inverse of J, and the impulses they report.
#include <gtest/gtest.h>

#include "dynamics/joint_builders.h"

namespace touchstone {
namespace {

// Moves both bodies by −J⁺·C until C is below 1e-12; returns the iterations, or -1 if they do not suffice.
template <int D>
int solve_positions(const Joint<D>& joint, State<D>& state, int most) {
  constexpr int kOne = D + kAngular<D>;
  for (int i = 0; i <= most; ++i) {
    std::vector<JointRow<D>> rows = rows_of(joint, state);
    rows.resize(static_cast<std::size_t>(equality_count(joint)));
    Eigen::VectorXd c(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) c[static_cast<Eigen::Index>(k)] = rows[k].error;
    if (c.cwiseAbs().maxCoeff() < 1e-12) return i;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian(rows), Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXd move = -svd.solve(c);
    for (int b = 0; b < 2; ++b) {
      const auto body = static_cast<std::size_t>(b);
      state.position[body] += move.segment<D>(b * kOne);
      state.orientation[body] = rotate_by(AngVec<D>(move.segment<kAngular<D>>(b * kOne + D)), state.orientation[body]);
    }
  }
  return -1;
}

template <int D>
void converges(double push, double turn, int most) {
  Dice dice(11);
  for (const JointKind kind : joint_kinds<D>()) {
    for (int trial = 0; trial < 100; ++trial) {
      Joined<D> j = random_joined<D>(kind, dice);
      State<D> state = disturbed(j.state, push, turn, dice);
      if (equality_count(j.joint) == 0) continue;
      const int iterations = solve_positions(j.joint, state, most);
      ASSERT_GE(iterations, 0) << D << "D, kind " << static_cast<int>(kind) << ", trial " << trial << ": error "
                               << joint_errors(j.joint, state).position << " m, " << joint_errors(j.joint, state).angle
                               << " rad";
    }
  }
}
TEST(JointNewton, ConvergesFromLargeErrors2) { converges<2>(0.1, 0.3, 8); }
TEST(JointNewton, ConvergesFromLargeErrors3) { converges<3>(0.1, 0.3, 8); }
// Each body turned by 1.2 rad: up to 2.4 rad between them.
TEST(JointNewton, ConvergesFromVeryLargeErrors2) { converges<2>(0.5, 1.2, 30); }
TEST(JointNewton, ConvergesFromVeryLargeErrors3) { converges<3>(0.5, 1.2, 30); }

// Nearly half a turn off about any axis, a joint comes back the right way round.
TEST(JointNewton, FlippedJointsComeBack) {
  Dice dice(12);
  for (const JointKind kind : {JointKind::kHinge, JointKind::kFixed, JointKind::kSlider}) {
    for (int trial = 0; trial < 100; ++trial) {
      Joined<3> j = random_joined<3>(kind, dice);
      j.joint.point_a.setZero(), j.joint.point_b.setZero();  // the rotation alone
      j.state.position[1] = j.state.position[0];
      const Vec<3> axis = matrix_of(compose(j.state.orientation[0], j.joint.frame_a)).col(1);
      j.state.orientation[1] = rotate_by(Vec<3>(dice.number(2.0, 3.0) * axis), j.state.orientation[1]);
      ASSERT_GE(solve_positions(j.joint, j.state, 30), 0);
      const Mat<3> a = matrix_of(compose(j.state.orientation[0], j.joint.frame_a));
      const Mat<3> b = matrix_of(compose(j.state.orientation[1], j.joint.frame_b));
      EXPECT_NEAR(a.col(0).dot(b.col(0)), 1.0, 1e-12);
      if (kind != JointKind::kHinge) {
        EXPECT_LT((a - b).norm(), 1e-11);
      }
    }
  }
}

// The reported impulse, put on B at the joint's point and taken from A, does to the bodies what the rows did.
template <int D>
void impulses_agree() {
  Dice dice(13);
  for (const JointKind kind : joint_kinds<D>()) {
    if (kind == JointKind::kGear) continue;  // A does not receive the opposite of what B does
    for (int trial = 0; trial < 20; ++trial) {
      Joined<D> j = random_joined<D>(kind, dice);
      give_limits_and_motor(j.joint);
      j.state = disturbed(j.state, 0.05, 0.1, dice);
      const auto rows = rows_of(j.joint, j.state);
      std::vector<double> lambda;
      for (std::size_t i = 0; i < rows.size(); ++i) lambda.push_back(dice.number(-1, 1));
      Vec<D> on_a = Vec<D>::Zero(), on_b = Vec<D>::Zero();
      AngVec<D> turn_a = AngVec<D>::Zero(), turn_b = AngVec<D>::Zero();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        on_a += lambda[i] * rows[i].linear_a, on_b += lambda[i] * rows[i].linear_b;
        turn_a += lambda[i] * rows[i].angular_a, turn_b += lambda[i] * rows[i].angular_b;
      }
      const Vec<D> point = joint_point_b(j.joint, j.state);
      const auto check = [&](const Joint<D>& joint, const std::vector<JointRow<D>>& r) {
        const JointImpulse<D> p = joint_impulse<D>(joint, j.state, r, lambda);
        EXPECT_LT((p.linear - on_b).norm(), 1e-13);
        EXPECT_LT((p.angular + torque_of(Vec<D>(point - j.state.position[1]), p.linear) - turn_b).norm(), 1e-13);
        EXPECT_LT((p.linear + on_a).norm(), 1e-13);
        EXPECT_LT((p.angular + torque_of(Vec<D>(point - j.state.position[0]), p.linear) + turn_a).norm(), 1e-13);
      };
      check(j.joint, rows);
      // If B were the world, its part is worked out from A's.
      State<D>& s = j.state;
      Joint<D> to_world = j.joint;
      to_world.body_b = kWorldBody;
      to_world.point_b = joint_point_b(j.joint, s);
      std::vector<JointRow<D>> half = rows;
      for (JointRow<D>& row : half) row.linear_b.setZero(), row.angular_b.setZero();
      check(to_world, half);
    }
  }
}
TEST(JointImpulse, SaysWhatTheRowsDid2) { impulses_agree<2>(); }
TEST(JointImpulse, SaysWhatTheRowsDid3) { impulses_agree<3>(); }

// Signs and ranges of the coordinates, by hand.
Joined<3> at_origin(JointKind kind) {
  Joined<3> j;
  j.joint.kind = kind;
  j.joint.body_a = 0, j.joint.body_b = 1;
  j.state.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    j.state.position[i].setZero(), j.state.orientation[i] = Eigen::Quaterniond::Identity();
    j.state.velocity[i].setZero(), j.state.angular_velocity[i].setZero();
  }
  return j;
}

TEST(JointCoordinate, HingeAngleIsOfBAgainstAAboutTheAxis) {
  Joined<3> j = at_origin(JointKind::kHinge);
  for (const double angle : {-3.1, -1.0, 0.0, 0.7, 3.1}) {
    j.state.orientation[1] = exp_rotation(Vec<3>(angle, 0, 0));
    j.state.angular_velocity[1] = Vec<3>(0.5, 0, 0);
    EXPECT_NEAR(joint_coordinate(j.joint, j.state).value, angle, 1e-14);
    EXPECT_NEAR(joint_coordinate(j.joint, j.state).rate, 0.5, 1e-14);
  }
  j.state.orientation[0] = exp_rotation(Vec<3>(0.3, 0, 0));
  EXPECT_NEAR(joint_coordinate(j.joint, j.state).value, 2.8, 1e-14);
  // Half a turn is +π, from either side of the quaternion.
  j.state.orientation[0] = Eigen::Quaterniond::Identity();
  for (const double sign : {1.0, -1.0}) {
    j.state.orientation[1] = Eigen::Quaterniond(0, sign, 0, 0);
    EXPECT_NEAR(joint_coordinate(j.joint, j.state).value, 3.141592653589793, 1e-15);
  }
}

TEST(JointCoordinate, LimitsNearHalfATurnDoNotJump) {
  Joined<3> j = at_origin(JointKind::kHinge);
  j.joint.lower = 0, j.joint.upper = 3.1;
  j.state.orientation[1] = exp_rotation(Vec<3>(3.3, 0, 0));
  const std::vector<JointRow<3>> rows = rows_of(j.joint, j.state);
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_NEAR(rows[5].error, 3.3, 1e-14);
  EXPECT_NEAR(rows[6].error, -0.2, 1e-14);
  EXPECT_NEAR(joint_errors(j.joint, j.state).angle, 0.2, 1e-14);
}

TEST(JointCoordinate, SliderAndDistance) {
  Joined<3> j = at_origin(JointKind::kSlider);
  j.state.position[1] = Vec<3>(-0.4, 0, 0);
  j.state.velocity[1] = Vec<3>(2, 0, 0);
  j.joint.lower = -0.3, j.joint.upper = 1;
  EXPECT_NEAR(joint_coordinate(j.joint, j.state).value, -0.4, 1e-15);
  EXPECT_NEAR(joint_coordinate(j.joint, j.state).rate, 2, 1e-15);
  EXPECT_NEAR(joint_errors(j.joint, j.state).position, 0.1, 1e-15);
  EXPECT_EQ(joint_errors(j.joint, j.state).velocity, 0.0) << "it moves back from the limit";
  j.state.velocity[1] = Vec<3>(-2, 0, 0);
  EXPECT_NEAR(joint_errors(j.joint, j.state).velocity, 2, 1e-15);

  Joined<3> rope = at_origin(JointKind::kDistance);
  rope.joint.upper = 5;
  rope.state.position[1] = Vec<3>(3, 4, 0);
  rope.state.velocity[1] = Vec<3>(3, 4, 0);
  EXPECT_NEAR(joint_coordinate(rope.joint, rope.state).value, 5, 1e-15);
  EXPECT_NEAR(joint_coordinate(rope.joint, rope.state).rate, 5, 1e-15);
  EXPECT_EQ(rows_of(rope.joint, rope.state).size(), 1u);
  EXPECT_EQ(rows_of(rope.joint, rope.state)[0].kind, RowKind::kUpper);
}

}  // namespace
}  // namespace touchstone
