// Purpose: rays against convex shapes, as the part of the ray's line that lies inside. It is the intersection of slabs,
//   half-spaces and quadrics; a capsule's is the union of its three parts'.
// Source: folklore.
// Letters: o origin, d direction in the shape's frame, t distance along the ray.
// Deviations: quadrics are solved about the line's point nearest to their centre, where nothing cancels: the error of a
//   hit is that of the origin's own rounding, however far away it is.
// Fails: never.
#include "collision/ray/ray_cast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/ray/ray_surface.h"
#include "geometry/concave.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The line's stay in a convex set: from `in` to `out`, where it enters through a surface with `normal`.
template <int D>
struct Stay {
  double in = -kInfinity, out = kInfinity;
  Vec<D> normal = Vec<D>::Zero();
  bool empty() const { return !(in <= out); }
  void clear() { in = kInfinity, out = -kInfinity; }
};

// The line in the shape's frame.
template <int D>
struct Line {
  Vec<D> o, d;
  Vec<D> at(double t) const { return o + t * d; }
};

// Keeps n·x ≤ offset.
template <int D>
void clip_plane(const Line<D>& line, const Vec<D>& n, double offset, Stay<D>& stay) {
  const double height = n.dot(line.o) - offset, speed = n.dot(line.d);
  if (speed == 0) {
    if (height > 0) stay.clear();
    return;
  }
  const double t = -height / speed;
  if (speed > 0)
    stay.out = std::min(stay.out, t);
  else if (t > stay.in)
    stay.in = t, stay.normal = n;
}

// Keeps |x_axis| ≤ half.
template <int D>
void clip_slab(const Line<D>& line, int axis, double half, Stay<D>& stay) {
  clip_plane<D>(line, Vec<D>::Unit(axis), half, stay);
  clip_plane<D>(line, -Vec<D>::Unit(axis), half, stay);
}

// Where |o + t·d| ≤ radius, in any number of dimensions. False: nowhere.
template <class V>
bool ball_stay(const V& o, const V& d, double radius, double& in, double& out) {
  const double dd = d.squaredNorm();
  if (!(dd > 0)) {
    in = -kInfinity, out = kInfinity;
    return o.squaredNorm() <= radius * radius;
  }
  const double middle = -o.dot(d) / dd;
  // Twice: the first is off by the rounding of a far origin, along the line only.
  const V near = o + middle * d;
  const double rest = -near.dot(d) / dd;
  const V q = near + rest * d;
  const double inside = (radius - q.norm()) * (radius + q.norm());
  if (!(inside >= 0)) return false;
  const double half = std::sqrt(inside / dd);
  in = middle + rest - half, out = middle + rest + half;
  return true;
}

template <int D>
void clip_ball(const Line<D>& line, const Vec<D>& centre, double radius, Stay<D>& stay) {
  const Vec<D> o = line.o - centre;
  double in, out;
  if (!ball_stay(o, line.d, radius, in, out)) return stay.clear();
  stay.out = std::min(stay.out, out);
  if (in > stay.in) stay.in = in, stay.normal = ((o + in * line.d) / radius).normalized();
}

// The unbounded cylinder (2D: strip) about the last axis.
template <int D>
void clip_tube(const Line<D>& line, double radius, Stay<D>& stay) {
  using Across = Eigen::Matrix<double, D - 1, 1>;
  const Across o = line.o.template head<D - 1>(), d = line.d.template head<D - 1>();
  double in, out;
  if (!ball_stay(o, d, radius, in, out)) return stay.clear();
  stay.out = std::min(stay.out, out);
  if (!(in > stay.in)) return;
  stay.in = in;
  stay.normal.setZero();
  stay.normal.template head<D - 1>() = (o + in * d).normalized();
}

template <int D>
Stay<D> in_ellipsoid(const Line<D>& line, const Vec<D>& radii) {
  Stay<D> stay;
  const Vec<D> o = line.o.cwiseQuotient(radii), d = line.d.cwiseQuotient(radii);
  double in, out;
  if (!ball_stay(o, d, 1.0, in, out)) {
    stay.clear();
    return stay;
  }
  stay.in = in, stay.out = out;
  stay.normal = Vec<D>((o + in * d).cwiseQuotient(radii)).normalized();
  return stay;
}

template <int D>
void unite(const Stay<D>& part, Stay<D>& whole) {
  if (part.empty()) return;
  if (part.in < whole.in) whole.in = part.in, whole.normal = part.normal;
  whole.out = std::max(whole.out, part.out);
}

