// Queries of a world, as the public face gives and takes them. They see the state between two steps; asked from a
// callback inside a step, the state before that step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

template <int D>
Vec<D> checked_vector(const Eigen::Vector3d& v, const char* what) {
  if (!v.allFinite()) bad(fmt::format("{} is ({}, {}, {}); it must be finite", what, v.x(), v.y(), v.z()));
  if (D == 2 && v.z() != 0) bad(fmt::format("{} has z = {}; in a 2D world it must be 0", what, v.z()));
  return narrow<D>(v);
}

void check_length(double value, const char* what) {
  if (!(value >= 0)) bad(fmt::format("{} is {} m; it must not be negative", what, value));
}

template <int D>
Ray<D> checked_ray(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction, double distance) {
  check_length(distance, "the distance of a ray cast");
  Ray<D> ray{checked_vector<D>(origin, "the origin of a ray"), checked_vector<D>(direction, "the direction of a ray"),
             distance};
  const double length = ray.direction.stableNorm();
  if (!(length > 0)) bad("the direction of a ray is zero");
  ray.direction /= length;
  ray.direction.normalize();  // the first division may have been of a denormal
  return ray;
}

template <int D>
Mat<D> checked_rotation(const Placement& placement) {
  if constexpr (D == 2) {
    if (!std::isfinite(placement.angle)) bad(fmt::format("the angle of a query's shape is {}", placement.angle));
    return matrix_of(placement.angle);
  } else {
    const double norm = placement.orientation.norm();
    if (!std::isfinite(norm) || !(norm > 0)) bad("the orientation of a query's shape is zero or not finite");
    return placement.orientation.normalized().toRotationMatrix();
  }
}

// A described shape at its place, as queries want it.
template <int D>
struct QueryShape {
  Shape<D> shape;
  Vec<D> p;
  Mat<D> R;
  QueryShape(const ShapeDescription& d, const Placement& at) {
    try {
      shape = make_shape<D>(d);
    } catch (const Error& e) {
      throw Error(e.kind(), fmt::format("the shape of a query ({}): {}", shape_name(d.kind, D), e.what()));
    }
    const Mat<D> outer = checked_rotation<D>(at);
    p = checked_vector<D>(at.position, "the position of a query's shape") +
        outer * checked_vector<D>(d.placement.position, "the placement of a query's shape");
    R = outer * checked_rotation<D>(d.placement);
  }
  Placed<D> placed() const { return {shape, p, R}; }
};

}  // namespace

template <int D>
const Queries<D>& World<D>::queries() const {
  const State<D>& state = in_step_ ? last_good_ : state_;
  queries_.refresh(detector_.colliders(), state.position, state.orientation);
  return queries_;
}

// The filter is used while the query runs, and no longer.
template <int D>
ColliderFilter<D> World<D>::collider_filter(const QueryFilter& filter) const {
  const auto bits = [&](const std::vector<std::string>& names) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (std::find(names.begin(), names.end(), groups_[i]) != names.end()) out |= 1u << i;
    return out;
  };
  const std::uint32_t groups = filter.groups.empty() ? 0 : bits(filter.groups), ignores = bits(filter.ignores);
  const std::uint64_t tags = tags_.bits(filter.tags);
  const auto sees = [&filter](BodyKind kind) {
    return kind == BodyKind::kStatic      ? filter.see_static
           : kind == BodyKind::kKinematic ? filter.see_kinematic
                                          : filter.see_dynamic;
  };
  return [this, &filter, groups, ignores, tags, sees](const Collider<D>& c) {
    if (!filter.groups.empty() && (c.groups & groups) == 0) return false;
    if ((c.groups & ignores) != 0 || !sees(bodies_.kind[c.body])) return false;
    if (!filter.tags.empty() && (tags_.of(c.body) & tags) == 0) return false;
    const BodyId id = id_of(c.body);
    if (std::find(filter.ignore_bodies.begin(), filter.ignore_bodies.end(), id) != filter.ignore_bodies.end())
      return false;
    return !filter.accept || filter.accept(id);
  };
}

template <int D>
BodyShape World<D>::body_shape(std::uint32_t collider) const {
  const Collider<D>& c = detector_.colliders()[collider];
  return {id_of(c.body), c.shape_index};
}

template <int D>
RayHit World<D>::ray_hit(const RayAnswer<D>& answer) const {
  const auto [body, shape] = body_shape(answer.collider);
  const RayStrike<D>& s = answer.strike;
  return {body, shape, s.distance, widen<D>(s.point), widen<D>(s.normal), s.inside};
}

template <int D>
std::optional<RayHit> World<D>::ray_cast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                         double distance, const QueryFilter& filter) const {
  const Ray<D> ray = checked_ray<D>(origin, direction, distance);
  const auto answer = queries().ray_cast(ray, collider_filter(filter));
  return answer ? std::optional(ray_hit(*answer)) : std::nullopt;
}

template <int D>
std::vector<RayHit> World<D>::ray_cast_all(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                           double distance, const QueryFilter& filter) const {
  const Ray<D> ray = checked_ray<D>(origin, direction, distance);
  std::vector<RayHit> out;
  for (const RayAnswer<D>& answer : queries().ray_cast_all(ray, collider_filter(filter)))
    out.push_back(ray_hit(answer));
  return out;
}

