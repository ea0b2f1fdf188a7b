#pragma once
// Steps on the level of accelerations: impacts by impulses first, then forces of contacts that touch from d̈ = A·f + b.
#include "contact/solvers/dantzig_contact.h"
#include "models/lcp_stepping.h"

namespace touchstone {

template <int D>
class AccelerationStepping : public LcpStepping<D> {
 public:
  // `regularisation`: 0 for pyramids by pivoting (Baraff), otherwise boxes by Dantzig's method (ODE).
  AccelerationStepping(const SteppingOptions& stepping, const LemkeContactOptions& options, double regularisation)
      : LcpStepping<D>(stepping, options) {
    boxes_.regularisation = regularisation;
    boxes_.passes = 1;
  }
  void check_tree(const TreeBody& tree) override {
    throw Error(ErrorKind::kUnsupported, "robot '" + tree.name +
                                             "': the level of accelerations takes no articulated trees; set level = "
                                             "\"velocity\", or take ncp or convex");
  }

 protected:
  void settle(const StepInput<D>& in, State<D>& state) override;
  void rest(const StepInput<D>& in, State<D>& state) override;
  void push_apart(const StepInput<D>& in, State<D>& state) override;
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override;

 private:
  bool soft() const { return boxes_.regularisation > 0; }
  void find_touching(const StepInput<D>& in, const State<D>& state, bool& closes);
  void find_slides();
  bool solve_forces(const ContactProblem& problem);
  bool stop_reversed(const ContactProblem& problem);
  bool contradicts(const ContactProblem& problem) const;
  void give_impulse(const StepInput<D>& in, const State<D>& state);

  DantzigContactOptions boxes_;
  DantzigContact dantzig_;
  std::vector<SolvedContact<D>> touching_;
  std::vector<std::size_t> index_;       // of those, in the list of contacts
  std::vector<Eigen::Vector2d> slides_;  // one a touching contact: which way it slides, or zero
  std::vector<double> relative_;
};

}  // namespace touchstone