template <int D>
Stay<D> in_capsule(const Line<D>& line, double radius, double half_length) {
  Stay<D> whole, tube, top, bottom;
  whole.clear();
  clip_tube(line, radius, tube);
  clip_slab(line, D - 1, half_length, tube);
  clip_ball<D>(line, half_length * Vec<D>::Unit(D - 1), radius, top);
  clip_ball<D>(line, -half_length * Vec<D>::Unit(D - 1), radius, bottom);
  for (const Stay<D>* part : {&tube, &top, &bottom}) unite(*part, whole);
  return whole;
}

Stay<2> in_hull(const Line<2>& line, const Polytope<2>& hull) {
  Stay<2> stay;
  for (std::size_t i = 0; i < hull.normals.size(); ++i)
    clip_plane(line, hull.normals[i], hull.normals[i].dot(hull.vertices[i]), stay);
  return stay;
}
Stay<3> in_hull(const Line<3>& line, const Polytope<3>& hull) {
  Stay<3> stay;
  for (std::size_t f = 0; f < hull.face_count(); ++f)
    clip_plane(line, hull.normals[f], hull.normals[f].dot(hull.vertices[hull.face(f)[0]]), stay);
  return stay;
}

template <int D>
Stay<D> stay_in(const Shape<D>& shape, const Line<D>& line) {
  Stay<D> stay;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      clip_ball<D>(line, Vec<D>::Zero(), shape.radius, stay);
      break;
    case ShapeKind::kBox:
      for (int k = 0; k < D; ++k) clip_slab(line, k, shape.half[k], stay);
      break;
    case ShapeKind::kCapsule:
      return in_capsule(line, shape.radius, shape.half_length);
    case ShapeKind::kHalfSpace:
      clip_plane(line, shape.normal, 0.0, stay);
      break;
    case ShapeKind::kConvex:
      return in_hull(line, *shape.hull);
    case ShapeKind::kEllipsoid:
      return in_ellipsoid(line, shape.half);
    case ShapeKind::kCylinder:
      clip_tube(line, shape.radius, stay);
      clip_slab(line, D - 1, shape.half_length, stay);
      break;
    default:
      stay.clear();
  }
  return stay;
}

}  // namespace

template <int D>
bool ray_cast(const Ray<D>& ray, const Placed<D>& target, RayStrike<D>& out) {
  const Line<D> line{target.R.transpose() * (ray.origin - target.p), target.R.transpose() * ray.direction};
  if (is_surface(target.shape.kind)) {
    if (!ray_surface<D>({line.o, line.d, ray.length}, target.shape, out)) return false;
    out.point = out.inside ? ray.origin : Vec<D>(target.p + target.R * out.point);
    out.normal = target.R * out.normal;
    return true;
  }
  const Stay<D> stay = stay_in(target.shape, line);
  if (stay.empty() || !(stay.out > 0) || !(stay.in <= ray.length)) return false;
  out.inside = stay.in < 0;
  out.distance = std::max(0.0, stay.in);
  out.point = out.inside ? ray.origin : Vec<D>(target.p + target.R * line.at(stay.in));
  out.normal = out.inside ? Vec<D>(-ray.direction) : Vec<D>(target.R * stay.normal);
  return true;
}

template <int D>
bool ray_bounds(const Ray<D>& ray, const Bounds<D>& bounds, double& first) {
  double last = ray.length;
  first = 0;
  for (int k = 0; k < D; ++k) {
    const double low = bounds.lower[k] - ray.origin[k], high = bounds.upper[k] - ray.origin[k];
    if (ray.direction[k] == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const double t0 = low / ray.direction[k], t1 = high / ray.direction[k];
    first = std::max(first, std::min(t0, t1));
    last = std::min(last, std::max(t0, t1));
  }
  // Rounding must not lose a hit: the bounds count as a little larger, by a few last bits of the way.
  return first <= last + 8 * std::numeric_limits<double>::epsilon() * std::abs(first);
}

template bool ray_cast(const Ray<2>&, const Placed<2>&, RayStrike<2>&);
template bool ray_cast(const Ray<3>&, const Placed<3>&, RayStrike<3>&);
template bool ray_bounds(const Ray<2>&, const Bounds<2>&, double&);
template bool ray_bounds(const Ray<3>&, const Bounds<3>&, double&);

}  // namespace touchstone
