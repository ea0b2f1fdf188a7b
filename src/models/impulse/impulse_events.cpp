// Purpose: a step of the impulse model that stops at every time of impact: collisions are resolved where they happen.
// Source: [bender2006, figure 1]: detection controls the step.
// Deviations: (1) Pairs that touch already are left to the resting contacts, also for corners that are still apart. (2)
//   The motion between two events is a straight line with a constant turn, found by solving the whole rest of the step
//   first; the rest is then solved anew up to the event.
// Fails: after kMostEvents the rest of the step is done without events, and the step is reported as not converged.
#include <algorithm>
#include <cmath>

#include "collision/toi/time_of_impact.h"
#include "models/impulse/impulse_model.h"

namespace touchstone {
namespace {

constexpr int kMostEvents = 500;

}  // namespace

// When the first pair that is apart now comes within the tolerance, moving on with these velocities [s].
template <int D>
double Impulse<D>::time_to_impact(const StepInput<D>& in, double length, const State<D>& state) {
  const ColliderTable<D>& colliders = in.detector.colliders();
  double first = length;
  const auto moving = [&](std::uint32_t i) {
    const Collider<D>& c = colliders[i];
    const Mat<D> R = matrix_of(state.orientation[c.body]);
    Moving<D> m{c.shape(), state.position[c.body] + R * c.p_local(), R * c.R_local()};
    m.center = state.position[c.body];
    m.velocity = state.velocity[c.body];
    m.angular_velocity = turn_of(in, c.body, length, state.angular_velocity[c.body], state) / length;
    return m;
  };
  for (const auto& [ia, ib] : in.detector.pairs()) {
    in.stop.check();
    if (list_.touches(ia, ib)) continue;
    if (!in.bodies.dynamic(colliders[ia].body) && !in.bodies.dynamic(colliders[ib].body)) continue;
    ImpactOptions<D> options;
    options.duration = first;
    options.distance = 0.5 * options_.tolerance;
    options.tolerance = 0.1 * options.distance;
    const Impact<D> impact = conservative_advancement(moving(ia), moving(ib), options);
    if (impact.status == Impact<D>::Status::kHit) first = std::min(first, impact.time);
  }
  return first;
}

template <int D>
void Impulse<D>::step_by_events(const StepInput<D>& in, State<D>& state) {
  constexpr double kShortest = 1e-9;  // of the step: nearer events count as one
  double left = in.h;
  for (int events = 0; left > 0; ++events) {
    in.stop.check();
    const double time = in.time + (in.h - left);
    find_contacts(in, state, time, left, left);
    wake(in, time, left, left, state);
    const bool exact = events < kMostEvents;
    if (!exact) report_.status = StepStatus::kNotConverged;
    const std::int64_t collisions = report_.collisions;
    collide(in, time, left, exact ? 0.0 : left, state);
    if (report_.collisions > collisions) {  // who has turned round meets others on the way back
      list_.note_loads();
      find_contacts(in, state, time, left, left);
    }
    if (exact) list_.keep_touching(options_.tolerance);
    load_contacts(in);
    double length = left;
    if (exact) {
      trial_ = state;
      const ModelReport kept = report_;
      StepInput<D> quiet = in;
      quiet.observer = nullptr;
      kick(quiet, time, options_.verlet ? 0.5 * left : left, trial_, true);
      solve(quiet, time, left, 0, true, trial_, true);
      report_ = kept;
      length = std::max(time_to_impact(in, left, trial_), kShortest * in.h);
      list_.rescale(length / left, in.parallel);
      load_contacts(in);
    }
    if (length >= left * (1 - kShortest)) length = left;
    substep(in, time, length, 0, state);
    store_contacts(in, length, length, state);
    left = length == left ? 0.0 : left - length;
  }
}

#define TOUCHSTONE_INSTANTIATE(D) template void Impulse<D>::step_by_events(const StepInput<D>&, State<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
