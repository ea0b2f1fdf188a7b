// Checks at the end of a step, before it counts: numbers are finite, joints are closed, energy is accounted for. A step
// that does not pass fails with the thing named, and the state before it is kept.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/world.h"

namespace touchstone {
namespace {

constexpr double kMostOpen = 1e-3;  // of the smaller body's size: a joint that is open by more holds nothing

// Diameter about the centre of mass; of a body without a shape, from its inertia.
template <int D>
double size_of(const Bodies<D>& bodies, std::uint32_t slot) {
  if (bodies.radius[slot] > 0 || !bodies.dynamic(slot)) return 2 * bodies.radius[slot];
  return 2 * std::sqrt(bodies.inertia[slot].maxCoeff() / bodies.mass[slot]);
}

// Of the smaller of the joint's bodies that has one; the arms of the joint if none has.
template <int D>
double joint_size(const Bodies<D>& bodies, const Joint<D>& j) {
  double size = std::numeric_limits<double>::infinity();
  for (const std::uint32_t body : {j.body_a, j.body_b})
    if (body != kWorldBody)
      if (const double each = size_of(bodies, body); each > 0) size = std::min(size, each);
  if (std::isfinite(size)) return size;
  return std::max(j.body_a == kWorldBody ? 0.0 : j.point_a.norm(), j.body_b == kWorldBody ? 0.0 : j.point_b.norm());
}

}  // namespace

template <int D>
void World<D>::check_state() const {
  const auto finite = [](const auto& rotation) {
    if constexpr (D == 2)
      return std::isfinite(rotation);
    else
      return rotation.coeffs().allFinite();
  };
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (state_.position[i].allFinite() && state_.velocity[i].allFinite() && state_.angular_velocity[i].allFinite() &&
        finite(state_.orientation[i]))
      continue;
    throw Error(
        ErrorKind::kNonFinite,
        fmt::format("body '{}' got a position or velocity that is not finite in step {} (t = {:.6g} s); the state "
                    "before that step is kept",
                    bodies_.name[i], step_count_ + 1, time()));
  }
}

// A joint that was open before, because its bodies were put elsewhere, may close again.
template <int D>
void World<D>::check_joints() const {
  for (const Joint<D>& j : joints_) {
    const double open = joint_errors(j, state_).position, size = joint_size(bodies_, j);
    if (!(open > kMostOpen * size) || open <= joint_errors(j, last_good_).position) continue;
    const auto name = [&](std::uint32_t body) {
      return body == kWorldBody ? std::string("the world") : "'" + bodies_.name[body] + "'";
    };
    throw Error(ErrorKind::kUnstable,
                fmt::format("joint '{}' between {} and {} came apart by {:.3g} m in step {} (t = {:.6g} s), more than "
                            "{:g} of the smaller body ({:.3g} m); the state before that step is kept. Take a smaller "
                            "step, or another model",
                            j.name, name(j.body_a), name(j.body_b), open, step_count_ + 1, time(), kMostOpen, size));
  }
}

// The energy that moving every body by its own size against gravity and steady forces takes, and that of 1 mm/s, which
// is there without gravity, too: less than that nobody sees [J].
template <int D>
double World<D>::least_energy() const {
  constexpr double kSlow = 1e-3;  // [m/s]
  const double gravity = forces_.gravity.norm();
  double sum = 0;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i)
    if (bodies_.dynamic(i)) sum += bodies_.mass[i] * (gravity * size_of(bodies_, i) + 0.5 * kSlow * kSlow);
  for (const SteadyForce<D>& f : forces_.steady) sum += f.force.norm() * size_of(bodies_, f.body) + f.torque.norm();
  return sum;
}

// The body that gained the most kinetic energy in the step.
template <int D>
std::uint32_t World<D>::most_gaining_body() const {
  std::uint32_t most = 0;
  double gain = -std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_.dynamic(i)) continue;
    const auto kinetic = [&](const State<D>& s) {
      return 0.5 * (bodies_.mass[i] * s.velocity[i].squaredNorm() +
                    s.angular_velocity[i].dot(
                        apply_moments(frame_of(s.orientation[i]), bodies_.inertia[i], s.angular_velocity[i])));
    };
    if (const double each = kinetic(state_) - kinetic(last_good_); each > gain || std::isnan(each))
      gain = each, most = i;
  }
  return most;
}

// `after` is the report of the step. Rounding: energies are differences of sums that may be far from zero.
template <int D>
void World<D>::check_energy(const StepReport& after, double law_gain) {
  constexpr double kRounding = 1e-12;
  const auto fail = [&](ErrorKind kind, const std::string& what) {
    const std::uint32_t body = most_gaining_body();
    throw Error(kind,
                fmt::format("{} in step {} (t = {:.6g} s); body '{}' gained the most and moves at {:.3g} m/s. The "
                            "state before that step is kept; take a smaller step, or another model",
                            what, step_count_ + 1, time(), bodies_.name[body], state_.velocity[body].norm()));
  };
  const double made = after.energy_made();
  if (!std::isfinite(made) || !std::isfinite(after.energy())) fail(ErrorKind::kNonFinite, "the energy became infinite");
  // Overlaps may be pushed apart, but not so that nothing else of the scene is left to see.
  constexpr double kMostPushed = 1e3;
  const double pushed = after.correction_work - report_.correction_work;
  if (forces_.gravity.norm() > 0 && pushed > kMostPushed * least_energy())
    fail(ErrorKind::kUnstable,
         fmt::format(
             "overlapping bodies were pushed apart with {:.3g} J, more than {:g} times the energy that lifts every "
             "body by its size,",
             pushed, kMostPushed));
  if (integrator_ == Integrator::kExplicitEuler) return;  // its gain is its own, by name
  guard_.add(made, law_gain, after.kinetic_energy + after.spring_energy + after.contact_energy);
  if (guard_.made() <= EnergyGuard::kMostMade * guard_.by_right()) return;
  const double bound = EnergyGuard::kMostMade * (guard_.by_right() + least_energy()) +
                       kRounding * (std::abs(after.gravity_energy) + after.kinetic_energy);
  if (guard_.made() <= bound) return;
  fail(ErrorKind::kUnstable,
       fmt::format("{:.3g} J came from nowhere, more than {:g} times the energy that the run had by right ({:.3g} J),",
                   guard_.made(), EnergyGuard::kMostMade, bound / EnergyGuard::kMostMade));
}

template void World<2>::check_state() const;
template void World<3>::check_state() const;
template void World<2>::check_joints() const;
template void World<3>::check_joints() const;
template void World<2>::check_energy(const StepReport&, double);
template void World<3>::check_energy(const StepReport&, double);

}  // namespace touchstone
