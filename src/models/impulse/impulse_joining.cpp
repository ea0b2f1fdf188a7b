// Contacts that join those of a step of the impulse model once velocities are known, and the bodies that come with
// them.
#include <utility>

#include "models/impulse/impulse_model.h"

namespace touchstone {

// Whether, with these velocities, bodies would touch by the end of h where nothing was found at its start, or was idle.
// What they touch with has then joined the contacts.
template <int D>
bool Impulse<D>::touches_first(const StepInput<D>& in, double h, const State<D>& state) {
  constexpr double kReach = 0.1;  // [m]
  const SubstepEnd<D> end{h, velocity_, 10 * options_.tolerance, 0.5 * options_.tolerance, kReach};
  const std::size_t joined = first_touches_.find(in, state, in.detector.rotations(), end, list_);
  const std::size_t woken = list_.wake_idle(in.detector.positions(), velocity_, h, options_.tolerance);
  if (joined + woken == 0) return false;
  take_in(in, 0, state);
  load_contacts(in);
  return true;
}

// Bodies that have contacts since contacts have joined: how they have moved so far, by themselves.
template <int D>
void Impulse<D>::take_in(const StepInput<D>& in, double elapsed, const State<D>& state) {
  for (const ContactRecord<D>& r : list_.records())
    for (const std::uint32_t body : {r.contact->body_a, r.contact->body_b}) {
      if (std::exchange(touching_[body], 1)) continue;
      start_body(in, state, body);
      if (elapsed == 0) continue;
      Displacement<D>& d = displacement_[body];
      d.dx = state.position[body] - in.detector.positions()[body];
      d.material = matrix_of(state.orientation[body]) * in.detector.rotations()[body].transpose() - Mat<D>::Identity();
      d.turned = elapsed * state.angular_velocity[body];
    }
}

// Whether bodies are thrown so far by others, with these velocities, that they may fly through something within h. What
// that is has then joined the contacts. loaded: those are laid out for the solver.
template <int D>
bool Impulse<D>::meets_thrown(const StepInput<D>& in, double h, double elapsed, bool loaded, const State<D>& state) {
  if (options_.timing != ImpulseTiming::kFixed) return false;  // times of impact are found otherwise
  if (!first_touches_.find_thrown(in, state, h, velocity_, list_)) return false;
  if (loaded) groups_.keep_in(list_.records(), in.parallel);
  if (first_touches_.join_thrown(in, state, h, velocity_, list_) == 0) return false;
  take_in(in, elapsed, state);
  if (loaded) load_contacts(in);
  return true;
}

// Collisions of a substep; who is thrown against something by them collides with that, too.
template <int D>
void Impulse<D>::bounce(const StepInput<D>& in, double time, double h, double elapsed, State<D>& state) {
  constexpr int kThrows = 3;
  for (int i = 0; i < kThrows; ++i) {
    const std::int64_t collisions = report_.collisions;
    collide(in, time, h, h, state);
    if (report_.collisions == collisions) return;
    for (std::size_t k = 0; k < in.bodies.size(); ++k)
      set_velocity(velocity_[k], state.velocity[k], state.angular_velocity[k]);
    if (!meets_thrown(in, h, elapsed, !leaves_idle(h), state)) return;
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                     \
  template bool Impulse<D>::touches_first(const StepInput<D>&, double, const State<D>&);              \
  template bool Impulse<D>::meets_thrown(const StepInput<D>&, double, double, bool, const State<D>&); \
  template void Impulse<D>::bounce(const StepInput<D>&, double, double, double, State<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
