#pragma once
// What velocity-level models share: the order of a step, bounces, joints, work, push-out without speed, memory and
// reports. A model adds its laws: how a contact problem is solved.
#include <span>
#include <vector>

#include "contact/impact_law.h"
#include "contact/problem_builder.h"
#include "contact/solvers/contact_solution.h"
#include "models/contact_tally.h"
#include "models/stepping_contacts.h"
#include "models/stepping_options.h"
#include "models/stepping_shift.h"
#include "models/stepping_trees.h"

namespace touchstone {

template <int D>
class VelocityStepping : public TalliedModel<D> {
 public:
  explicit VelocityStepping(const SteppingOptions& options) : options_(options) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;
  std::span<const JointImpulse<D>> joint_impulses() const override { return memory_.joint_impulses; }
  void undo() override {
    contacts_.restore_memory();
    tally_.clear();
    trees_.restore_memory();
    memory_ = start_memory_;
  }
  void forget(std::uint32_t body) override {
    contacts_.forget(body);
    tally_.forget(body);
    trees_.forget();
    memory_.joint_guess.clear();
  }
  void forget_joints() override { memory_ = {}, trees_.forget_trees(); }
  void serialize(Archive& ar) override { ar(contacts_), ar(tally_), ar(memory_), ar(trees_); }

 protected:
  // Impulses and velocities under the laws of the model. `guess`: impulses by row, or nothing.
  virtual void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) = 0;
  // A problem without friction, to a tolerance [m/s]. What is not found goes on in the next step.
  virtual void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) = 0;

  void begin(const StepInput<D>& in);
  // The parts of a step that a model may do otherwise. refine(): the contacts that were found, in the order of their
  // keys; nothing here. settle(): between bounces and forces; nothing here. rest(): from velocities with forces (free_)
  // to those of the end of the step, with all its counting. push_apart(): drift.
  virtual void refine(const StepInput<D>&, const State<D>&, std::vector<Contact<D>>&) {}
  virtual void settle(const StepInput<D>&, State<D>&) {}
  virtual void rest(const StepInput<D>& in, State<D>& state);
  virtual void push_apart(const StepInput<D>& in, State<D>& state);
  // Dynamic bodies to the end of the step, with the velocities that they have there.
  virtual void move(const StepInput<D>& in, State<D>& state) const { coast(in.bodies, in.h, state, in.parallel); }

  const SteppingOptions& stepping() const { return options_; }
  static constexpr double kPushPart = 0.5;  // of a penetration, a step: all of it would overshoot where bodies turn
  struct Memory {
    std::vector<double> joint_guess;  // mean forces and torques of the joints' rows over the last step
    std::vector<JointImpulse<D>> joint_impulses;
    void serialize(Archive& ar) { ar(joint_guess), ar(joint_impulses); }
  };
  void count_work(const StepInput<D>& in);
  bool run(const ContactProblem& problem, std::span<const double> guess);
  void require(bool converged) {
    if (converged) return;
    // The first failure; it counts more than that a solve before merely went another way.
    if (report_.status == StepStatus::kOk || !*report_.reason)
      report_.reason =
          solution_.status == SolveStatus::kConverged ? "joints do not close within joint_tolerance" : solution_.reason;
    report_.status = StepStatus::kNotConverged;
  }
  double take(const StepInput<D>& in, State<D>& state);
  // The problem of before_ and free_. `guess`: impulses of the joints' rows.
  ProblemInput<D> input(const StepInput<D>& in, const State<D>& state, std::span<const SolvedContact<D>> contacts,
                        bool impact, std::span<const double> guess = {});
  void move_by_shift(const StepInput<D>& in, State<D>& state);
  // Solves again until the joints hold where the bodies come to. False if they do not, or if the last solve failed.
  bool aim_at_joints(const StepInput<D>& in, const State<D>& state);
  void keep_joint_guess(double h);
  void show(const StepInput<D>& in, const State<D>& state, bool impact, std::span<const SolvedContact<D>> contacts);
  const SteppingOptions options_;
  SteppingContacts<D> contacts_;
  ProblemBuilder<D> builder_;
  ContactSolution solution_, shift_;
  ImpactLaw impact_law_;
  SteppingShift<D> shifts_;
  SteppingTrees<D> trees_;
  ExternalForces<D> forces_;
  WrenchSet<D> wrenches_;
  std::vector<SolvedContact<D>> impacts_;
  std::vector<std::size_t> impact_of_;  // index in the list of contacts
  std::vector<Vec<D>> totals_;          // impulses of the step, one a contact
  std::vector<std::uint8_t> sticking_;  // one a contact
  std::vector<Twist<D>> before_, free_, after_;
  std::vector<BodyImpulse<D>> joint_shares_;
  std::vector<double> guess_;
  State<D> predicted_;
  using TalliedModel<D>::tally_;
  Memory memory_, start_memory_;
  ModelReport report_;

 private:
  double impact_speed(const StepInput<D>& in) const;
  bool select_impacts(const StepInput<D>& in, const State<D>& state);
  bool resolve_impacts(const StepInput<D>& in, const ContactProblem& problem);
  void bounce(const StepInput<D>& in, State<D>& state);
  void kick(const StepInput<D>& in, State<D>& state);
  void fit_to_joints(const StepInput<D>& in, State<D>& state);
  void report_contacts(const StepInput<D>& in, const State<D>& state);
};

template <int D>
void read_twists(const State<D>& state, std::vector<Twist<D>>& out) {
  out.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) out[i] = {state.velocity[i], state.angular_velocity[i]};
}

}  // namespace touchstone
