#include "models/stepping_contacts.h"

namespace touchstone {

template <int D>
void SteppingContacts<D>::find(const StepInput<D>& in, const State<D>& state, double margin, double push_speed) {
  // Half of a slip goes within a step: points of one body that ask for different ways do not rock it.
  constexpr double kReturned = 0.5;
  start_ = state;
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
  slips_.clear();
  std::size_t known = 0;  // both lists are in the order of their keys
  for (const Contact<D>& c : found_) {
    SolvedContact<D>& s = list_.emplace_back();
    s.contact = c;
    s.material = in.materials.pair(colliders[c.collider_a()].material, colliders[c.collider_b()].material);
    s.surface_velocity = skin(c.body_b) - skin(c.body_a);
    s.surface_velocity -= c.normal * c.normal.dot(s.surface_velocity);
    while (known < memory_.size() && memory_[known].key < c.key) ++known;
    slips_.push_back(Vec<D>::Zero());
    if (known == memory_.size() || memory_[known].key != c.key) continue;
    const Memory& m = memory_[known];
    s.impulse = h * m.force;
    slips_.back() = m.slip - c.normal * c.normal.dot(m.slip);
    s.return_velocity = (kReturned / h) * slips_.back();
    if (const double speed = s.return_velocity.norm(); speed > push_speed) s.return_velocity *= push_speed / speed;
  }
}

// Of the two material points that were at the contact, tangential.
template <int D>
Vec<D> SteppingContacts<D>::slip_on_the_way(const Contact<D>& c, const State<D>& end) const {
  const auto moved = [&](std::uint32_t body) -> Vec<D> {
    const Vec<D> arm = matrix_of(start_.orientation[body]).transpose() * (c.point - start_.position[body]);
    return end.position[body] + matrix_of(end.orientation[body]) * arm - c.point;
  };
  const Vec<D> slip = moved(c.body_b) - moved(c.body_a);
  return slip - c.normal * c.normal.dot(slip);
}

template <int D>
void SteppingContacts<D>::remember(double h, std::span<const std::uint8_t> sticking, const State<D>& end) {
  memory_.clear();
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const SolvedContact<D>& s = list_[i];
    if (s.impulse.isZero(0)) continue;
    const bool belt = !s.surface_velocity.isZero(0);  // it holds the belt, which goes on
    const Vec<D> slip =
        sticking[i] && !belt ? Vec<D>(slips_[i] + slip_on_the_way(s.contact, end)) : Vec<D>(Vec<D>::Zero());
    memory_.push_back({s.contact.key, s.contact.body_a, s.contact.body_b, s.impulse / h, slip});
  }
}

template class SteppingContacts<2>;
template class SteppingContacts<3>;

}  // namespace touchstone
