// Purpose: gap and normal of spheres, capsules and boxes in closed form: distances of points and segments.
// Source: closest points of two segments, C. Ericson, Real-Time Collision Detection, §5.1.9.
// Fails: never; cores that meet in a point or cross take the normal that both allow.
#include "collision/narrow/round_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"

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

// The plane's own penetration in 2D, where two crossing segments do overlap: the least of the ways apart across either.
bool crossing_depth(const Segment<2>& a, const Segment<2>& b, Vec<2>& normal, double& distance) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Segment<2>* s : {&a, &b}) {
    if (s->direction.squaredNorm() == 0) continue;
    Vec<2> n = Vec<2>(s->direction[1], -s->direction[0]).normalized();
    for (const Vec<2>& m : {n, Vec<2>(-n)}) {
      const double top_a = std::max(m.dot(a.start), m.dot(a.at(1))), low_b = std::min(m.dot(b.start), m.dot(b.at(1)));
      if (low_b - top_a > best) best = low_b - top_a, normal = m;
    }
  }
  if (!std::isfinite(best)) return false;  // two points
  distance = best;
  return true;
}
bool crossing_depth(const Segment<3>&, const Segment<3>&, Vec<3>&, double&) { return false; }

}  // namespace

template <int D>
bool round_round(const Placed<D>& pa, const Placed<D>& pb, double margin, PairMemory&, Closest<D>& out) {
  const Segment<D> a = segment_of<D>(pa, pa.p), b = segment_of<D>(pb, pa.p);
  const auto [s, t] = closest_parameters(a, b);
  const Vec<D> xa = a.at(s), xb = b.at(t), between = xb - xa;
  double distance = between.norm();
  if (distance - a.radius - b.radius > margin) return false;
  // Nearer than rounding lets the difference have a direction.
  const double touching = 1e-14 * (reach_of(pa.shape) + reach_of(pb.shape));
  if (distance > touching) {
    out.normal = between / distance;
  } else {
    const Vec<D> towards = b.at(0.5) - a.at(0.5);
    if (!crossing_depth(a, b, out.normal, distance)) out.normal = across(a, b, Vec<D>(pa.R.col(0)), towards);
  }
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

namespace {

// A segment (or point) that meets the box, in its frame: the shortest way out over the faces' normals and the crosses
// of the segment with the box's edges.
double way_out(const Vec<3>& half, const Vec<3>& p, const Vec<3>& d, Vec<3>& normal) {
  double best = -std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vec<3>& n) {
    const double reach = half.dot(n.cwiseAbs()), low = std::min(n.dot(p), n.dot(p + d)),
                 high = std::max(n.dot(p), n.dot(p + d));
    if (low - reach > best) best = low - reach, normal = n;
    if (-high - reach > best) best = -high - reach, normal = -n;
  };
  for (int i = 0; i < 3; ++i) try_axis(Vec<3>::Unit(i));
  for (int i = 0; i < 3; ++i) {
    const Vec<3> n = cross(d, Vec<3>(Vec<3>::Unit(i)));
    // Along an edge the cross vanishes, and the faces say all there is to say.
    if (const double length = n.norm(); length > 1e-9 * d.norm()) try_axis(n / length);
  }
  return best;
}

}  // namespace

bool box_round(const Placed<3>& box, const Placed<3>& round, double margin, PairMemory&, Closest<3>& out) {
  const Segment<3> s = segment_of<3>(round, box.p);
  const Vec<3>& half = box.shape.half;
  const Vec<3> p = box.R.transpose() * s.start, d = box.R.transpose() * s.direction;
  const double t = d.squaredNorm() > 0 ? nearest_on_segment_to_box(p, d, half) : 0.0;
  const Vec<3> x = p + t * d, nearest = x.cwiseMax(-half).cwiseMin(half), away = x - nearest;
  double distance = away.norm();
  if (distance - s.radius > margin) return false;
  Vec<3> normal, on_core = x;
  if (distance > 1e-14 * (half.norm() + x.norm())) {
    normal = away / distance;
  } else {
    distance = way_out(half, p, d, normal);
    // The end that is deepest; both, and so the middle, where the segment lies across the way.
    const double ends = normal.dot(d);
    on_core = std::abs(ends) <= 1e-12 * d.norm() ? x : Vec<3>(ends < 0 ? p + d : p);
  }
  out.gap = distance - s.radius;
  out.normal = box.R * normal;
  const Vec<3> on_b = on_core - normal * s.radius;
  out.on_b = box.p + box.R * on_b;
  out.on_a = out.on_b - out.normal * out.gap;
  out.iterations = 1;
  return true;
}

template bool round_round(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool round_round(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone
