#include "models/impulse/contact_list.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/room.h"

namespace touchstone {
namespace {

constexpr double kRests = 1e-6;  // [m/s] slip below which static friction may hold: a micrometre a second
// [m] Pairs are known at this distance at least: what others knock against them may touch within the step, and is then
// looked for among the pairs (first_touch.cpp).
constexpr double kPairMargin = 0.01;
constexpr double kFar = 1, kFarIfBouncing = 0.25;  // of a body's radius, in a step

template <int D>
bool share_sides(const Contact<D>& a, const Contact<D>& b) {
  return a.key >> 16 == b.key >> 16 && a.normal == b.normal;
}

template <int D>
void fill(const State<D>& state, const Contact<D>& contact, const ContactSides<D>& sides, ContactRecord<D>& r) {
  r.contact = &contact;
  r.sides = &sides;
  r.slip.setZero(), r.impulse.setZero(), r.total.setZero();
  r.stuck = r.rests = r.idle = false;
  if (sides.material->static_friction > sides.material->dynamic_friction) {
    const Vec<D> u = state.point_velocity(contact.body_b, contact.point) -
                     state.point_velocity(contact.body_a, contact.point) + sides.skin;
    r.rests = (u - contact.normal * contact.normal.dot(u)).norm() <= kRests;
  }
}

}  // namespace

template <int D>
typename ContactList<D>::Late& ContactList<D>::late() {
  if (late_count_ == late_.size()) late_.push_back(std::make_unique<Late>());
  return *late_[late_count_++];
}

template <int D>
bool ContactList<D>::join(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                          const Contact<D>& contact, const ContactSides<D>* turning) {
  constexpr double kSame = 1e-6;  // [rad] between normals: at an arm of a metre a micrometre; of gaps [m]
  const auto place = std::lower_bound(records_.begin(), records_.end(), contact.key,
                                      [](const auto& r, std::uint64_t key) { return r.contact->key < key; });
  const bool known = place != records_.end() && place->contact->key == contact.key;
  const bool parallel = known && (place->contact->normal - contact.normal).norm() < kSame;
  const auto of_pair = [&](const ContactRecord<D>& r) { return r.contact->key >> 16 == contact.key >> 16; };
  const auto turns_alike = [&](const ContactSides<D>& s) {
    return !turning || (s.normal_a == turning->normal_a && (s.edge_a - turning->edge_a).norm() < kSame);
  };
  const bool there = parallel && std::abs(place->contact->gap - contact.gap) < kSame && turns_alike(*place->sides);
  if (there && !place->idle) return false;
  auto first = place;
  while (first != records_.begin() && of_pair(*std::prev(first))) --first;
  for (; first != records_.end() && of_pair(*first); ++first) first->idle = false;
  if (there) return true;
  Late& joined = late();
  joined.contact = contact;
  describe_pair(in, state, rotation, contact, joined.sides);
  if (turning) {
    joined.sides.normal_a = turning->normal_a, joined.sides.normal_b = turning->normal_b;
    joined.sides.edge_a = turning->edge_a, joined.sides.edge_b = turning->edge_b;
  }
  ContactRecord<D> r;
  fill(state, joined.contact, joined.sides, r);
  if (parallel) r.impulse = place->impulse, r.slip = place->slip, r.stuck = place->stuck, r.rests = place->rests;
  if (known) {
    r.total = place->total;
    *place = r;
  } else {
    gaps_.insert(gaps_.begin() + (place - records_.begin()), contact.gap);
    records_.insert(place, r);
  }
  return true;
}

// Velocities after h if nothing were in the way: a body that is about to be pushed hard must not be missed. Gravity is
// left to the margin of all pairs. False if there is no other force.
template <int D>
bool ContactList<D>::look_ahead(const StepInput<D>& in, const State<D>& state, double time, double h) {
  const ForceModel<D>& f = in.forces;
  if (!f.any_applied && !f.user && f.steady.empty() && f.springs.empty() && !f.any_joint_force) return false;
  velocity_ = state.velocity, turning_ = state.angular_velocity;
  forces_.reset(in.bodies.size());
  evaluate_forces(in.bodies, f, time, h, state, forces_, Evaluation::kPreview);
  const std::vector<Wrench<D>>& wrench = forces_.total();
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    velocity_[i] += h * (in.bodies.inv_mass[i] * wrench[i].force - in.bodies.gravity_scale[i] * f.gravity);
    const double faster = h * wrench[i].torque.norm() * in.bodies.inv_inertia[i].maxCoeff();
    turning_[i] = AngVec<D>::Unit(0) * (turning_[i].norm() + faster);
  }
  return true;
}

