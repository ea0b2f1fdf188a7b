#pragma once
// Shows a substep of a force-based model to the observer as a solve: contact forces become impulses over the substep.
#include "models/contact_model.h"
#include "models/contact_tally.h"

namespace touchstone {

template <int D>
class SubstepWatch {
 public:
  void begin(const State<D>& state, double time, double h);
  // All forces of a stage of the integrator; those of contacts are left out.
  void add_forces(const Bodies<D>& bodies, const WrenchSet<D>& forces, Integrator method, int stage);
  // The contacts of the substep, with their impulses.
  ContactTally<D>& contacts() { return contacts_; }
  // after: where the substep has led. Angular velocities are shown as they are before the bodies turn: the same angular
  // momentum at the orientation where the contacts held. joints: what bodies received through joints, or nothing.
  void show(const StepInput<D>& in, const State<D>& after, std::span<const BodyImpulse<D>> joints = {});

 private:
  double time_ = 0, h_ = 0;
  State<D> start_;
  std::vector<Twist<D>> before_, free_, after_;
  ContactTally<D> contacts_;
  std::vector<SolvedContact<D>> solved_;
};

}  // namespace touchstone
