// Purpose: contacts that fast bodies make within a substep and that cannot be known from its start. They are found
//   where the bodies would end up, and carried back with the material to where the substep starts.
//   Where that makes no sense, since the two came round a corner, the nearest points of the start are to stay apart.
// Source: none; [bender2006, figure 1] stops the step at the time of impact, which costs a solve for each.
// Deviations: none.
// Fails: a body that would fly through another one and be out of it again at the end of the substep is left to the
//   contacts of the start, which stop it.
#include "models/impulse/first_touch.h"

#include <algorithm>

namespace touchstone {
namespace {

// Two points of lines that cross, moved along them to where they are nearest. Only those follow the gap as bodies turn.
void move_to_crossing(const Vec<3>& e_a, const Vec<3>& e_b, Vec<3>& p_a, Vec<3>& p_b) {
  const Vec<3> across = e_a.cross(e_b), apart = p_b - p_a;
  const double square = across.squaredNorm();
  if (square == 0) return;
  p_a += e_a * (apart.cross(e_b).dot(across) / square);
  p_b += e_b * (apart.cross(e_a).dot(across) / square);
}
void move_to_crossing(const Vec<2>&, const Vec<2>&, Vec<2>&, Vec<2>&) {}

}  // namespace

// The normal goes back with its face or its edges, the points with their bodies. False if the two overlap there along
// that normal by more than `depth`: then it tells nothing of how they came together.
template <int D>
bool FirstTouches<D>::carry_back(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                                 Contact<D>& contact, double depth) const {
  const std::uint32_t a = contact.body_a, b = contact.body_b;
  const Mat<D> end_a = matrix_of(orientation_[a]), end_b = matrix_of(orientation_[b]);
  const Mat<D> back_a = rotation[a] * end_a.transpose(), back_b = rotation[b] * end_b.transpose();
  ContactSides<D> s;
  describe_sides(in, start, contact, end_a, end_b, s);
  const Vec<D>& n_end = contact.normal;
  const Vec<D> n =
      turned_normal(s, n_end, Mat<D>(back_a - Mat<D>::Identity()), Mat<D>(back_b - Mat<D>::Identity())).normalized();
  const Vec<D> half = 0.5 * contact.gap * n_end;
  Vec<D> p_a = start.position[a] + s.radius_a * n + back_a * (contact.point - half - s.radius_a * n_end - position_[a]);
  Vec<D> p_b = start.position[b] - s.radius_b * n + back_b * (contact.point + half + s.radius_b * n_end - position_[b]);
  move_to_crossing(back_a * s.edge_a, back_b * s.edge_b, p_a, p_b);
  contact.normal = n;
  contact.gap = n.dot(p_b - p_a);
  // Along a face the gap is the same everywhere: the corner decides where it is.
  contact.point = s.normal_a * (p_b - 0.5 * contact.gap * n) + (1 - s.normal_a) * (p_a + 0.5 * contact.gap * n);
  return contact.gap >= -depth;
}

// Pairs that move far against each other, and may be together at the end.
template <int D>
void FirstTouches<D>::find_pairs(const StepInput<D>& in, const State<D>& start, const SubstepEnd<D>& end) {
  const ColliderTable<D>& colliders = in.detector.colliders();
  const std::span<const ColliderPair> pairs = in.detector.pairs();
  const std::size_t n = in.bodies.size();
  looked_at_.clear();
  swept_.assign(n, 0.0);
  needed_.assign(n, 0);
  Vec<D> v_a, v_b;
  AngVec<D> w;
  for (std::size_t i = 0; i < n; ++i) {
    if (!in.bodies.dynamic(i)) continue;
    get_velocity(end.velocity[i], v_a, w);
    swept_[i] = end.h * w.norm() * in.bodies.radius[i];
  }
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    const std::uint32_t a = colliders[pairs[k].first].body, b = colliders[pairs[k].second].body;
    const bool moves_a = in.bodies.dynamic(a), moves_b = in.bodies.dynamic(b);
    if (!moves_a && !moves_b) continue;
    get_velocity(end.velocity[a], v_a, w);
    get_velocity(end.velocity[b], v_b, w);
    const Vec<D> moved = end.h * (v_b - v_a);
    const double most = moved.norm() + swept_[a] + swept_[b];
    if (most <= end.far || most < in.detector.least_gap(k)) continue;
    const double reach = in.bodies.radius[a] + in.bodies.radius[b];
    if (moves_a && moves_b && (start.position[b] - start.position[a] + moved).squaredNorm() > reach * reach) continue;
    looked_at_.push_back(k);
    needed_[a] = needed_[b] = 1;
  }
}

template <int D>
void FirstTouches<D>::place(const StepInput<D>& in, const State<D>& start, const SubstepEnd<D>& end) {
  const std::size_t n = in.bodies.size();
  position_.resize(n);
  orientation_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!needed_[i]) continue;
    Vec<D> v;
    AngVec<D> w;
    get_velocity(end.velocity[i], v, w);
    position_[i] = start.position[i] + end.h * v;
    orientation_[i] = rotate_by(AngVec<D>(end.h * w), start.orientation[i]);
  }
}

template <int D>
std::size_t FirstTouches<D>::find(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                                  const SubstepEnd<D>& end, ContactList<D>& list) {
  find_pairs(in, start, end);
  if (looked_at_.empty()) return 0;
  place(in, start, end);
  in.detector.look_at(looked_at_, position_, orientation_, 0.0, found_);
  std::size_t joined = 0;
  for (std::size_t i = 0, next = 0; i < found_.size(); i = next) {
    double deepest = 0;
    for (next = i; next < found_.size() && found_[next].key >> 16 == found_[i].key >> 16; ++next)
      deepest = std::max(deepest, -found_[next].gap);
    if (deepest <= end.depth) continue;
    bool beside = false;
    const std::uint32_t a = found_[i].collider_a, b = found_[i].collider_b;
    for (; i < next; ++i) {
      if (!carry_back(in, start, rotation, found_[i], end.depth))
        beside = true;
      else if (list.join(in, start, rotation, found_[i]))
        ++joined;
    }
    // It came round a corner: what kept the two apart at the start is to go on doing so.
    Contact<D> nearest;
    if (beside && in.detector.find_nearest(a, b, end.reach, nearest) && nearest.gap > 0 &&
        list.join(in, start, rotation, nearest))
      ++joined;
  }
  return joined;
}

template class FirstTouches<2>;
template class FirstTouches<3>;

}  // namespace touchstone
