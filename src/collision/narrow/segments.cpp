#include "collision/narrow/segments.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace touchstone {
namespace {

struct Segment {
  Vec<3> start, direction;  // direction zero: a point
  double radius;
  Vec<3> at(double t) const { return start + t * direction; }
};

Segment segment_of(const Placed<3>& s) {
  if (s.shape.kind == ShapeKind::kSphere) return {s.p, Vec<3>::Zero(), s.shape.radius};
  const Vec<3> half = s.R.col(2) * s.shape.half_length;
  return {s.p - half, 2 * half, s.shape.radius};
}

void add_ball_contact(const Vec<3>& a, double ra, const Vec<3>& b, double rb, const Vec<3>& fallback_normal,
                      double margin, std::uint16_t feature, ContactPoints<3>& out) {
  const Vec<3> between = b - a;
  const double distance = between.norm();
  const double gap = distance - ra - rb;
  if (gap > margin) return;
  const Vec<3> normal = distance > 0 ? Vec<3>(between / distance) : fallback_normal;
  out.push_back({a + normal * (ra + 0.5 * gap), normal, gap, feature});
}

double clamped(double t) { return std::clamp(t, 0.0, 1.0); }
double project(const Segment& s, const Vec<3>& x) {
  const double dd = s.direction.squaredNorm();
  return dd > 0 ? clamped(s.direction.dot(x - s.start) / dd) : 0.0;
}

// Closest parameters of two segments [C. Ericson, Real-Time Collision Detection, §5.1.9].
std::pair<double, double> closest_parameters(const Segment& a, const Segment& b) {
  const double aa = a.direction.squaredNorm(), bb = b.direction.squaredNorm(), ab = a.direction.dot(b.direction);
  if (aa == 0) return {0.0, project(b, a.start)};
  if (bb == 0) return {project(a, b.start), 0.0};
  const Vec<3> r = a.start - b.start;
  const double determinant = aa * bb - ab * ab;
  double s = 0;
  if (determinant > 1e-14 * aa * bb) s = clamped((ab * b.direction.dot(r) - a.direction.dot(r) * bb) / determinant);
  const double t = clamped((ab * s + b.direction.dot(r)) / bb);
  return {project(a, b.at(t)), t};
}

}  // namespace

void round_round(const Placed<3>& pa, const Placed<3>& pb, double margin, ContactPoints<3>& out) {
  const Segment a = segment_of(pa), b = segment_of(pb);
  const Vec<3> fallback = pa.R.col(0);
  const double aa = a.direction.squaredNorm(), bb = b.direction.squaredNorm();
  // Nearly parallel capsules touch along a line: its two ends carry the contact.
  constexpr double kParallel = 1e-3;  // sine of the angle; beyond it one point moves less than the other opens
  if (aa > 0 && bb > 0 && cross(a.direction, b.direction).squaredNorm() < kParallel * kParallel * aa * bb) {
    double t0 = a.direction.dot(b.start - a.start) / aa, t1 = a.direction.dot(b.at(1) - a.start) / aa;
    const bool turned = t0 > t1;
    if (turned) std::swap(t0, t1);
    if (t1 > 0 && t0 < 1 && std::min(t1, 1.0) - std::max(t0, 0.0) > 1e-9) {
      const Vec<3> first = a.at(std::max(t0, 0.0)), second = a.at(std::min(t1, 1.0));
      add_ball_contact(first, a.radius, b.at(project(b, first)), b.radius, fallback, margin, 1, out);
      add_ball_contact(second, a.radius, b.at(project(b, second)), b.radius, fallback, margin, 2, out);
      return;
    }
  }
  const auto [s, t] = closest_parameters(a, b);
  add_ball_contact(a.at(s), a.radius, b.at(t), b.radius, fallback, margin, 0, out);
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

// One ball of a round shape against the box, in the box's frame. Inside the box the nearest face decides.
void box_ball(const Placed<3>& box, const Vec<3>& x, double radius, double margin, std::uint16_t feature,
              ContactPoints<3>& out) {
  const Vec<3> half = box.shape.half;
  const Vec<3> nearest = x.cwiseMax(-half).cwiseMin(half);
  const Vec<3> away = x - nearest;
  const double distance = away.norm();
  Vec<3> normal;
  double gap;
  Vec<3> surface = nearest;
  if (distance > 0) {
    normal = away / distance;
    gap = distance - radius;
  } else {
    int axis;
    const double depth = (half - x.cwiseAbs()).minCoeff(&axis);
    normal = Vec<3>::Zero();
    normal[axis] = x[axis] < 0 ? -1.0 : 1.0;
    gap = -depth - radius;
    surface[axis] = normal[axis] * half[axis];
  }
  if (gap > margin) return;
  const Vec<3> world_normal = box.R * normal;
  out.push_back({box.p + box.R * surface + world_normal * (0.5 * gap), world_normal, gap, feature});
}

}  // namespace

void box_round(const Placed<3>& box, const Placed<3>& round, double margin, ContactPoints<3>& out) {
  const Segment s = segment_of(round);
  const Vec<3> half = box.shape.half;
  const Vec<3> p = box.R.transpose() * (s.start - box.p), d = box.R.transpose() * s.direction;
  if (d.squaredNorm() == 0) return box_ball(box, p, s.radius, margin, 0, out);
  const double t = nearest_on_segment_to_box(p, d, half);
  const Vec<3> nearest = p + t * d;
  const Eigen::Array<bool, 3, 1> outside = nearest.cwiseAbs().array() > half.array();
  if (outside.count() != 1) return box_ball(box, nearest, s.radius, margin, 0, out);
  // Above a face: the two ends of the part that is above it carry the contact, so that a lying capsule rests
  // on two points whatever its tilt.
  double from = 0, to = 1;
  for (int i = 0; i < 3; ++i) {
    if (outside[i] || d[i] == 0) continue;
    const double t0 = (-half[i] - p[i]) / d[i], t1 = (half[i] - p[i]) / d[i];
    from = std::max(from, std::min(t0, t1));
    to = std::min(to, std::max(t0, t1));
  }
  if (to - from < 1e-9) return box_ball(box, nearest, s.radius, margin, 0, out);
  box_ball(box, p + from * d, s.radius, margin, 1, out);
  box_ball(box, p + to * d, s.radius, margin, 2, out);
}

}  // namespace touchstone
