// Purpose: contact points, normals and J̇·v at the stages of an integrator.
// Method: detection at the stage's own poses; contacts are recognised by key, or else by the nearest point of the same
//   pair. J̇·v is a difference quotient of the velocity at the contact, with bodies that go on at constant v and ω: it
//   needs no knowledge of which features touch. A ball that rolls has none, a corner that turns has ω²·r, a ball on a
//   ball v²/(R₁ + R₂) along the normal.
// Letters: u velocity of B relative to A at the contact, n normal; d/dt (n·u) along n, du/dt across it.
// Deviations: -
// Fails: a contact that is not found at a stage keeps its point and normal, and has no J̇·v there.
#include "models/lagrange/stage_contacts.h"

#include <algorithm>
#include <limits>

namespace touchstone {
namespace {

template <int D>
const Contact<D>* counterpart(const std::vector<Contact<D>>& found, const Contact<D>& c, double near) {
  const auto begin = std::lower_bound(found.begin(), found.end(), c.key >> 16,
                                      [](const Contact<D>& f, std::uint64_t pair) { return f.key >> 16 < pair; });
  const Contact<D>* best = nullptr;
  double least = near;
  for (auto f = begin; f != found.end() && f->key >> 16 == c.key >> 16; ++f) {
    if (f->key == c.key) return &*f;
    const double away = (f->point - c.point).norm();
    if (away < least) least = away, best = &*f;
  }
  return best;
}

template <int D>
Vec<D> velocity_at(const State<D>& state, const Contact<D>& c) {
  return state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point);
}

template <int D>
Vec<D> skin_of(const StepInput<D>& in, const State<D>& state, std::uint32_t body) {
  const Vec<D>& v = in.bodies.surface_velocity[body];
  return v.isZero(0) ? v : Vec<D>(matrix_of(state.orientation[body]) * v);
}

}  // namespace

template <int D>
void StageContacts<D>::add(const StepInput<D>& in, const Contact<D>& contact, const PairMaterial& material,
                           const Vec<D>& force) {
  const ColliderPair wanted{contact.collider_a(), contact.collider_b()};
  const std::span<const ColliderPair> pairs = in.detector.pairs();
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), wanted);
  const std::uint32_t pair = static_cast<std::uint32_t>(found - pairs.begin());
  list_.push_back({contact, material, Vec<D>::Zero(), Vec<D>::Zero(), pair, force});
  if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
}

template <int D>
bool StageContacts<D>::has(std::uint64_t key) const {
  const auto found = std::lower_bound(list_.begin(), list_.end(), key,
                                      [](const RestingContact<D>& c, std::uint64_t k) { return c.contact.key < k; });
  return found != list_.end() && found->contact.key == key;
}

template <int D>
void StageContacts<D>::find(const StepInput<D>& in, const State<D>& state, double margin,
                            std::vector<Contact<D>>& out) {
  in.detector.look_at(pairs_, state.position, state.orientation, margin, out);
  std::sort(out.begin(), out.end(), [](const Contact<D>& x, const Contact<D>& y) { return x.key < y.key; });
}

// So short that bodies move by a millionth of their size, and so long that the difference keeps ten digits.
template <int D>
double StageContacts<D>::difference_time(const StepInput<D>& in, const State<D>& state) const {
  constexpr double kPart = 1e-6;
  double rate = 0;
  for (const RestingContact<D>& c : list_) {
    for (const std::uint32_t body : {c.contact.body_a, c.contact.body_b}) {
      if (!in.bodies.dynamic(body)) continue;
      const double size = std::max(in.bodies.radius[body], std::numeric_limits<double>::min());
      rate = std::max(rate, velocity_at(state, c.contact).norm() / size + state.angular_velocity[body].norm());
    }
  }
  return rate > 0 ? std::min(kPart / rate, in.h) : 0.0;
}

template <int D>
void StageContacts<D>::set_motion(const StepInput<D>& in, const State<D>& state, RestingContact<D>& c) const {
  const Vec<D> skin = skin_of(in, state, c.contact.body_b) - skin_of(in, state, c.contact.body_a);
  const Vec<D>& n = c.contact.normal;
  c.velocity = velocity_at(state, c.contact) + skin - n * n.dot(skin);
}

template <int D>
void StageContacts<D>::place(const StepInput<D>& in, const State<D>& state, double margin) {
  if (list_.empty()) return;
  find(in, state, margin, found_);
  for (RestingContact<D>& c : list_) {
    if (const Contact<D>* now = counterpart(found_, c.contact, margin)) {
      const std::uint64_t key = c.contact.key;
      c.contact = *now;
      c.contact.key = key;
    }
    set_motion(in, state, c);
    c.bend.setZero();
  }
  const double step = difference_time(in, state);
  if (step == 0) return;
  advanced_ = state;
  for (std::size_t i = 0; i < state.size(); ++i) {
    advanced_.position[i] += step * state.velocity[i];
    advanced_.orientation[i] = rotate_by(AngVec<D>(step * state.angular_velocity[i]), state.orientation[i]);
  }
  find(in, advanced_, margin, ahead_);
  for (RestingContact<D>& c : list_) {
    const Contact<D>* next = counterpart(ahead_, c.contact, margin);
    if (!next) continue;
    const Vec<D> u = velocity_at(state, c.contact), v = velocity_at(advanced_, *next);
    const Vec<D>& n = c.contact.normal;
    const Vec<D> change = (v - u) / step;
    c.bend = change - n * n.dot(change) + n * ((next->normal.dot(v) - n.dot(u)) / step);
  }
}

template class StageContacts<2>;
template class StageContacts<3>;

}  // namespace touchstone
