// Purpose: contacts that a substep need not know of. Most points that are found belong to pairs that pass each other by
//   or stay at some distance. They are told by the velocities before the solve, and asked again after it.
// Source: none.
// Deviations: none.
// Fails: pairs that come together on paths that are bent by more than second order are left to first_touch.cpp.
#include <algorithm>

#include "models/impulse/contact_list.h"

namespace touchstone {
namespace {

// How far apart a contact's points are within h at least: along the normal, and less what turning bends their paths
// and turns the normal by.
template <int D, class VelocityOf>
double least_gap_within(double h, const ContactRecord<D>& r, std::span<const Vec<D>> position, VelocityOf velocity_of) {
  const std::uint32_t a = r.contact->body_a, b = r.contact->body_b;
  Vec<D> v_a, v_b;
  AngVec<D> w_a, w_b;
  velocity_of(a, v_a, w_a), velocity_of(b, v_b, w_b);
  const Vec<D> to_a = arm_of_a<D>(*r.contact, position), to_b = arm_of_b<D>(*r.contact, position);
  const Vec<D> moved = h * (v_b + cross(w_b, to_b) - v_a - cross(w_a, to_a));
  const double turn_a = h * w_a.norm(), turn_b = h * w_b.norm();
  const double bent =
      0.5 * (turn_a * turn_a * to_a.norm() + turn_b * turn_b * to_b.norm()) + (turn_a + turn_b) * moved.norm();
  return r.contact->gap + std::min(0.0, r.contact->normal.dot(moved)) - bent;
}

template <int D, class OfPair>
void for_each_pair(std::span<ContactRecord<D>> records, OfPair of_pair) {
  for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
    const std::uint64_t pair = records[begin].contact->key >> 16;
    for (end = begin + 1; end < records.size() && records[end].contact->key >> 16 == pair;) ++end;
    of_pair(records.subspan(begin, end - begin));
  }
}

}  // namespace

// A pair as a whole: the points of a face are solved together.
template <int D>
void ContactList<D>::set_idle(const State<D>& state, double h, double near) {
  const auto velocity_of = [&](std::uint32_t body, Vec<D>& v, AngVec<D>& w) {
    v = state.velocity[body], w = state.angular_velocity[body];
  };
  const auto works = [&](const ContactRecord<D>& r) {
    return !r.impulse.isZero(0) || !r.total.isZero(0) || r.contact->gap <= near ||
           least_gap_within<D>(h, r, state.position, velocity_of) <= near;
  };
  for_each_pair<D>(records_, [&](std::span<ContactRecord<D>> points) {
    const bool idle = std::none_of(points.begin(), points.end(), works);
    for (ContactRecord<D>& r : points) r.idle = idle;
  });
  for (std::size_t i = 0; i < records_.size(); ++i) gaps_[i] = records_[i].contact->gap;
}

template <int D>
std::size_t ContactList<D>::wake_idle(std::span<const Vec<D>> position, std::span<const BodyVelocity<D>> velocity,
                                      double h, double near) {
  const auto velocity_of = [&](std::uint32_t body, Vec<D>& v, AngVec<D>& w) { get_velocity(velocity[body], v, w); };
  const auto works = [&](const ContactRecord<D>& r) {
    return least_gap_within<D>(h, r, position, velocity_of) <= near;
  };
  std::size_t woken = 0;
  for_each_pair<D>(records_, [&](std::span<ContactRecord<D>> points) {
    if (!points.front().idle || std::none_of(points.begin(), points.end(), works)) return;
    for (ContactRecord<D>& r : points) r.idle = false;
    woken += points.size();
  });
  return woken;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                   \
  template void ContactList<D>::set_idle(const State<D>&, double, double);                                          \
  template std::size_t ContactList<D>::wake_idle(std::span<const Vec<D>>, std::span<const BodyVelocity<D>>, double, \
                                                 double);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
