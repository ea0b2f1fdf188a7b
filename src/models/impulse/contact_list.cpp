#include "models/impulse/contact_list.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace touchstone {
namespace {

constexpr std::size_t kGrain = 512;  // contacts

// An ellipsoid's radius of curvature where its normal is n, across the axis about which it tumbles with w. With its
// support function s(n) = |A·n|, A the radii, it is the second derivative of s along w×n; all in the ellipsoid's frame.
template <int D>
double ellipsoid_radius(const Vec<D>& half, const Vec<D>& n, const Vec<D>& tumbling) {
  const Vec<D> squares = half.cwiseProduct(half), p = squares.cwiseProduct(n);
  const double s = std::sqrt(p.dot(n)), length = tumbling.norm();
  if (D == 2 || length == 0)
    return (squares.sum() / s - p.squaredNorm() / (s * s * s)) / (D - 1);  // the mean of all directions
  const Vec<D> e = tumbling / length;
  const double along = p.dot(e);
  return squares.cwiseProduct(e).dot(e) / s - along * along / (s * s * s);
}

// If the surface at this normal is smooth, so that the point of contact stays while the material turns under it: its
// distance from the centre of curvature. Otherwise 0.
template <int D>
double smooth_radius(const Collider<D>& collider, const Mat<D>& R, const AngVec<D>& w, const Vec<D>& n) {
  constexpr double kAcross = 1e-3;  // of |n·axis|: a cylinder's side, not its rim or its face
  switch (collider.shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      return collider.shape.radius;
    case ShapeKind::kEllipsoid: {
      const Mat<D> to_shape = (R * collider.R_local).transpose();
      return ellipsoid_radius<D>(collider.shape.half, to_shape * n, to_shape * cross(w, n));
    }
    case ShapeKind::kCylinder:
      return std::abs(n.dot(Vec<D>(R * collider.R_local.col(D - 1)))) < kAcross ? collider.shape.radius : 0.0;
    default:
      return 0;
  }
}

// Whether n is the normal of a face of this shape.
template <int D>
bool is_face(const Collider<D>& collider, const Mat<D>& R, const Vec<D>& n) {
  constexpr double kParallel = 1e-9;  // of 1 − |n·axis|
  if (collider.shape.kind == ShapeKind::kHalfSpace) return true;
  if (collider.shape.kind != ShapeKind::kBox) return false;
  const Vec<D> in_body = R.transpose() * n;
  return Vec<D>(collider.R_local.transpose() * in_body).cwiseAbs().maxCoeff() > 1 - kParallel;
}

// The axis of a box that is most across n: its edge, if it touches with one.
Vec<3> edge_across(const Collider<3>& collider, const Mat<3>& R, const Vec<3>& n) {
  const Vec<3> in_body = R.transpose() * n;
  int least = 0;
  Vec<3>(collider.R_local.transpose() * in_body).cwiseAbs().minCoeff(&least);
  return R * collider.R_local.col(least);
}

// Where edges of two boxes cross. False if they are nearly parallel, or not boxes.
bool find_edges(const Collider<3>& a, const Collider<3>& b, const Mat<3>& Ra, const Mat<3>& Rb, ContactRecord<3>& r) {
  constexpr double kParallel = 0.05, kAcross = 1e-6;  // of |sin| between the edges; of |cos| to the normal
  if (a.shape.kind != ShapeKind::kBox || b.shape.kind != ShapeKind::kBox) return false;
  const Vec<3> ea = edge_across(a, Ra, r.contact.normal), eb = edge_across(b, Rb, r.contact.normal);
  if (std::abs(ea.dot(r.contact.normal)) > kAcross || std::abs(eb.dot(r.contact.normal)) > kAcross ||
      ea.cross(eb).norm() < kParallel)
    return false;
  r.edge_a = ea, r.edge_b = eb;
  return true;
}
bool find_edges(const Collider<2>&, const Collider<2>&, const Mat<2>&, const Mat<2>&, ContactRecord<2>&) {
  return false;
}

// The normal turns with the side that has a face there; it stays across both edges where edges cross, and does not turn
// where two smooth sides touch. Otherwise it turns with both a little.
template <int D>
void find_owner(const Collider<D>& side_a, const Collider<D>& side_b, const Mat<D>& rotation_a,
                const Mat<D>& rotation_b, ContactRecord<D>& r) {
  const Vec<D>& n = r.contact.normal;
  r.normal_a = r.normal_b = 0;
  if (r.smooth_a && r.smooth_b) return;
  const bool a = !r.smooth_a && is_face(side_a, rotation_a, n);
  const bool b = !r.smooth_b && is_face(side_b, rotation_b, n);
  if (!a && !b && find_edges(side_a, side_b, rotation_a, rotation_b, r)) return;
  if (a != b)
    r.normal_a = a ? 1 : 0;
  else
    r.normal_a = r.smooth_a ? 0 : r.smooth_b ? 1 : 0.5;
  r.normal_b = 1 - r.normal_a;
}

}  // namespace

template <int D>
void ContactList<D>::describe_sides(const StepInput<D>& in, const State<D>& state, const Mat<D>& rotation_a,
                                    const Mat<D>& rotation_b, ContactRecord<D>& r) const {
  const Contact<D>& c = r.contact;
  const Collider<D>& a = in.detector.colliders()[c.collider_a];
  const Collider<D>& b = in.detector.colliders()[c.collider_b];
  r.radius_a = smooth_radius(a, rotation_a, state.angular_velocity[c.body_a], c.normal);
  r.radius_b = smooth_radius(b, rotation_b, state.angular_velocity[c.body_b], c.normal);
  r.smooth_a = r.radius_a > 0, r.smooth_b = r.radius_b > 0;
  find_owner(a, b, rotation_a, rotation_b, r);
}

// What the points of two shapes with one normal share.
template <int D>
void ContactList<D>::describe_pair(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                                   ContactRecord<D>& r) {
  const ColliderTable<D>& colliders = in.detector.colliders();
  const Contact<D>& contact = r.contact;
  const std::uint32_t a = contact.body_a, b = contact.body_b;
  r.material = in.materials.pair(colliders[contact.collider_a].material, colliders[contact.collider_b].material);
  const auto skin = [&](std::uint32_t body) {
    const Vec<D>& v = in.bodies.surface_velocity[body];
    return v.isZero(0) ? v : Vec<D>(rotation[body] * v);
  };
  r.skin = skin(b) - skin(a);
  r.skin -= contact.normal * contact.normal.dot(r.skin);
  describe_sides(in, state, rotation[a], rotation[b], r);
  // A half-space has no corners: the point goes where the other body's goes.
  const auto flat = [&](std::uint32_t c) { return colliders[c].shape.kind == ShapeKind::kHalfSpace; };
  if (r.smooth_a != r.smooth_b)
    r.weight_a = r.smooth_a ? 1.0 : 0.0;
  else if (flat(contact.collider_a) != flat(contact.collider_b))
    r.weight_a = flat(contact.collider_a) ? 0.0 : 1.0;
}

constexpr double kRests = 1e-6;  // [m/s] slip below which static friction may hold: a micrometre a second

// before: of the same range, if any.
template <int D>
void ContactList<D>::fill(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                          const Contact<D>& contact, const ContactRecord<D>* before, ContactRecord<D>& r) {
  r.contact = contact;
  if (before && before->contact.key >> 16 == contact.key >> 16 && before->contact.normal == contact.normal) {
    r.material = before->material, r.skin = before->skin;
    r.smooth_a = before->smooth_a, r.smooth_b = before->smooth_b, r.weight_a = before->weight_a;
    r.radius_a = before->radius_a, r.radius_b = before->radius_b;
    r.normal_a = before->normal_a, r.normal_b = before->normal_b;
    r.edge_a = before->edge_a, r.edge_b = before->edge_b;
  } else {
    describe_pair(in, state, rotation, r);
  }
  const Vec<D> half = 0.5 * contact.gap * contact.normal;
  r.arm_a = contact.point - half - state.position[contact.body_a];
  r.arm_b = contact.point + half - state.position[contact.body_b];

  if (r.material.static_friction > r.material.dynamic_friction) {
    const Vec<D> u = state.point_velocity(contact.body_b, contact.point) -
                     state.point_velocity(contact.body_a, contact.point) + r.skin;
    r.rests = (u - contact.normal * contact.normal.dot(u)).norm() <= kRests;
  }
}

template <int D>
bool ContactList<D>::join(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                          const Contact<D>& contact) {
  constexpr double kSame = 1e-6;  // [rad] between normals: at an arm of a metre a micrometre
  const auto place = std::lower_bound(records_.begin(), records_.end(), contact.key,
                                      [](const auto& r, std::uint64_t key) { return r.contact.key < key; });
  const bool known = place != records_.end() && place->contact.key == contact.key;
  if (known && (place->contact.normal - contact.normal).norm() < kSame) return false;
  ContactRecord<D> r;
  fill(in, state, rotation, contact, nullptr, r);
  if (known) {
    *place = r;
  } else {
    records_.insert(place, r);
    gaps_.push_back(0);
  }
  return true;
}

