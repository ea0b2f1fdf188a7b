#pragma once
// Makes contact problems from bodies, contacts and joints, and takes results back to them. It alone knows both sides:
// what a body is, and what a problem is.
//
// Cliques are the dynamic bodies that belong to no mechanism, in the order of their slots: linear, then angular
// velocity; then the mechanisms, with their generalised velocities. Blocks are the contacts in the order given, which
// is that of their keys, then the joints with their rows in the order of joint_rows: equalities in blocks of up to
// three, then limits and motors one by one; then the rows on coordinates of mechanisms. A contact or joint between two
// bodies of one mechanism has one side, on which both Jacobians come together.
#include "contact/contact_problem.h"
#include "contact/loop_filter.h"
#include "contact/mechanism.h"
#include "contact/solve_view.h"
#include "dynamics/joints/joint.h"

namespace touchstone {

template <int D>
struct ProblemInput {
  const Bodies<D>& bodies;
  const State<D>& state;                       // poses; its velocities are not looked at
  std::span<const Twist<D>> before, free;      // one a body: at the start, and with all forces of h
  std::span<const SolvedContact<D>> contacts;  // in the order of their keys; their impulses are the guess
  std::span<const Joint<D>> joints = {};
  std::span<const double> joint_guess = {};  // impulses of the joints' rows; ignored if their number does not fit
  double h = 0;
  bool impact = false;   // an instant: gaps do not close, joints are held in velocity only, motors do nothing
  double push_part = 0;  // of a penetration: how much of it is to go within h, through the velocities
  double push_speed = std::numeric_limits<double>::infinity();  // and how fast at most [m/s]
  bool motors = true;                                           // false: they do nothing
  std::span<const MechanismInput<D>> mechanisms = {};
  std::span<const CoordinateRow> coordinates = {};
  std::span<const double> coordinate_guess = {};  // as joint_guess
};

template <int D>
class ProblemBuilder {
 public:
  // The flag that solvers of its problems check.
  void set_stop(const StopFlag& stop) { data_.stop = stop; }
  // Views of the builder's memory, good until the next build.
  ContactProblem build(const ProblemInput<D>& in);
  ContactProblem problem() const { return data_.view(); }
  std::span<const double> guess() const { return guess_; }
  // The index of the clique that a body moves with, or Clique::kNone.
  std::uint32_t clique_of(std::size_t body) const { return clique_of_[body]; }

  // Joints at the end of the step instead of to first order: with the velocities v so far the bodies come to
  // `predicted`. Sets the joints' correction so that J·v + biases is C there over h, and changes with v by J as before:
  // a Newton step on C(x + h·v) = 0. Returns the greatest error that is left there [m or rad], without the part of it
  // that no impulse takes away (loop_filter.h).
  // `coordinates`: the errors of the rows on coordinates there, or nothing; they are aimed, too.
  double aim_joints(std::span<const Joint<D>> joints, const State<D>& predicted, std::span<const double> v,
                    std::span<const double> coordinates = {});

  // The problem of moving bodies apart where they would penetrate after h with these velocities: the same rows without
  // friction and motion, and the gaps after h. Its velocities, times h, are displacements.
  struct Shift {
    ContactProblem problem;
    double deepest = 0;  // penetration after h, before the shift [m]
  };
  Shift build_shift(std::span<const double> v, double push_part, double push_speed);

  // Results. Twists of bodies that are no clique stay as they are; those of a mechanism's bodies are for the mechanism.
  void read_velocities(std::span<const double> v, std::span<Twist<D>> out) const;
  // The generalised velocities of a mechanism, and what it received besides the impulses of contacts, added to `out`.
  std::span<const double> mechanism_velocities(std::size_t mechanism, std::span<const double> v) const;
  void add_mechanism_impulses(std::size_t mechanism, std::span<const double> impulses, std::span<double> out) const;
  // On B, world axes.
  Vec<D> contact_impulse(std::size_t contact, std::span<const double> impulses) const;
  // Of all joints' rows, to be kept for joint_guess.
  std::span<const double> joint_impulses(std::span<const double> impulses) const {
    return impulses.subspan(joint_row_, coordinate_row_ - joint_row_);
  }
  // Of the rows on coordinates, in their order.
  std::span<const double> coordinate_impulses(std::span<const double> impulses) const {
    return impulses.subspan(coordinate_row_);
  }
  // What B received through a joint, at the poses of the problem.
  JointImpulse<D> joint_impulse(std::size_t index, const Joint<D>& joint, const State<D>& state,
                                std::span<const double> impulses) const;
  // Their work on the cliques, along the mean of the velocities before and after [J]; and of this, the motors' work,
  // counted along the joint's own motion, so that a prescribed body at its other end takes no part in it.
  struct JointWork {
    double all = 0, motors = 0;
  };
  JointWork joint_work(std::span<const Joint<D>> joints, std::span<const double> impulses,
                       std::span<const Twist<D>> before, std::span<const Twist<D>> after) const;
  // What each body received through joints.
  void add_joint_impulses(std::span<const double> impulses, std::span<BodyImpulse<D>> out) const;

 private:
  struct OneJoint {
    std::uint32_t first_row, first, count;  // in the problem, and in rows_
  };
  void add_bodies(const ProblemInput<D>& in);
  void add_body(const ProblemInput<D>& in, std::uint32_t body);
  void add_mechanisms(const ProblemInput<D>& in);
  void add_coordinate(const ProblemInput<D>& in, std::size_t index);
  // One side of a row of a block.
  void put_side(std::uint32_t body, std::uint32_t offset, std::uint32_t i, const Vec<D>& linear,
                const AngVec<D>& angular);
  void set_bounds(const ProblemInput<D>& in, std::uint32_t row, RowKind kind, double target_speed, double max_force,
                  double error, double rate_bias);
  void add_contact(const ProblemInput<D>& in, const SolvedContact<D>& contact);
  void add_joint(const ProblemInput<D>& in, std::size_t index);
  void set_joint_row(const ProblemInput<D>& in, const Joint<D>& joint, const JointRow<D>& row, const RowBlock& block,
                     std::uint32_t i);
  void filter_loops();

  ProblemData data_, shift_;
  std::vector<std::uint32_t> clique_of_, body_of_;  // of bodies; of the cliques that are bodies
  std::vector<const Mechanism<D>*> mechanisms_;     // of the cliques after those
  std::vector<OneJoint> joints_;
  std::vector<JointRow<D>> rows_;
  std::vector<double> guess_, relative_, asked_;
  std::size_t joint_row_ = 0, coordinate_row_ = 0;  // the first
  LoopFilter filter_;
  bool filtered_ = false;  // whether the filter holds the loops of this problem
};

}  // namespace touchstone
