// Purpose: contacts that fast bodies make within a substep and that cannot be known from its start. They are found
//   where the bodies would end up, and carried back with the material to where the substep starts.
//   Where that makes no sense, since the two came round a corner, the nearest points of the start are to stay apart.
//   What is thrown against something that nobody had looked at is to stay apart from it as it is now.
// Source: none; [bender2006, figure 1] stops the step at the time of impact, which costs a solve for each.
// Deviations: none.
// Fails: a body that would fly through another one and be out of it again at the end of the substep is left to the
//   contacts of the start, which stop it.
#include "models/impulse/first_touch.h"

#include <algorithm>
#include <atomic>

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

// The normal goes back with its face or its edges, which `sides` names, the points with their bodies. False if the two
// overlap there along that normal by more than `depth`: then it tells nothing of how they came together.
template <int D>
bool FirstTouches<D>::carry_back(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                                 Contact<D>& contact, ContactSides<D>& s, double depth) const {
  constexpr double kTurned = 0.5;  // of a normal between two that have turned: less, and it belongs to neither
  const std::span<const Vec<D>> start = in.detector.positions();
  const std::uint32_t a = contact.body_a, b = contact.body_b;
  const Mat<D> end_a = matrix_of(orientation_[a]), end_b = matrix_of(orientation_[b]);
  const Mat<D> back_a = rotation[a] * end_a.transpose(), back_b = rotation[b] * end_b.transpose();
  describe_sides(in, state, contact, end_a, end_b, s);
  const Vec<D> n_end = contact.normal;
  Vec<D> n = turned_normal(s, n_end, Mat<D>(back_a - Mat<D>::Identity()), Mat<D>(back_b - Mat<D>::Identity()));
  const double length = n.norm();
  if (!(length > kTurned)) return false;
  n /= length;
  const Vec<D> half = 0.5 * contact.gap * n_end;
  Vec<D> p_a = start[a] + s.radius_a * n + back_a * (contact.point - half - s.radius_a * n_end - position_[a]);
  Vec<D> p_b = start[b] - s.radius_b * n + back_b * (contact.point + half + s.radius_b * n_end - position_[b]);
  s.edge_a = back_a * s.edge_a, s.edge_b = back_b * s.edge_b;
  move_to_crossing(s.edge_a, s.edge_b, p_a, p_b);
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

// Bodies that others have knocked out of the bounds that pairs were looked for with, and the pairs that they make.
template <int D>
void FirstTouches<D>::find_knocked(const StepInput<D>& in, const SubstepEnd<D>& end, const ContactList<D>& list) {
  const std::size_t n = in.bodies.size();
  knocked_.clear();
  Vec<D> v;
  AngVec<D> w;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!in.bodies.dynamic(i)) continue;
    get_velocity(end.velocity[i], v, w);
    const Vec<D>&asked = list.displacement()[i], moved = end.h * v;
    const double left = list.reach()[i] - swept_[i];
    const Vec<D> beyond = (moved - asked.cwiseMax(0.0)).cwiseMax(asked.cwiseMin(0.0) - moved);
    if (beyond.maxCoeff() > left) knocked_.push_back(i);
  }
  more_.clear();
  if (knocked_.empty()) return;
  moved_.resize(n);
  for (const std::uint32_t i : knocked_) {
    get_velocity(end.velocity[i], v, w);
    moved_[i] = end.h * v;
  }
  in.detector.find_pairs_beyond(knocked_, moved_, swept_, in.parallel, more_);
  for (const auto& [a, b] : more_)
    needed_[in.detector.colliders()[a].body] = needed_[in.detector.colliders()[b].body] = 1;
}

// Where a body is after a part of the substep.
template <int D>
void FirstTouches<D>::place(const State<D>& start, const SubstepEnd<D>& end, std::uint32_t body, double part) {
  Vec<D> v;
  AngVec<D> w;
  get_velocity(end.velocity[body], v, w);
  position_[body] = start.position[body] + part * end.h * v;
  orientation_[body] = rotate_by(AngVec<D>(part * end.h * w), start.orientation[body]);
}

