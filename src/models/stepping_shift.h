#pragma once
// The push-out of velocity-level models: bodies are moved by what was found to take penetrations back, as far as it
// does.
#include <span>
#include <vector>

#include "contact/islands.h"
#include "models/contact_model.h"

namespace touchstone {

template <int D>
class SteppingShift {
 public:
  // Moves bodies by h times `shift` (velocities, by body), island by island. Where penetrations contradict each other,
  // as in a slot that is too narrow, no solver has an answer, and what it gives may lead anywhere: an island goes no
  // faster than push_speed for each of its bodies, and not at all if its penetrations would become more (by more than
  // the slop), or hardly less. False if one was held back like that. The contacts are those of the start of the step,
  // the state that of its end.
  bool apply(const StepInput<D>& in, std::span<const SolvedContact<D>> contacts, double push_speed, double slop,
             std::span<const Twist<D>> shift, State<D>& state);
  // Of the last shift, how much of it each body took.
  const std::vector<double>& parts() const { return part_; }

 private:
  struct Island {
    double bodies = 0, fastest = 0;  // [m/s]
    double before = 0, after = 0;    // squares of penetrations, summed [m²]
    double part = 1;                 // of the shift that is taken
  };
  void find_islands(const StepInput<D>& in, std::span<const SolvedContact<D>> contacts);
  void measure(const StepInput<D>& in, std::span<const SolvedContact<D>> contacts, std::span<const Twist<D>> shift,
               const State<D>& state);

  Islands islands_;
  std::vector<Island> island_;  // by root
  std::vector<double> part_;    // by body
};

}  // namespace touchstone
