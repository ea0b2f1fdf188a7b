#pragma once
// The constraints of an instant as a problem in accelerations: J·a + J̇·v = 0 of joints, and the laws of contacts,
// limits and motors. Its velocities are accelerations, and its impulses forces.
#include <functional>

#include "contact/joint_loops.h"
#include "contact/solvers/equality_system.h"
#include "contact/solvers/newton_contact.h"
#include "models/lagrange/stage_contacts.h"

namespace touchstone {

enum class Stabilisation : std::uint8_t { kProjection, kFeedback, kNone };

struct StageOptions {
  EqualityMethod method = EqualityMethod::kAutomatic;
  double tolerance = 1e-12;         // of equations, relative to what is asked for
  double contact_tolerance = 1e-9;  // of contacts, limits and motors, relative to the greatest acceleration asked for
  Stabilisation stabilisation = Stabilisation::kProjection;
  double position_feedback = 0, velocity_feedback = 0;  // k_s, k_d of kFeedback, over h² and h
  double touching = 0;                                  // a limit nearer than this holds [m or rad]
};

// The numbers of a body in a vector over all cliques.
template <int D>
Twist<D> twist_at(const double* from) {
  Twist<D> t;
  for (int k = 0; k < D; ++k) t.linear[k] = from[k];
  for (int k = 0; k < kAngular<D>; ++k) t.angular[k] = from[D + k];
  return t;
}

template <int D>
void put_twist(const Vec<D>& linear, const AngVec<D>& angular, double* to) {
  for (int k = 0; k < D; ++k) to[k] = linear[k];
  for (int k = 0; k < kAngular<D>; ++k) to[D + k] = angular[k];
}

template <int D>
class StageProblem {
 public:
  explicit StageProblem(const StageOptions& options) : options_(options) {}

  // Forces of the constraints at this state, where `wrench` is all other forces. h: of the substep.
  // False if the solver did not converge; `reason` says why.
  bool solve(const StepInput<D>& in, double time, double h, const State<D>& state, std::span<const Wrench<D>> wrench,
             std::span<const RestingContact<D>> contacts);
  // joint_forces: a guess, as joint_forces() gives it.
  void begin_step(const StepInput<D>& in, const State<D>& state, std::span<const double> joint_forces);
  // Other contacts rest from now on: their own forces are the guess.
  void forget_contacts() { guess_.clear(); }
  // Of the rows of joints, at the last stage that had contacts, limits or motors.
  std::span<const double> joint_forces() const { return joint_guess_; }
  const char* reason() const { return reason_; }
  std::int64_t iterations() const { return iterations_; }
  bool only_equalities() const { return only_equalities_; }

  // Of the last solve: what constraints add to the wrench of a body; forces of contacts on B; impulses over a time.
  void add_wrenches(const Bodies<D>& bodies, const State<D>& state, std::vector<Wrench<D>>& out) const;
  Vec<D> contact_force(std::size_t contact) const;
  void add_joint_impulses(const StepInput<D>& in, const State<D>& state, double weight,
                          std::span<JointImpulse<D>> out) const;
  void add_joint_shares(double weight, std::span<BodyImpulse<D>> out) const;
  // Power of joints on dynamic bodies, and of it that of motors along the joints' own motion, at these velocities.
  struct Power {
    double all = 0, motors = 0;
  };
  Power joint_power(const StepInput<D>& in, std::span<const Vec<D>> velocity,
                    std::span<const AngVec<D>> angular_velocity) const;

  // Velocities, at the poses of `start`, with which `move` takes the bodies to where joints hold. Adds the impulses.
  using Move = std::function<const State<D>&()>;
  void aim(const StepInput<D>& in, double h, double tolerance, const State<D>& start, std::span<Twist<D>> twists,
           const Move& move, std::span<JointImpulse<D>> impulses, std::span<BodyImpulse<D>> shares);
  // If joints close a loop, the state of a stage to where they hold.
  void hold(const StepInput<D>& in, double tolerance, State<D>& state);
  // Bodies to where joints hold, in the masses' norm; then their velocities. Returns the greatest error left [m or
  // rad].
  double project(const StepInput<D>& in, double tolerance, State<D>& state);

 private:
  struct OneRow {
    std::uint32_t joint;
    std::uint32_t at;  // in the problem
    JointRow<D> row;
  };
  void begin(const StepInput<D>& in, const State<D>& state);
  void set_free(const StepInput<D>& in, const State<D>& state, std::span<const Wrench<D>> wrench);
  void find_prescribed(const StepInput<D>& in, double time, double h);
  void add_contact(const State<D>& state, const RestingContact<D>& c, double lag);
  void add_joints(const StepInput<D>& in, const State<D>& state, double h);
  void add_rows(const StepInput<D>& in, std::uint32_t index, std::span<const JointRow<D>> rows, BlockKind kind);
  double bias_of(const OneRow& row, const BodyMotion<D>& a, const BodyMotion<D>& b, double h) const;
  bool solve_equalities();
  void make_guess(std::span<const RestingContact<D>> contacts);
  void add_impulses(const StepInput<D>& in, const State<D>& state, double weight, std::span<const double> lambda,
                    std::span<JointImpulse<D>> out) const;
  void add_shares(double weight, std::span<const double> lambda, std::span<BodyImpulse<D>> out) const;
  double correct_positions(const StepInput<D>& in, double tolerance, bool limits, State<D>& state);
  void correct_velocities(const StepInput<D>& in, State<D>& state);
  double error_of_rows(const State<D>& state, double& rounding);
  double error_ahead(const StepInput<D>& in, double h, const State<D>& state);
  void add_equalities(const StepInput<D>& in, const State<D>& state, bool limits);

  const StageOptions options_;
  ProblemData data_;
  std::vector<std::uint32_t> clique_of_, body_of_;
  std::vector<Twist<D>> prescribed_;  // accelerations of kinematic bodies; empty: there are none
  std::vector<OneRow> rows_;
  std::vector<std::uint32_t> contact_row_;
  bool only_equalities_ = true;
  JointLoops joint_loops_;
  std::vector<std::uint32_t> equality_blocks_;
  bool loops_ = false;  // joints close a loop
  bool held_ = false;   // projection_ is that of the state at hand
  ContactSolution solution_;
  std::vector<double> guess_, joint_guess_;
  NewtonContact contacts_;
  EqualitySystem equalities_, projection_;
  Eigen::VectorXd right_, lambda_, response_, aimed_;
  std::vector<Twist<D>> unaimed_;
  const char* reason_ = "";
  std::int64_t iterations_ = 0;
};

}  // namespace touchstone
