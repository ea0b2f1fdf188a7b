#include "models/stepping_shift.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

template <int D>
void SteppingShift<D>::find_islands(const StepInput<D>& in, std::span<const SolvedContact<D>> contacts) {
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a != kWorldBody && b != kWorldBody && in.bodies.dynamic(a) && in.bodies.dynamic(b)) islands_.join(a, b);
  };
  islands_.reset(in.bodies.size());
  for (const SolvedContact<D>& c : contacts) join(c.contact.body_a, c.contact.body_b);
  for (const Joint<D>& j : in.joints) join(j.body_a, j.body_b);
  for (const TreeBody& tree : in.trees)
    for (const std::uint32_t body : tree.bodies) join(tree.bodies[0], body);
  island_.assign(in.bodies.size(), Island{});
}

// Gaps at the end of the step as the velocities of its end have led to them, and after the shift; both to first order.
template <int D>
void SteppingShift<D>::measure(const StepInput<D>& in, std::span<const SolvedContact<D>> contacts,
                               std::span<const Twist<D>> shift, const State<D>& state) {
  for (const SolvedContact<D>& solved : contacts) {
    const Contact<D>& c = solved.contact;
    const std::uint32_t moving = in.bodies.dynamic(c.body_a) ? c.body_a : c.body_b;
    if (!in.bodies.dynamic(moving)) continue;
    Island& island = island_[islands_.root(moving)];
    const auto shifted = [&](std::uint32_t body) {
      return in.bodies.dynamic(body)
                 ? Vec<D>(shift[body].linear + cross(shift[body].angular, Vec<D>(c.point - state.position[body])))
                 : Vec<D>(Vec<D>::Zero());
    };
    const double gap =
        c.gap + in.h * c.normal.dot(state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point));
    const double moved = gap + island.part * in.h * c.normal.dot(shifted(c.body_b) - shifted(c.body_a));
    const auto square = [](double g) { return g < 0 ? g * g : 0.0; };
    island.before += square(gap);
    island.after += square(moved);
  }
}

template <int D>
bool SteppingShift<D>::apply(const StepInput<D>& in, std::span<const SolvedContact<D>> contacts, double push_speed,
                             double slop, std::span<const Twist<D>> shift, State<D>& state) {
  constexpr double kLess = 1e-6;  // part of the squares that a shift which had to be cut short must take away
  find_islands(in, contacts);
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    Island& island = island_[islands_.root(i)];
    island.bodies += 1;
    island.fastest = std::max(island.fastest, shift[i].linear.norm() + shift[i].angular.norm() * in.bodies.radius[i]);
  }
  for (Island& island : island_) {
    const double most = 2 * push_speed * island.bodies;  // of a tower, each lifts what is above it
    if (!(island.fastest <= most)) island.part = most / island.fastest;
    if (!std::isfinite(island.fastest)) island.part = 0;
  }
  measure(in, contacts, shift, state);
  bool all = true;
  for (Island& island : island_) {
    const bool cut = island.part < 1;
    if (cut ? island.after < island.before * (1 - kLess) : island.after <= island.before + slop * slop) continue;
    island.part = 0;
    all = false;
  }
  part_.assign(in.bodies.size(), 0.0);
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    part_[i] = island_[islands_.root(i)].part;
    const double h = in.h * part_[i];
    if (h == 0) continue;
    state.position[i] += h * shift[i].linear;
    state.orientation[i] = rotate_by(AngVec<D>(h * shift[i].angular), state.orientation[i]);
  }
  return all;
}

template class SteppingShift<2>;
template class SteppingShift<3>;

}  // namespace touchstone