// Where two that others have knocked against each other are near at the start: it was not looked for.
template <int D>
std::size_t FirstTouches<D>::join_of_start(const StepInput<D>& in, const State<D>& start,
                                           std::span<const Mat<D>> rotation, const SubstepEnd<D>& end,
                                           const ColliderPair& pair, ContactList<D>& list) {
  const std::uint32_t a = in.detector.colliders()[pair.first].body, b = in.detector.colliders()[pair.second].body;
  Vec<D> v_a, v_b;
  AngVec<D> w;
  get_velocity(end.velocity[a], v_a, w);
  get_velocity(end.velocity[b], v_b, w);
  const double most = end.h * (v_b - v_a).norm() + swept_[a] + swept_[b];
  in.detector.look_at(std::span(&pair, 1), start.position, start.orientation, most + end.far, found_before_);
  std::size_t joined = 0;
  for (const Contact<D>& contact : found_before_) joined += list.join(in, start, rotation, contact);
  return joined;
}

// What two that come round a corner touch with first. Their places are left as they were.
template <int D>
std::size_t FirstTouches<D>::join_on_the_way(const StepInput<D>& in, const State<D>& start,
                                             std::span<const Mat<D>> rotation, const SubstepEnd<D>& end,
                                             const ColliderPair& pair, ContactList<D>& list) {
  constexpr int kHalvings = 10;  // of the substep: what moves by 50 mm is found within 50 µm
  const std::uint32_t bodies[2] = {in.detector.colliders()[pair.first].body, in.detector.colliders()[pair.second].body};
  const auto look = [&](double part) {
    for (const std::uint32_t body : bodies) place(start, end, body, part);
    in.detector.look_at(std::span(&pair, 1), position_, orientation_, 0.0, found_before_);
  };
  double apart = 0, together = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (apart + together);
    look(middle);
    (found_before_.empty() ? apart : together) = middle;
  }
  look(together);
  std::size_t joined = 0;
  ContactSides<D> sides;
  for (Contact<D>& contact : found_before_)
    if (carry_back(in, start, rotation, contact, sides, end.depth))
      joined += list.join(in, start, rotation, contact, &sides);
  for (const std::uint32_t body : bodies) place(start, end, body, 1);
  return joined;
}

template <int D>
std::size_t FirstTouches<D>::find(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                                  const SubstepEnd<D>& end, ContactList<D>& list) {
  find_pairs(in, start, end);
  find_knocked(in, end, list);
  if (looked_at_.empty() && more_.empty()) return 0;
  position_.resize(in.bodies.size());
  orientation_.resize(in.bodies.size());
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i)
    if (needed_[i]) place(start, end, i, 1);
  in.detector.look_at(looked_at_, position_, orientation_, 0.0, found_);
  std::size_t joined = join(in, start, rotation, end, list);
  if (more_.empty()) return joined;
  in.detector.look_at(more_, position_, orientation_, 0.0, found_);
  return joined + join(in, start, rotation, end, list);
}

template <int D>
bool FirstTouches<D>::find_thrown(const StepInput<D>& in, const State<D>& now, double h,
                                  std::span<const BodyVelocity<D>> velocity, const ContactList<D>& list) {
  constexpr double kFar = 0.25;  // of its radius, beyond the bounds: less is no flight through anything
  const std::span<const Vec<D>> start = in.detector.positions();
  constexpr std::size_t kGrain = 256;
  const auto is_thrown = [&](std::uint32_t i) {
    if (!in.bodies.dynamic(i)) return false;
    Vec<D> v;
    AngVec<D> w;
    get_velocity(velocity[i], v, w);
    const Vec<D>&asked = list.displacement()[i], moved = now.position[i] - start[i] + h * v;
    const Vec<D> beyond = (moved - asked.cwiseMax(0.0)).cwiseMax(asked.cwiseMin(0.0) - moved);
    return beyond.maxCoeff() > list.reach()[i] + kFar * in.bodies.radius[i];
  };
  std::atomic<bool> any = false;  // hardly ever
  in.parallel.for_ranges(in.bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (is_thrown(static_cast<std::uint32_t>(i))) any.store(true, std::memory_order_relaxed);
  });
  knocked_.clear();
  for (std::uint32_t i = 0; any && i < in.bodies.size(); ++i)
    if (is_thrown(i)) knocked_.push_back(i);
  return any;
}

