// Purpose: gap and normal of spheres, capsules and boxes in closed form: distances of points and segments.
// Source: closest points of two segments, C. Ericson, Real-Time Collision Detection, §5.1.9.
// Fails: never; cores that meet in a point or cross take the normal that both allow.
#include "collision/narrow/round_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/narrow/gjk.h"

namespace touchstone {
namespace {

template <int D>
struct Segment {
  Vec<D> start, direction;  // direction zero: a point
  double radius;
  Vec<D> at(double t) const { return start + t * direction; }
};

template <int D>
Segment<D> segment_of(const Placed<D>& s, const Vec<D>& origin) {
  const Vec<D> p = s.p - origin;
  if (s.shape.kind == ShapeKind::kSphere) return {p, Vec<D>::Zero(), s.shape.radius};
  const Vec<D> half = s.R.col(D - 1) * s.shape.half_length;
  return {p - half, 2 * half, s.shape.radius};
}

double clamped(double t) { return std::clamp(t, 0.0, 1.0); }

template <int D>
double project(const Segment<D>& s, const Vec<D>& x) {
  const double dd = s.direction.squaredNorm();
  return dd > 0 ? clamped(s.direction.dot(x - s.start) / dd) : 0.0;
}

template <int D>
std::pair<double, double> closest_parameters(const Segment<D>& a, const Segment<D>& b) {
  const double aa = a.direction.squaredNorm(), bb = b.direction.squaredNorm(), ab = a.direction.dot(b.direction);
  if (aa == 0) return {0.0, project(b, a.start)};
  if (bb == 0) return {project(a, b.start), 0.0};
  const Vec<D> r = a.start - b.start;
  const double determinant = aa * bb - ab * ab;
  double s = 0;
  if (determinant > 1e-14 * aa * bb) s = clamped((ab * b.direction.dot(r) - a.direction.dot(r) * bb) / determinant);
  const double t = clamped((ab * s + b.direction.dot(r)) / bb);
  return {project(a, b.at(t)), t};
}

// A direction across both cores, for cores that meet: away from each other's centres where that is possible.
Vec<2> across(const Segment<2>& a, const Segment<2>& b, const Vec<2>& x_axis, const Vec<2>& towards) {
  const Vec<2> d = a.direction.squaredNorm() >= b.direction.squaredNorm() ? a.direction : b.direction;
  const Vec<2> n = d.squaredNorm() > 0 ? Vec<2>(Vec<2>(d[1], -d[0]).normalized()) : x_axis;
  return n.dot(towards) < 0 ? Vec<2>(-n) : n;
}
Vec<3> across(const Segment<3>& a, const Segment<3>& b, const Vec<3>& x_axis, const Vec<3>& towards) {
  const Vec<3> d = a.direction.squaredNorm() >= b.direction.squaredNorm() ? a.direction : b.direction;
  Vec<3> n = cross(a.direction, b.direction);
  if (!(n.squaredNorm() > 1e-24 * a.direction.squaredNorm() * b.direction.squaredNorm())) {
    n = towards - d * (d.dot(towards) / std::max(d.squaredNorm(), std::numeric_limits<double>::min()));
    if (!(n.squaredNorm() > 1e-24 * d.squaredNorm())) {
      int least = 0;
      d.cwiseAbs().minCoeff(&least);
      n = d.squaredNorm() > 0 ? cross(d, Vec<3>(Vec<3>::Unit(least))) : x_axis;
    }
  }
  n.normalize();
  return n.dot(towards) < 0 ? Vec<3>(-n) : n;
}

// The direction between two nearest points, made perpendicular to the segments that they lie inside of: what is left of
// it by rounding when they nearly meet would not be. Zero where nothing is left.
template <int D>
Vec<D> sharpened(Vec<D> between, const Segment<D>& a, double s, const Segment<D>& b, double t) {
  const auto inside = [](const Segment<D>& g, double x) { return g.direction.squaredNorm() > 0 && x > 0 && x < 1; };
  const double before = between.norm();
  if constexpr (D == 3) {
    if (inside(a, s) && inside(b, t)) {
      const Vec<3> n = cross(a.direction, b.direction);
      if (n.squaredNorm() > 1e-12 * a.direction.squaredNorm() * b.direction.squaredNorm())
        return n.dot(between) < 0 ? Vec<3>(-n.normalized()) : Vec<3>(n.normalized());
    }
  }
  for (const auto& [g, x] : {std::pair(&a, s), std::pair(&b, t)})
    if (inside(*g, x)) between -= g->direction * (g->direction.dot(between) / g->direction.squaredNorm());
  const double length = between.norm();
  return length > 0.5 * before ? Vec<D>(between / length) : Vec<D>(Vec<D>::Zero());
}

}  // namespace

template <int D>
bool round_round(const Placed<D>& pa, const Placed<D>& pb, double margin, PairMemory&, Closest<D>& out) {
  const Segment<D> a = segment_of<D>(pa, pa.p), b = segment_of<D>(pb, pa.p);
  const auto [s, t] = closest_parameters(a, b);
  const Vec<D> xa = a.at(s), xb = b.at(t), between = xb - xa;
  const double distance = between.norm(), size = reach_of(pa.shape) + reach_of(pb.shape);
  if (distance - a.radius - b.radius > margin) return false;
  if (distance > 1e-6 * size)
    out.normal = between / distance;
  else
    out.normal = distance > 1e-15 * size ? sharpened<D>(between, a, s, b, t) : Vec<D>(Vec<D>::Zero());
  if (out.normal.isZero()) out.normal = across(a, b, Vec<D>(pa.R.col(0)), Vec<D>(b.at(0.5) - a.at(0.5)));
  out.gap = distance - a.radius - b.radius;
  const Vec<D> middle = pa.p + 0.5 * (xa + xb) + out.normal * (0.5 * (a.radius - b.radius));
  out.on_a = middle - out.normal * (0.5 * out.gap);
  out.on_b = middle + out.normal * (0.5 * out.gap);
  out.iterations = 1;
  return true;
}

double nearest_on_segment_to_box(const Vec<3>& p, const Vec<3>& d, const Vec<3>& half) {
  std::array<double, 8> breaks{0.0, 1.0};
  std::size_t count = 2;
  for (int i = 0; i < 3; ++i) {
    if (d[i] == 0) continue;
    for (const double side : {-half[i], half[i]}) {
      const double t = (side - p[i]) / d[i];
      if (t > 0 && t < 1) breaks[count++] = t;
    }
  }
  std::sort(breaks.begin(), breaks.begin() + static_cast<std::ptrdiff_t>(count));
  // Derivative of half the squared distance: Σ over axes outside the box of (x_i − face_i)·d_i.
  const auto slope = [&](double t) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + t * d[i];
      sum += (x - std::clamp(x, -half[i], half[i])) * d[i];
    }
    return sum;
  };
  if (slope(0) > 0) return 0;
  double zero_from = -1, zero_to = -1, before = slope(0), at = 0;
  if (before == 0) zero_from = zero_to = 0;
  for (std::size_t k = 1; k < count; ++k) {
    const double s = slope(breaks[k]);
    if (before < 0 && s > 0) return at + (breaks[k] - at) * before / (before - s);
    if (s == 0) {
      if (zero_from < 0) zero_from = breaks[k];
      zero_to = breaks[k];
    } else if (s > 0) {
      break;
    }
    before = s;
    at = breaks[k];
  }
  return zero_from < 0 ? 1.0 : 0.5 * (zero_from + zero_to);
}

bool box_round(const Placed<3>& box, const Placed<3>& round, double margin, PairMemory& memory, Closest<3>& out) {
  const Segment<3> s = segment_of<3>(round, box.p);
  const Vec<3>& half = box.shape.half;
  const Vec<3> p = box.R.transpose() * s.start, d = box.R.transpose() * s.direction;
  const double t = d.squaredNorm() > 0 ? nearest_on_segment_to_box(p, d, half) : 0.0;
  const Vec<3> x = p + t * d, nearest = x.cwiseMax(-half).cwiseMin(half), away = x - nearest;
  const double distance = away.norm();
  if (distance - s.radius > margin) return false;
  // A core inside the box has its way out of a face or over an edge: GJK's own question.
  if (!(distance > 1e-9 * (half.norm() + x.norm()))) return gjk<3>(box, round, margin, memory, out);
  const Vec<3> normal = away / distance;
  out.gap = distance - s.radius;
  out.normal = box.R * normal;
  out.on_b = box.p + box.R * Vec<3>(x - normal * s.radius);
  out.on_a = out.on_b - out.normal * out.gap;
  out.iterations = 1;
  return true;
}

template bool round_round(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool round_round(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone
