// Purpose: a bead: a point of B stays on a curve f(x, y) = 0 that is fixed to A.
// Source: C is the signed distance to the curve, whatever the scale of f: with q the point in the axes of the curve and
//   p the foot of the perpendicular from q, n = ∇f/|∇f| at p, C = n·(q − p). Then ∇C = n exactly, and
//   ∇²C = κ/(1 + κ C) t tᵀ, so that d²C/dt² = n·q̈ + κ/(1 + κ C) (t·q̇)².
//   The foot is the point of f = 0 nearest to q, by sequential quadratic programming: p ← p + dp with
//   f + ∇f·dp = 0 and tᵀ(I + μ∇²f)(p + dp − q) = 0 to first order, μ = n·(q − p)/|∇f|; it converges quadratically.
// Letters: t along the curve, κ = tᵀ∇²f t/|∇f| its curvature.
// Deviations: -
// Fails: where f has no gradient, or is not defined, there is no normal: C is then kNowhere along x, so that the joint
//   counts as open. Beyond the centre of curvature another foot is nearer; 1 + κ C is kept away from zero.
#include <algorithm>
#include <cmath>

#include "dynamics/joints/sides.h"

namespace touchstone {
namespace {

constexpr double kNowhere = 1.0;  // [m]

struct Foot {
  Vec<2> normal;
  double distance = 0, curvature = 0;  // of the level lines at the point: κ/(1 + κ C)
};

bool usable(const Jet2& f) {
  const double size = f.x * f.x + f.y * f.y;
  return std::isfinite(f.value) && std::isfinite(f.xx) && std::isfinite(f.xy) && std::isfinite(f.yy) &&
         std::isfinite(size) && size > 0;
}

Foot foot_of(const Expression& curve, const Vec<2>& q) {
  constexpr int kMost = 30;
  constexpr double kNear = 1e-10;    // of the lengths here: one more step would change less than rounding
  constexpr double kSmallest = 0.1;  // of 1 + μ tᵀ∇²f t, which is positive at the nearest point
  const Foot nowhere{Vec<2>::UnitX(), kNowhere, 0};
  Vec<2> p = q;
  for (int i = 0; i < kMost; ++i) {
    const Jet2 f = curve.at(p.x(), p.y());
    if (!usable(f)) return nowhere;
    const double slope = std::hypot(f.x, f.y);
    const Vec<2> n(f.x / slope, f.y / slope), t(-n.y(), n.x());
    Mat<2> hessian;
    hessian << f.xx, f.xy, f.xy, f.yy;
    const double multiplier = n.dot(q - p) / slope;
    const double across = -f.value / slope;
    const double bent = 1 + multiplier * t.dot(hessian * t);
    const double along = (t.dot(q - p) - multiplier * t.dot(hessian * n) * across) / std::max(bent, kSmallest);
    const Vec<2> step = across * n + along * t;
    p += step;
    if (!(step.norm() <= kNear * (p.norm() + q.norm()))) continue;
    const Jet2 at = curve.at(p.x(), p.y());
    if (!usable(at)) return nowhere;
    const double steep = std::hypot(at.x, at.y);
    const Vec<2> normal(at.x / steep, at.y / steep), tangent(-normal.y(), normal.x());
    hessian << at.xx, at.xy, at.xy, at.yy;
    const double curvature = tangent.dot(hessian * tangent) / steep, distance = normal.dot(q - p);
    return {normal, distance, curvature / std::max(1 + curvature * distance, kSmallest)};
  }
  return nowhere;
}

}  // namespace

int bead_rows(const JointSides<2>& s, JointRow<2>* rows) {
  const Mat<2> axes = matrix_of(s.frame_a);
  const Foot foot = foot_of(*s.joint->curve, axes.transpose() * s.between);
  const Vec<2> n = axes * foot.normal, t(-n.y(), n.x());
  rows[0] = turning_direction_row<2>(s, n);
  rows[0].error = foot.distance;
  const double along = t.dot(s.rate - cross(s.a.angular_velocity, s.between));
  rows[0].rate_bias += foot.curvature * along * along;
  return 1;
}

}  // namespace touchstone
