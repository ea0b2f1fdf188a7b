#pragma once
// Velocity-level time stepping under friction pyramids: how a problem of the step is solved, and what is done where
// that fails.
#include "contact/solvers/lemke_contact.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "models/velocity_stepping.h"

namespace touchstone {

template <int D>
class LcpStepping : public VelocityStepping<D> {
 public:
  LcpStepping(const SteppingOptions& stepping, const LemkeContactOptions& options)
      : VelocityStepping<D>(stepping), pyramids_(options) {}

 protected:
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override;
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override {
    sweeps_.solve(problem, {tolerance, 1000, true}, {}, out);
  }

  const LemkeContactOptions pyramids_;
  LemkeContact lemke_;
  NonsmoothGaussSeidel sweeps_;

 private:
  ContactSolution polished_;
};

}  // namespace touchstone
