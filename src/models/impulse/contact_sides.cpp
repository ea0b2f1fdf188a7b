#include "models/impulse/contact_sides.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

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
  switch (collider.shape().kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      return collider.shape().radius;
    case ShapeKind::kEllipsoid: {
      const Mat<D> to_shape = (R * collider.R_local()).transpose();
      return ellipsoid_radius<D>(collider.shape().half, to_shape * n, to_shape * cross(w, n));
    }
    case ShapeKind::kCylinder:
      return std::abs(n.dot(Vec<D>(R * collider.R_local().col(D - 1)))) < kAcross ? collider.shape().radius : 0.0;
    default:
      return 0;
  }
}

// Whether n is the normal of a face of this shape.
template <int D>
bool is_face(const Collider<D>& collider, const Mat<D>& R, const Vec<D>& n) {
  constexpr double kParallel = 1e-9;  // of 1 − |n·axis|
  if (collider.shape().kind == ShapeKind::kHalfSpace) return true;
  if (collider.shape().kind != ShapeKind::kBox) return false;
  const Vec<D> in_body = R.transpose() * n;
  return Vec<D>(collider.R_local().transpose() * in_body).cwiseAbs().maxCoeff() > 1 - kParallel;
}

// The axis of a box that is most across n: its edge, if it touches with one.
Vec<3> edge_across(const Collider<3>& collider, const Mat<3>& R, const Vec<3>& n) {
  const Vec<3> in_body = R.transpose() * n;
  int least = 0;
  Vec<3>(collider.R_local().transpose() * in_body).cwiseAbs().minCoeff(&least);
  return R * collider.R_local().col(least);
}

// Where edges of two boxes cross. False if they are nearly parallel, or not boxes: their normal swings by as much as
// they turn within h over the sine of the angle between them, and what swings far is of no use. turn: of one against
// the other within h at the start [rad].
bool find_edges(const Collider<3>& a, const Collider<3>& b, const Mat<3>& Ra, const Mat<3>& Rb, const Vec<3>& n,
                double h, double turn, ContactSides<3>& s) {
  constexpr double kTurning = 10, kAcross = 1e-6;  // [rad/s]; of |cos| of an edge to the normal
  constexpr double kSwing = 0.5;                   // [rad] that is not far
  // Of |sin| between the edges.
  const double parallel = std::max(std::clamp(kTurning * h, 0.01, 0.05), std::min(1.0, turn / kSwing));
  if (a.shape().kind != ShapeKind::kBox || b.shape().kind != ShapeKind::kBox) return false;
  const Vec<3> ea = edge_across(a, Ra, n), eb = edge_across(b, Rb, n);
  if (std::abs(ea.dot(n)) > kAcross || std::abs(eb.dot(n)) > kAcross || ea.cross(eb).norm() < parallel) return false;
  s.edge_a = ea, s.edge_b = eb;
  return true;
}
bool find_edges(const Collider<2>&, const Collider<2>&, const Mat<2>&, const Mat<2>&, const Vec<2>&, double, double,
                ContactSides<2>&) {
  return false;
}

// The normal turns with the side that has a face there; it stays across both edges where edges cross, and does not turn
// where two smooth sides touch. Otherwise it turns with both a little.
template <int D>
void find_owner(const Collider<D>& side_a, const Collider<D>& side_b, const Mat<D>& rotation_a,
                const Mat<D>& rotation_b, const Vec<D>& n, double h, double turn, ContactSides<D>& s) {
  s.normal_a = s.normal_b = 0;
  s.edge_a.setZero(), s.edge_b.setZero();
  if (s.smooth_a && s.smooth_b) return;
  const bool a = !s.smooth_a && is_face(side_a, rotation_a, n);
  const bool b = !s.smooth_b && is_face(side_b, rotation_b, n);
  if (!a && !b && find_edges(side_a, side_b, rotation_a, rotation_b, n, h, turn, s)) return;
  if (a != b)
    s.normal_a = a ? 1 : 0;
  else
    s.normal_a = s.smooth_a ? 0 : s.smooth_b ? 1 : 0.5f;
  s.normal_b = 1 - s.normal_a;
}

}  // namespace

template <int D>
void describe_sides(const StepInput<D>& in, const State<D>& state, const Contact<D>& c, const Mat<D>& rotation_a,
                    const Mat<D>& rotation_b, ContactSides<D>& s) {
  const Collider<D>& a = in.detector.colliders()[c.collider_a()];
  const Collider<D>& b = in.detector.colliders()[c.collider_b()];
  s.radius_a = smooth_radius(a, rotation_a, state.angular_velocity[c.body_a], c.normal);
  s.radius_b = smooth_radius(b, rotation_b, state.angular_velocity[c.body_b], c.normal);
  s.smooth_a = s.radius_a > 0, s.smooth_b = s.radius_b > 0;
  const double turn = in.h * (state.angular_velocity[c.body_b] - state.angular_velocity[c.body_a]).norm();
  find_owner(a, b, rotation_a, rotation_b, c.normal, in.h, turn, s);
}

template <int D>
void describe_pair(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                   const Contact<D>& contact, ContactSides<D>& s) {
  const ColliderTable<D>& colliders = in.detector.colliders();
  const std::uint32_t a = contact.body_a, b = contact.body_b;
  s.material = &material_of(in, contact);
  const auto skin = [&](std::uint32_t body) {
    const Vec<D>& v = in.bodies.surface_velocity[body];
    return v.isZero(0) ? v : Vec<D>(rotation[body] * v);
  };
  s.skin = skin(b) - skin(a);
  s.skin -= contact.normal * contact.normal.dot(s.skin);
  describe_sides(in, state, contact, rotation[a], rotation[b], s);
  // A half-space has no corners: the point goes where the other body's goes.
  const auto flat = [&](std::uint32_t c) { return colliders[c].shape().kind == ShapeKind::kHalfSpace; };
  s.weight_a = 0.5f;
  if (s.smooth_a != s.smooth_b)
    s.weight_a = s.smooth_a ? 1.0f : 0.0f;
  else if (flat(contact.collider_a()) != flat(contact.collider_b()))
    s.weight_a = flat(contact.collider_a()) ? 0.0f : 1.0f;
}

template void describe_sides(const StepInput<2>&, const State<2>&, const Contact<2>&, const Mat<2>&, const Mat<2>&,
                             ContactSides<2>&);
template void describe_sides(const StepInput<3>&, const State<3>&, const Contact<3>&, const Mat<3>&, const Mat<3>&,
                             ContactSides<3>&);
template void describe_pair(const StepInput<2>&, const State<2>&, std::span<const Mat<2>>, const Contact<2>&,
                            ContactSides<2>&);
template void describe_pair(const StepInput<3>&, const State<3>&, std::span<const Mat<3>>, const Contact<3>&,
                            ContactSides<3>&);

}  // namespace touchstone
