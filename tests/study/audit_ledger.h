#pragma once
// The energy of a run, audited: where it came from, as far as the motion of the bodies and the scene tell. The impulse
// that everything but gravity, springs and the table gave to a body in a step is the change of its momentum; no model
// is asked.
#include "study/audit_scene.h"

namespace touchstone::audit {

// At each instant, since the start [J].
struct Ledger {
  std::vector<double> energy;  // kinetic + gravity + springs
  // Work of the one body that moves as the scene says, or of its belt; of motors, where the far side of their joint
  // touches nothing but itself; of the table.
  std::vector<double> put_in;
  // Change of energy that no impulse explains, along the mean velocities of each step: the error of the time
  // integration, and bodies that were moved without a velocity.
  std::vector<double> unexplained;
  // The most of it that can be the latter: motion against gravity beyond that of the velocities before and after.
  std::vector<double> pushed;
  // By how much put_in may be wrong: motors that are not known; forces move with their bodies within a step; impacts
  // may be at any time of it.
  std::vector<double> put_in_slack;
  // By how much the unexplained may be wrong: the same of impacts.
  std::vector<double> slack;
  double beyond(std::size_t k) const { return energy[k] - energy[0] - put_in[k]; }
};

// How deep pairs are in each other after each step; who touches whom in a step, or might: nearer than they could come
// within it.
class Touching {
 public:
  Touching(const Scene& scene, const std::vector<Instant>& run);
  // The deepest pair of the run. ratio: over the size of the smaller body.
  Worst deepest(bool ratio) const;
  // Bodies that touch this one in the step that ends with instant k.
  const std::vector<std::size_t>& partners(std::size_t k, std::size_t body) const { return partners_[k][body]; }
  const std::vector<std::size_t>& at_end(std::size_t body) const { return partners_.back()[body]; }
  bool free(std::size_t k, std::size_t body) const { return partners_[k][body].empty() && !joined_[body]; }
  bool joined(std::size_t body) const { return joined_[body]; }

 private:
  const Scene& scene_;
  const std::vector<Instant>& run_;
  std::vector<std::vector<PairDepth>> depths_;                   // by instant
  std::vector<std::vector<std::vector<std::size_t>>> partners_;  // by instant, by body
  std::vector<bool> joined_;
};

// Impulse and angular impulse about the centre of mass that gravity and springs do not explain [N·s, N·m·s].
struct Rest {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
};
Rest rest_impulse(const Scene& scene, const Instant& before, const Instant& after, std::size_t body);

// events: impulses act at any time of a step, not all together.
Ledger ledger_of(const Scene& scene, const std::vector<Instant>& run, const Touching& touching, bool events);

// The greatest change of momentum, or of spin, of a body that nothing touches, over what it has.
Worst unexplained_momentum(const Scene& scene, const std::vector<Instant>& run, const Touching& touching);

// The steady speed of resting bodies over the last tenth of the run, as docs/compare.md defines creep, by its recorded
// instants.
struct Creeping {
  std::size_t resting = 0;
  double worst = 0, mean = 0, from = 0;
  std::string body;
};
Creeping creep_of(const Scene& scene, const std::vector<Instant>& frames, const Touching& touching);

}  // namespace touchstone::audit