template <int D>
void ContactList<D>::find(const StepInput<D>& in, const State<D>& state, double time, double h, double substep,
                          double margin, double reuse, bool alone, Scratch& scratch, Scratch& known) {
  recall(known, in.parallel);
  const std::span<const Passed> passed = unreported_ ? set_aside(in.bodies, state, scratch) : std::span<Passed>();
  const std::size_t n = in.bodies.size();
  reach_.resize(n);
  displacement_.resize(n);
  const bool forced = look_ahead(in, state, time, h);
  const std::span<const Vec<D>> velocity = forced ? velocity_ : state.velocity;
  const std::span<const AngVec<D>> turning = forced ? turning_ : state.angular_velocity;
  const double fall = in.forces.gravity.norm() * h * h;
  // Who moves far may be turned round, or aside, and fly through what lies there within the same step.
  const double far = in.materials.bounces() ? kFarIfBouncing : kFar;
  for (std::size_t i = 0; i < n; ++i) {
    displacement_[i] = h * velocity[i];
    reach_[i] = h * turning[i].norm() * in.bodies.radius[i] + 0.5 * std::max(margin, kPairMargin) +
                (in.bodies.dynamic(i) ? fall : 0.0);
    const double way = displacement_[i].norm();
    if (in.bodies.dynamic(i) && way > far * in.bodies.radius[i]) reach_[i] += way;
  }
  in.detector.find_pairs(state.position, state.orientation, reach_, in.parallel, displacement_);
  const PairMargin<D> wide{margin + fall, h, velocity, turning, in.bodies.radius, alone};
  in.detector.find_parts(wide, in.parallel, reuse);
  const std::size_t parts = in.detector.part_count();
  late_count_ = 0;
  sides_begin_.resize(parts + 1);
  in.parallel.for_ranges(parts, 1, [&](std::size_t p, std::size_t) {
    const std::span<const Contact<D>> found = in.detector.part(p);
    std::size_t count = found.empty() ? 0 : 1;
    for (std::size_t i = 1; i < found.size(); ++i) count += !share_sides(found[i - 1], found[i]);
    sides_begin_[p] = count;
  });
  part_begin_.assign(1, 0);
  std::size_t sum = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    part_begin_.push_back(part_begin_[p] + in.detector.part(p).size());
    sum += std::exchange(sides_begin_[p], sum);
  }
  size_to(sides_, sum);
  size_to(records_, part_begin_.back());
  size_to(gaps_, records_.size());
  in.parallel.for_ranges(parts, 1, [&](std::size_t p, std::size_t) { fill_part(in, state, p); });
  match(state, in.detector.rotations(), substep, in.parallel);
  if (unreported_) claim(in, state, passed);
}

template <int D>
void ContactList<D>::fill_part(const StepInput<D>& in, const State<D>& state, std::size_t part) {
  const std::span<const Contact<D>> found = in.detector.part(part);
  ContactSides<D>* sides = sides_.data() + sides_begin_[part];
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool begins = i == 0 || !share_sides(found[i - 1], found[i]);
    if (begins && i > 0) ++sides;
    if (begins) describe_pair(in, state, in.detector.rotations(), found[i], *sides);
    fill(state, found[i], *sides, records_[part_begin_[part] + i]);
  }
}

template <int D>
void ContactList<D>::keep_touching(double gap) {
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < records_.size(); begin = end) {
    bool touching = false;
    for (end = begin; end < records_.size() && records_[end].contact->key >> 16 == records_[begin].contact->key >> 16;)
      touching |= records_[end++].contact->gap <= gap;
    for (std::size_t i = begin; touching && i < end; ++i) records_[kept++] = records_[i];
    for (std::size_t i = begin; !touching && i < end; ++i) lose(records_[i]);
  }
  records_.resize(kept);
  gaps_.resize(kept);
}

template <int D>
bool ContactList<D>::touches(std::uint32_t collider_a, std::uint32_t collider_b) const {
  const std::uint64_t pair = std::uint64_t{collider_a} << 24 | collider_b;
  const auto found = std::lower_bound(records_.begin(), records_.end(), pair,
                                      [](const auto& r, std::uint64_t p) { return r.contact->key >> 16 < p; });
  return found != records_.end() && found->contact->key >> 16 == pair;
}

template <int D>
void ContactList<D>::rescale(double factor, const Parallel& parallel) {
  parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) records_[i].impulse *= factor;
  });
}

template <int D>
void ContactList<D>::hold_still(const Bodies<D>& bodies, double substeps) {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ContactRecord<D>& r = records_[i];
    if (bodies.dynamic(r.contact->body_a) || bodies.dynamic(r.contact->body_b)) continue;
    gaps_[i] = r.contact->gap;
    r.total += substeps * r.impulse;
  }
}

template <int D>
double ContactList<D>::penetration() const {
  double deepest = 0;
  for (const double gap : gaps_) deepest = std::max(deepest, -gap);
  return deepest;
}

template class ContactList<2>;
template class ContactList<3>;

}  // namespace touchstone
