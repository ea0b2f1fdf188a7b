#include "models/stepping_contacts.h"

namespace touchstone {

template <int D>
void SteppingContacts<D>::find(const StepInput<D>& in, const State<D>& state, double margin) {
  const std::size_t n = in.bodies.size();
  const double h = in.h, fall = in.forces.gravity.norm() * h * h;
  reach_.resize(n);
  displacement_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    displacement_[i] = h * state.velocity[i];
    reach_[i] =
        h * state.angular_velocity[i].norm() * in.bodies.radius[i] + 0.5 * margin + (in.bodies.dynamic(i) ? fall : 0.0);
  }
  in.detector.find_pairs(state.position, state.orientation, reach_, in.parallel, displacement_);
  const PairMargin<D> wide{margin + fall, h, state.velocity, state.angular_velocity, in.bodies.radius};
  in.detector.find_contacts(state.position, state.orientation, wide, in.parallel, found_);

  const ColliderTable<D>& colliders = in.detector.colliders();
  const auto skin = [&](std::uint32_t body) -> Vec<D> {
    const Vec<D>& v = in.bodies.surface_velocity[body];
    return v.isZero(0) ? v : Vec<D>(matrix_of(state.orientation[body]) * v);
  };
  list_.clear();
  std::size_t known = 0;  // both lists are in the order of their keys
  for (const Contact<D>& c : found_) {
    SolvedContact<D>& s = list_.emplace_back();
    s.contact = c;
    s.material = in.materials.pair(colliders[c.collider_a()].material, colliders[c.collider_b()].material);
    s.surface_velocity = skin(c.body_b) - skin(c.body_a);
    s.surface_velocity -= c.normal * c.normal.dot(s.surface_velocity);
    while (known < memory_.size() && memory_[known].key < c.key) ++known;
    if (known < memory_.size() && memory_[known].key == c.key) s.impulse = h * memory_[known].force;
  }
}

template <int D>
void SteppingContacts<D>::remember(double h) {
  memory_.clear();
  for (const SolvedContact<D>& c : list_)
    if (!c.impulse.isZero(0)) memory_.push_back({c.contact.key, c.contact.body_a, c.contact.body_b, c.impulse / h});
}

template class SteppingContacts<2>;
template class SteppingContacts<3>;

}  // namespace touchstone
