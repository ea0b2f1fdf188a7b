#include "models/stepping_contacts.h"

#include "dynamics/free_turn.h"

namespace touchstone {

template <int D>
std::vector<Contact<D>>& SteppingContacts<D>::search(const StepInput<D>& in, const State<D>& state, double margin) {
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
  return found_;
}

template <int D>
void SteppingContacts<D>::recognise(const StepInput<D>& in, double push_speed, double slop) {
  // A fifth of a slip goes within a step: points of one body that ask for different ways do not rock it.
  constexpr double kReturned = 0.2;
  const double h = in.h;
  const auto skin = [&](std::uint32_t body) -> Vec<D> {
    const Vec<D>& v = in.bodies.surface_velocity[body];
    return v.isZero(0) ? v : Vec<D>(matrix_of(start_.orientation[body]) * v);
  };
  list_.clear();
  slips_.clear();
  std::size_t known = 0;  // both lists are in the order of their keys
  for (const Contact<D>& c : found_) {
    SolvedContact<D>& s = list_.emplace_back();
    s.contact = c;
    s.material = material_of(in, c);
    s.surface_velocity = skin(c.body_b) - skin(c.body_a);
    s.surface_velocity -= c.normal * c.normal.dot(s.surface_velocity);
    while (known < memory_.size() && memory_[known].key < c.key) ++known;
    slips_.push_back(Vec<D>::Zero());
    if (known == memory_.size() || memory_[known].key != c.key) continue;
    const Memory& m = memory_[known];
    s.impulse = h * m.force;
    if (!m.sticking) continue;
    slips_.back() = slip_since(m, c);
    const double far = slips_.back().norm();
    if (far <= slop) continue;
    s.return_velocity = (kReturned / h * (1 - slop / far)) * slips_.back();
    if (const double speed = s.return_velocity.norm(); speed > push_speed) s.return_velocity *= push_speed / speed;
  }
}

// How far B has slipped along A, with what it had slipped before. The way of a side over the last step is that of its
// centre and of its turn δ about the mean of the arms to the contact point, then and now: exact for a ball that rolls,
// whose arm stays, and to |r|·δ³/12 for a body that turns about the point.
template <int D>
Vec<D> SteppingContacts<D>::slip_since(const Memory& m, const Contact<D>& c) const {
  const auto way = [&](std::uint32_t body, const Pose<D>& before) -> Vec<D> {
    const Vec<D>& x = start_.position[body];
    const Vec<D> arm = 0.5 * (m.point - before.p + c.point - x);
    return x - before.p + cross(turn_between(before.R, start_.orientation[body]), arm);
  };
  const Vec<D> slip = m.slip + way(c.body_b, m.b) - way(c.body_a, m.a);
  return slip - c.normal * c.normal.dot(slip);
}

template <int D>
void SteppingContacts<D>::remember(double h, std::span<const std::uint8_t> sticking) {
  memory_.clear();
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const SolvedContact<D>& s = list_[i];
    const Contact<D>& c = s.contact;
    if (s.impulse.isZero(0)) continue;
    const bool belt = !s.surface_velocity.isZero(0);  // it holds the belt, which goes on
    const auto pose = [&](std::uint32_t body) -> Pose<D> { return {start_.position[body], start_.orientation[body]}; };
    memory_.push_back({c.key, c.body_a, c.body_b, s.impulse / h, slips_[i], sticking[i] && !belt, c.point,
                       pose(c.body_a), pose(c.body_b)});
  }
}

template class SteppingContacts<2>;
template class SteppingContacts<3>;

}  // namespace touchstone
