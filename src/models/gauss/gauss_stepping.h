#pragma once
// The two loops of [rote2012] as steps of a world: by positions (figure 7), and by accelerations (figure 6).
#include "models/gauss/body_points.h"
#include "models/gauss/critical_contacts.h"
#include "models/gauss/gauss_program.h"
#include "models/velocity_stepping.h"

namespace touchstone {

// Figure 7 in reduced coordinates: (Q') under (S'), in the velocities (p − p^(ℓ))/Δt.
template <int D>
class GaussPositions : public VelocityStepping<D> {
 public:
  GaussPositions(const SteppingOptions& stepping, const GaussProgramOptions& options, const BodyPointOptions& bodies)
      : VelocityStepping<D>(stepping), options_(options), bodies_(bodies), points_(bodies) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;
  void check_bodies(const Bodies<D>& bodies, const ColliderTable<D>& colliders,
                    std::span<const Joint<D>> joints) override;
  void forget(std::uint32_t body) override {
    VelocityStepping<D>::forget(body);
    found_points_ = false;
  }

 protected:
  void refine(const StepInput<D>& in, const State<D>& state, std::vector<Contact<D>>& found) override;
  void settle(const StepInput<D>& in, State<D>& state) override;
  // What (S') and (S2⁺) ask for besides accelerations, and what takes penetrations back, as a velocity of the contact.
  void ask(const StepInput<D>& in, const State<D>& state, std::span<SolvedContact<D>> contacts) const;
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override;
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override;

  const GaussProgramOptions options_;
  const BodyPointOptions bodies_;
  GaussProgram program_, shift_program_;
  CriticalContacts critical_;

 private:
  void solve_points(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out);

  BodyPoints<D> points_;
  bool found_points_ = false;         // of the bodies as they are now
  const Bodies<D>* world_ = nullptr;  // of the step at hand
  const State<D>* state_ = nullptr;
  ContactSolution of_points_;
  std::vector<double> momentum_;
};

// Figure 6 in reduced coordinates: (Q*) where bodies collide, then (Q) under (S2⁺) at the contacts that touch.
struct AccelerationOptions {
  double touching;    // a gap up to this one is closed [m]
  bool mean = false;  // positions by the mean of the velocities before and after, instead of (3.1)
};

template <int D>
class GaussAccelerations : public GaussPositions<D> {
 public:
  GaussAccelerations(const SteppingOptions& stepping, const GaussProgramOptions& options,
                     const BodyPointOptions& bodies, const AccelerationOptions& level)
      : GaussPositions<D>(stepping, options, bodies), level_(level) {}
  void check_bodies(const Bodies<D>& bodies, const ColliderTable<D>& colliders,
                    std::span<const Joint<D>> joints) override;

 protected:
  void settle(const StepInput<D>& in, State<D>& state) override;
  void rest(const StepInput<D>& in, State<D>& state) override;
  void move(const StepInput<D>& in, State<D>& state) const override;

 private:
  double find_touching(const StepInput<D>& in, const State<D>& state);
  void store_impulses();

  const AccelerationOptions level_;
  std::vector<SolvedContact<D>> touching_;
  std::vector<std::size_t> index_;  // of those, in the list of contacts
};

}  // namespace touchstone
