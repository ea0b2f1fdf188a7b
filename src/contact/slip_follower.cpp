// Purpose: follows each contact that sticks from solve to solve and adds up how far its bodies move along each other.
// Source: our own. The way between two solves is that of the bodies' centres and of their turns about the mean arm:
//   Δ = Δx_B − Δx_A + δ_B × r̄_B − δ_A × r̄_A, its part along the surface; poses are used, not velocities, since
//   positions may drift where velocities are right.
// Letters: x centre of mass, δ rotation vector between the solves, r̄ mean of the arms from x to the contact point.
// Deviations: none. Fails: a contact whose key changes begins anew; what it had gathered counts until then. A body that
//   turns by θ between two solves about a contact that stays in place has an error of |r̄|·θ³/12.
#include "contact/slip_follower.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/coulomb_contact.h"
#include "dynamics/free_turn.h"

namespace touchstone {
namespace {

// Of the greatest impulse of the solve: less bears nothing, it is what a solver left over, and its direction anybody's.
constexpr double kBears = 1e-6;

// Rotates a world vector by the rotation vector, to first order: slips are short.
template <int D>
Vec<D> turned(const Vec<D>& v, const AngVec<D>& turn) {
  return v + cross(turn, v);
}

template <int D>
bool sticks_by_law(const SolvedContact<D>& c) {
  const double r_N = c.contact.normal.dot(c.impulse);
  if (!(r_N > 0)) return false;
  const double mu = c.material.static_friction;
  return mu >= kEndlessFriction || (c.impulse - r_N * c.contact.normal).norm() < kSticks * mu * r_N;
}

}  // namespace

template <int D>
typename SlipFollower<D>::Followed SlipFollower<D>::seen(const SolveView<D>& view, const SolvedContact<D>& c) {
  Followed out;
  out.key = c.contact.key;
  out.sticks = sticks_by_law(c);
  out.point = c.contact.point, out.normal = c.contact.normal;
  out.skin = view.h * c.surface_velocity;
  out.position_a = view.state.position[c.contact.body_a], out.position_b = view.state.position[c.contact.body_b];
  out.rotation_a = view.state.orientation[c.contact.body_a], out.rotation_b = view.state.orientation[c.contact.body_b];
  return out;
}

template <int D>
void SlipFollower<D>::add_way(const SolveView<D>& view, const SolvedContact<D>& c, const Followed& before,
                              Followed& now) {
  const auto way = [&](const Vec<D>& x0, const Vec<D>& x1, const AngVec<D>& turn) -> Vec<D> {
    const Vec<D> arm = 0.5 * (before.point - x0 + now.point - x1);
    return x1 - x0 + cross(turn, arm);
  };
  const AngVec<D> turn_a = turn_between(before.rotation_a, now.rotation_a);
  const AngVec<D> turn_b = turn_between(before.rotation_b, now.rotation_b);
  Vec<D> step = way(before.position_b, now.position_b, turn_b) - way(before.position_a, now.position_a, turn_a);
  step += before.skin;
  const Vec<D> normal = (before.normal + now.normal).normalized();
  step -= normal.dot(step) * normal;
  // The slip turns with the body that it is on: the one that does not move freely, if there is one.
  const bool with_a = !view.bodies.dynamic(c.contact.body_a) || view.bodies.dynamic(c.contact.body_b);
  now.slip = turned<D>(before.slip, with_a ? turn_a : turn_b) + step;
}

// Contacts come in the order of their keys, and so are those that are followed.
template <int D>
std::span<const typename SlipFollower<D>::Slip> SlipFollower<D>::follow(const SolveView<D>& view) {
  next_.clear();
  slips_.clear();
  std::size_t at = 0;
  double greatest = 0;
  for (const SolvedContact<D>& c : view.contacts) greatest = std::max(greatest, c.contact.normal.dot(c.impulse));
  for (const SolvedContact<D>& c : view.contacts) {
    Followed now = seen(view, c);
    now.sticks = now.sticks && c.contact.normal.dot(c.impulse) > kBears * greatest;
    while (at < followed_.size() && followed_[at].key < now.key) ++at;
    if (at < followed_.size() && followed_[at].key == now.key && followed_[at].sticks) {
      add_way(view, c, followed_[at], now);
      slips_.push_back({c.contact.body_a, c.contact.body_b, now.slip.norm()});
    }
    if (!now.sticks) now.slip.setZero();
    next_.push_back(now);
  }
  std::swap(followed_, next_);
  return slips_;
}

template class SlipFollower<2>;
template class SlipFollower<3>;

}  // namespace touchstone