template <int D>
std::optional<ShapeHit> World<D>::shape_cast(const ShapeDescription& shape, const Placement& from,
                                             const Eigen::Vector3d& displacement, const QueryFilter& filter) const {
  const QueryShape<D> cast(shape, from);
  if (!std::isfinite(reach_of(cast.shape)))
    throw Error(ErrorKind::kUnsupported,
                fmt::format("a {} is unbounded and cannot be cast", shape_name(shape.kind, D)));
  const Vec<D> way = checked_vector<D>(displacement, "the displacement of a shape cast");
  const auto answer = queries().shape_cast(cast.placed(), way, collider_filter(filter));
  if (!answer) return std::nullopt;
  const auto [body, index] = body_shape(answer->collider);
  const Closest<D>& c = answer->closest;
  return ShapeHit{body,
                  index,
                  answer->fraction * way.norm(),
                  answer->fraction,
                  widen<D>(c.on_b),
                  widen<D>(Vec<D>(-c.normal)),
                  answer->inside};
}

template <int D>
std::vector<BodyShape> World<D>::overlaps(const ShapeDescription& shape, const Placement& at,
                                          const QueryFilter& filter) const {
  const QueryShape<D> query(shape, at);
  std::vector<BodyShape> out;
  for (const std::uint32_t collider : queries().overlaps(query.placed(), collider_filter(filter)))
    out.push_back(body_shape(collider));
  return out;
}

template <int D>
std::optional<ClosestPoints> World<D>::closest_points(BodyId a, BodyId b) const {
  const std::uint32_t slot_a = checked(a), slot_b = checked(b);
  if (slot_a == slot_b) bad(fmt::format("body '{}' has no closest points to itself", bodies_.name[slot_a]));
  const auto answer = queries().closest(colliders_[slot_a], colliders_[slot_b]);
  if (!answer) return std::nullopt;
  const Closest<D>& c = answer->closest;
  return ClosestPoints{body_shape(answer->collider_a),
                       body_shape(answer->collider_b),
                       c.gap,
                       widen<D>(c.on_a),
                       widen<D>(c.on_b),
                       widen<D>(c.normal)};
}

template <int D>
std::vector<BodyOverlap> World<D>::overlapping_bodies() {
  constexpr double kSlightest = 1e-6;  // of the smaller body's size: bodies that touch overlap by their rounding
  PenetrationCheck<D> check;
  const State<D>& state = in_step_ ? last_good_ : state_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> deepest;
  for (const PairDepth& p : check.find(bodies_, state, detector_.colliders(), detector_.ignored_pairs(), parallel_)) {
    if (!(p.depth > kSlightest * p.length)) continue;
    double& depth = deepest[std::minmax(p.body_a, p.body_b)];
    depth = std::max(depth, p.depth);
  }
  std::vector<BodyOverlap> out;
  for (const auto& [pair, depth] : deepest) out.push_back({id_of(pair.first), id_of(pair.second), depth});
  std::stable_sort(out.begin(), out.end(),
                   [](const BodyOverlap& x, const BodyOverlap& y) { return x.depth > y.depth; });
  return out;
}

template <int D>
std::vector<Neighbour> World<D>::near(const Placed<D>& shape, double radius, const QueryFilter& filter) const {
  check_length(radius, "the radius of a query");
  std::vector<Neighbour> out;
  for (const NearAnswer<D>& answer : queries().nearest(shape, radius, collider_filter(filter))) {
    const auto [body, index] = body_shape(answer.collider);
    const Closest<D>& c = answer.closest;
    out.push_back({body, index, c.gap, widen<D>(c.on_b), widen<D>(c.on_a), widen<D>(c.normal)});
  }
  return out;
}

template <int D>
std::vector<Neighbour> World<D>::nearest(const ShapeDescription& shape, const Placement& at, double radius,
                                         const QueryFilter& filter) const {
  return near(QueryShape<D>(shape, at).placed(), radius, filter);
}

template <int D>
std::vector<Neighbour> World<D>::nearest(const Eigen::Vector3d& point, double radius, const QueryFilter& filter) const {
  const Shape<D> dot;  // a ball of radius 0
  return near({dot, checked_vector<D>(point, "the point of a query"), Mat<D>::Identity()}, radius, filter);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                   \
  template const Queries<D>& World<D>::queries() const;                                                             \
  template ColliderFilter<D> World<D>::collider_filter(const QueryFilter&) const;                                   \
  template BodyShape World<D>::body_shape(std::uint32_t) const;                                                     \
  template RayHit World<D>::ray_hit(const RayAnswer<D>&) const;                                                     \
  template std::optional<RayHit> World<D>::ray_cast(const Eigen::Vector3d&, const Eigen::Vector3d&, double,         \
                                                    const QueryFilter&) const;                                      \
  template std::vector<RayHit> World<D>::ray_cast_all(const Eigen::Vector3d&, const Eigen::Vector3d&, double,       \
                                                      const QueryFilter&) const;                                    \
  template std::optional<ShapeHit> World<D>::shape_cast(const ShapeDescription&, const Placement&,                  \
                                                        const Eigen::Vector3d&, const QueryFilter&) const;          \
  template std::vector<BodyShape> World<D>::overlaps(const ShapeDescription&, const Placement&, const QueryFilter&) \
      const;                                                                                                        \
  template std::optional<ClosestPoints> World<D>::closest_points(BodyId, BodyId) const;                             \
  template std::vector<BodyOverlap> World<D>::overlapping_bodies();                                                 \
  template std::vector<Neighbour> World<D>::near(const Placed<D>&, double, const QueryFilter&) const;               \
  template std::vector<Neighbour> World<D>::nearest(const ShapeDescription&, const Placement&, double,              \
                                                    const QueryFilter&) const;                                      \
  template std::vector<Neighbour> World<D>::nearest(const Eigen::Vector3d&, double, const QueryFilter&) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