// What a contact knew goes to the one of the same name among the pair's points, or else to the nearest one: points come
// and go as faces slide over each other, and the load that they carried must not be lost with them.
template <int D>
void ContactList<D>::inherit(const State<D>& state, std::span<const Mat<D>> rotation, const ContactMemory<D>& known,
                             std::size_t begin, std::size_t end, double substep) {
  ContactRecord<D>* heir = nullptr;
  bool same = false;
  for (std::size_t i = begin; i < end && !same; ++i)
    if (records_[i].contact.key == known.key) heir = &records_[i], same = true;
  if (!same) {
    double nearest = std::numeric_limits<double>::infinity();
    const Vec<D> point = state.position[known.body_a] + rotation[known.body_a] * known.point;
    for (std::size_t i = begin; i < end; ++i) {
      const double distance = (records_[i].contact.point - point).squaredNorm();
      if (distance < nearest) nearest = distance, heir = &records_[i];
    }
  }
  const Vec<D>& n = heir->contact.normal;
  heir->impulse += substep * known.force;
  if (!same && heir->stuck) return;
  heir->stuck = known.stuck;
  heir->slip = known.slip - n * n.dot(known.slip);
}

// Both lists are in the order of their keys, and the points of a pair of shapes stand together in each.
template <int D>
void ContactList<D>::match(const State<D>& state, std::span<const Mat<D>> rotation, double substep,
                           const Parallel& parallel) {
  const auto pair_of = [](std::uint64_t key) { return key >> 16; };
  const auto known_pair = [&](std::size_t i) { return pair_of(memory_[i].key); };
  const auto pair_begin = [&](std::size_t i) {  // of the first pair that begins at i or after it
    while (i > 0 && i < memory_.size() && known_pair(i) == known_pair(i - 1)) ++i;
    return i;
  };
  parallel.for_ranges(memory_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    std::size_t i = pair_begin(first);
    const std::size_t stop = pair_begin(last);
    if (i >= stop) return;
    std::size_t begin = static_cast<std::size_t>(
        std::lower_bound(records_.begin(), records_.end(), known_pair(i),
                         [&](const ContactRecord<D>& r, std::uint64_t pair) { return pair_of(r.contact.key) < pair; }) -
        records_.begin());
    for (std::size_t end = begin; i < stop; ++i) {
      while (begin < records_.size() && pair_of(records_[begin].contact.key) < known_pair(i)) ++begin;
      if (begin == records_.size()) return;
      if (pair_of(records_[begin].contact.key) != known_pair(i)) continue;
      for (end = std::max(begin, end); end < records_.size() && pair_of(records_[end].contact.key) == known_pair(i);)
        ++end;
      inherit(state, rotation, memory_[i], begin, end, substep);
    }
  });
}

// Velocities after h if nothing were in the way: a body that is about to be pushed hard must not be missed. Gravity is
// left to the margin of all pairs.
template <int D>
void ContactList<D>::look_ahead(const StepInput<D>& in, const State<D>& state, double h) {
  velocity_ = state.velocity, turning_ = state.angular_velocity;
  const ForceModel<D>& f = in.forces;
  if (!f.any_applied && !f.callback && f.steady.empty() && f.springs.empty()) return;
  forces_.reset(in.bodies.size());
  evaluate_forces(in.bodies, f, in.time, h, state, forces_);
  const std::vector<Wrench<D>>& wrench = forces_.total();
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    velocity_[i] += h * (in.bodies.inv_mass[i] * wrench[i].force - in.bodies.gravity_scale[i] * f.gravity);
    const double faster = h * wrench[i].torque.norm() * in.bodies.inv_inertia[i].maxCoeff();
    turning_[i] = AngVec<D>::Unit(0) * (turning_[i].norm() + faster);
  }
}

template <int D>
void ContactList<D>::find(const StepInput<D>& in, const State<D>& state, double h, double substep, double margin,
                          double reuse, std::span<const Mat<D>> rotation) {
  const std::size_t n = in.bodies.size();
  reach_.resize(n);
  displacement_.resize(n);
  look_ahead(in, state, h);
  const double fall = in.forces.gravity.norm() * h * h;
  for (std::size_t i = 0; i < n; ++i) {
    displacement_[i] = h * velocity_[i];
    reach_[i] = h * turning_[i].norm() * in.bodies.radius[i] + 0.5 * margin + (in.bodies.dynamic(i) ? fall : 0.0);
  }
  in.detector.find_pairs(state.position, state.orientation, reach_, in.parallel, displacement_);
  const PairMargin<D> wide{margin + fall, h, velocity_, turning_, in.bodies.radius};
  in.detector.find_contacts(state.position, state.orientation, wide, in.parallel, found_, reuse);
  records_.clear();
  records_.resize(found_.size());
  in.parallel.for_ranges(found_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      fill(in, state, rotation, found_[i], i > begin ? &records_[i - 1] : nullptr, records_[i]);
  });
  gaps_.resize(records_.size());
  match(state, rotation, substep, in.parallel);
}

