#pragma once
// Problems whose answers are known, for every solver.
#include <Eigen/LU>
#include <vector>

#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {

// Joints of all kinds in a chain of bodies that move at random: a linear system.
class JointChain {
 public:
  JointChain() : pile_(2) {
    pile_.contacts.clear();
    Dice dice(5);
    for (const JointKind kind : joints_of_equations<3>()) {
      Joint<3> j = random_joined<3>(kind, dice).joint;
      j.body_a = 2 + static_cast<std::uint32_t>(joints_.size()), j.body_b = j.body_a + 1;
      joints_.push_back(j);
    }
    ProblemInput<3> in = pile_.input();
    in.joints = joints_;
    in.impact = true;
    problem_ = builder_.build(in);
  }
  const ContactProblem& problem() const { return problem_; }
  // By direct elimination.
  Eigen::VectorXd impulses() const {
    Delassus delassus;
    delassus.prepare(problem_);
    std::vector<double> q(problem_.rows());
    free_relative_velocity(problem_, q);
    const Eigen::Map<const Eigen::VectorXd> qq(q.data(), static_cast<Eigen::Index>(q.size()));
    return delassus.dense().fullPivLu().solve(-qq);
  }

 private:
  RandomPile<3> pile_;
  std::vector<Joint<3>> joints_;
  ProblemBuilder<3> builder_;
  ContactProblem problem_;
};

// Two bodies of 1 kg on a line go at 1 m/s. An equality, said twice, holds them together; a motor of this strength
// [N·s] wants to go at −1 m/s, and a limit allows no less than −0.5 m/s.
inline ProblemData motor_against_limit(double strength) {
  ProblemData d;
  d.h = 0.01;
  for (int i = 0; i < 2; ++i) {
    const Clique c = d.add_clique(1);
    d.mass[c.mass] = d.inverse_mass[c.mass] = 1;
    d.free_velocity[c.first] = 1;
  }
  for (int i = 0; i < 2; ++i) {
    const RowBlock same = d.add_block(BlockKind::kEquality, 1, 0, 1);
    d.jacobian[same.jacobian_a] = -1, d.jacobian[same.jacobian_b] = 1;
  }
  const RowBlock motor = d.add_block(BlockKind::kMotor, 1, Clique::kNone, 0);
  d.jacobian[motor.jacobian_b] = 1, d.surface[motor.first_row] = 1;
  d.lower[motor.first_row] = -strength, d.upper[motor.first_row] = strength;
  const RowBlock limit = d.add_block(BlockKind::kLimit, 1, Clique::kNone, 1);
  d.jacobian[limit.jacobian_b] = 1, d.correction[limit.first_row] = 0.5;
  return d;
}
// The velocity of both.
inline double speed_of_motor_against_limit(double strength) { return strength < 1 ? 1 - 0.5 * strength : -0.5; }

}  // namespace touchstone::testing