template <int D>
std::size_t FirstTouches<D>::join_thrown(const StepInput<D>& in, const State<D>& now, double h,
                                         std::span<const BodyVelocity<D>> velocity, ContactList<D>& list) {
  const std::span<const Vec<D>> start = in.detector.positions();
  const std::size_t n = in.bodies.size();
  moved_.resize(n);
  swept_.assign(n, 0.0);
  needed_.assign(n, 0);
  Vec<D> v;
  AngVec<D> w;
  for (const std::uint32_t i : knocked_) {
    get_velocity(velocity[i], v, w);
    moved_[i] = now.position[i] - start[i] + h * v;
    swept_[i] = h * w.norm() * in.bodies.radius[i] + list.reach()[i];
    needed_[i] = 1;
  }
  in.detector.find_pairs_beyond(knocked_, moved_, swept_, in.parallel, more_);
  const ColliderTable<D>& colliders = in.detector.colliders();
  for (const ColliderPair& pair : in.detector.pairs())  // pairs that were too far apart to have contacts
    if ((needed_[colliders[pair.first].body] || needed_[colliders[pair.second].body]) &&
        !list.touches(pair.first, pair.second))
      more_.push_back(pair);
  position_.resize(n);
  orientation_.resize(n);
  std::size_t joined = 0;
  for (const ColliderPair& pair : more_) joined += join_near(in, now, h, velocity, pair, list);
  return joined;
}

// Where the two are near each other now, as far as they may come within h, carried back to the start of the step.
template <int D>
std::size_t FirstTouches<D>::join_near(const StepInput<D>& in, const State<D>& now, double h,
                                       std::span<const BodyVelocity<D>> velocity, const ColliderPair& pair,
                                       ContactList<D>& list) {
  const std::uint32_t a = in.detector.colliders()[pair.first].body, b = in.detector.colliders()[pair.second].body;
  if (!in.bodies.dynamic(a) && !in.bodies.dynamic(b)) return 0;
  Vec<D> v_a, v_b;
  AngVec<D> w_a, w_b;
  get_velocity(velocity[a], v_a, w_a);
  get_velocity(velocity[b], v_b, w_b);
  const auto turns = [&](std::uint32_t body, const AngVec<D>& w) {
    return in.bodies.dynamic(body) ? h * w.norm() * in.bodies.radius[body] : 0.0;
  };
  const double most = h * (v_b - v_a).norm() + turns(a, w_a) + turns(b, w_b);
  in.detector.look_at(std::span(&pair, 1), now.position, now.orientation, most, found_before_);
  for (const std::uint32_t body : {a, b})
    position_[body] = now.position[body], orientation_[body] = now.orientation[body];
  std::size_t joined = 0;
  ContactSides<D> sides;
  for (Contact<D>& contact : found_before_)
    if (carry_back(in, now, in.detector.rotations(), contact, sides, 0.0))
      joined += list.join(in, now, in.detector.rotations(), contact, &sides);
  return joined;
}

// What was found and is too deep.
template <int D>
std::size_t FirstTouches<D>::join(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                                  const SubstepEnd<D>& end, ContactList<D>& list) {
  std::size_t joined = 0;
  for (std::size_t i = 0, next = 0; i < found_.size(); i = next) {
    double deepest = 0;
    for (next = i; next < found_.size() && found_[next].key >> 16 == found_[i].key >> 16; ++next)
      deepest = std::max(deepest, -found_[next].gap);
    if (deepest <= end.depth) continue;
    bool beside = false;
    const std::uint32_t a = found_[i].collider_a(), b = found_[i].collider_b();
    if (!list.touches(a, b)) joined += join_of_start(in, start, rotation, end, {a, b}, list);
    for (; i < next; ++i) {
      ContactSides<D> sides;
      if (!carry_back(in, start, rotation, found_[i], sides, end.depth))
        beside = true;
      else if (list.join(in, start, rotation, found_[i], &sides))
        ++joined;
    }
    if (!beside) continue;
    // It came round a corner: there, and what kept the two apart at the start is to go on doing so.
    joined += join_on_the_way(in, start, rotation, end, {a, b}, list);
    Contact<D> nearest;
    if (in.detector.find_nearest(a, b, end.reach, nearest) && nearest.gap > 0 &&
        list.join(in, start, rotation, nearest))
      ++joined;
  }
  return joined;
}

template class FirstTouches<2>;
template class FirstTouches<3>;

}  // namespace touchstone