template <int D>
void ContactList<D>::remember(double substep, std::span<const Vec<D>> position, std::span<const Mat<D>> rotation,
                              const Parallel& parallel) {
  if (!replaced_) std::swap(memory_, kept_), replaced_ = true;
  const auto counts = [](const ContactRecord<D>& r) { return !r.impulse.isZero(0); };
  memory_.resize(count_by_range(parallel, counts));
  parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::size_t to = place_[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i) {
      const ContactRecord<D>& r = records_[i];
      if (!counts(r)) continue;
      const std::uint32_t a = r.contact.body_a;
      memory_[to++] = {r.contact.key,    a,
                       r.contact.body_b, r.impulse / substep,
                       r.slip,           rotation[a].transpose() * (r.contact.point - position[a]),
                       r.stuck};
    }
  });
}

// How many records count, and where those of each range begin among them.
template <int D>
template <class Counts>
std::size_t ContactList<D>::count_by_range(const Parallel& parallel, Counts counts) {
  place_.assign((records_.size() + kGrain - 1) / kGrain, 0);
  parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) place_[begin / kGrain] += counts(records_[i]) ? 1 : 0;
  });
  std::size_t sum = 0;
  for (std::size_t& p : place_) sum += std::exchange(p, sum);
  return sum;
}

template <int D>
void ContactList<D>::keep_touching(double gap) {
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < records_.size(); begin = end) {
    bool touching = false;
    for (end = begin; end < records_.size() && records_[end].contact.key >> 16 == records_[begin].contact.key >> 16;)
      touching |= records_[end++].contact.gap <= gap;
    for (std::size_t i = begin; touching && i < end; ++i) records_[kept++] = records_[i];
  }
  records_.resize(kept);
  gaps_.resize(kept);
}

template <int D>
bool ContactList<D>::touches(std::uint32_t collider_a, std::uint32_t collider_b) const {
  const std::uint64_t pair = std::uint64_t{collider_a} << 24 | collider_b;
  const auto found = std::lower_bound(records_.begin(), records_.end(), pair,
                                      [](const auto& r, std::uint64_t p) { return r.contact.key >> 16 < p; });
  return found != records_.end() && found->contact.key >> 16 == pair;
}

template <int D>
void ContactList<D>::rescale(double factor) {
  for (ContactRecord<D>& r : records_) r.impulse *= factor;
}

template <int D>
void ContactList<D>::hold_still(const Bodies<D>& bodies, double substeps) {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ContactRecord<D>& r = records_[i];
    if (bodies.dynamic(r.contact.body_a) || bodies.dynamic(r.contact.body_b)) continue;
    gaps_[i] = r.contact.gap;
    r.total += substeps * r.impulse;
  }
}

template <int D>
void ContactList<D>::report(const State<D>& state, const Parallel& parallel, ContactTally<D>& tally) {
  const auto counts = [](const ContactRecord<D>& r) { return !r.total.isZero(0); };
  const auto velocity = [&](const ContactRecord<D>& r) {
    return Vec<D>(state.point_velocity(r.contact.body_b, r.contact.point) -
                  state.point_velocity(r.contact.body_a, r.contact.point) + r.skin);
  };
  if (tally.empty()) {
    const std::span<StepContact<D>> all = tally.start(count_by_range(parallel, counts));
    parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      std::size_t to = place_[begin / kGrain];
      for (std::size_t i = begin; i < end; ++i) {
        const ContactRecord<D>& r = records_[i];
        if (!counts(r)) continue;
        StepContact<D>& c = all[to++];
        c = StepContact<D>{};
        c.contact = r.contact, c.material = r.material;
        c.impulse = r.total, c.relative_velocity = velocity(r), c.sticking = r.stuck;
      }
    });
    return;
  }
  tally.begin();
  for (const ContactRecord<D>& r : records_) {
    if (!counts(r)) continue;
    StepContact<D>& c = tally.at(r.contact, r.material);
    c.impulse += r.total, c.relative_velocity = velocity(r), c.sticking = r.stuck;
  }
  tally.end();
}

template <int D>
double ContactList<D>::penetration() const {
  double deepest = 0;
  for (const double gap : gaps_) deepest = std::max(deepest, -gap);
  return deepest;
}

template <int D>
std::int64_t ContactList<D>::resting() const {
  return static_cast<std::int64_t>(memory_.size());
}

template <int D>
void ContactList<D>::forget(std::uint32_t body) {
  std::erase_if(memory_, [body](const ContactMemory<D>& m) { return m.body_a == body || m.body_b == body; });
}

template class ContactList<2>;
template class ContactList<3>;

}  // namespace touchstone
