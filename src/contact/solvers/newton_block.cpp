// Purpose: the laws of contacts, equalities, limits and motors as non-smooth equations F(r, u) = 0, with an element of
//   their generalised derivative.
// Source: P. Alart, A. Curnier, A mixed formulation for frictional contact problems prone to Newton like solution
//   methods, 1991; [acary2018] for its place among the others.
// Letters: z = r − ρ·u; F_N = r_N − φ(z_N), F_T = r_T − P(z_T) with P the projection on the disc of radius R =
// μ·φ(z_N);
//   φ(x) = max(0, x), or ½(x + √(x² + 4τ²)) with τ = ρ·δ where the law is smoothed [B. Chen, P. T. Harker 1993;
//   C. Kanzow 1996]: r_N·u_N = ρ·δ² instead of 0, as on the central path of an interior-point method.
// Deviations: (1) The disc, not the cone: De Saxcé's term μ|u_T| is not needed, since the normal row never sees
//   friction. Both have the same zeros. (2) μ = ∞: P is the identity where z_N > 0, and smoothed as kEndlessFriction.
//   (3) The smoothed projection is z_T·R/m with m = R + φ(√(|z_T|² + τ²) − R).
//   (4) Weights: on the path ρ·u_N = τ²/r_N where a point bears, and ρ·u_T is about τ²/(R − |r_T|) where it sticks.
//       F is measured by that. By one measure for all, a point that is to let go counts for its impulse and hides the
//       speeds of others, 1e-9 of it, that decide which one it is to be.
// Fails: never.
#include "contact/solvers/newton_block.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "contact/solvers/coulomb_contact.h"

namespace touchstone {
namespace {

// φ and its derivative.
struct Ramp {
  double value, slope;
};
Ramp ramp(double x, double tau) {
  if (tau == 0) return x > 0 ? Ramp{x, 1} : Ramp{0, 0};
  const double root = std::hypot(x, 2 * tau);
  // 4τ²/(√ − x) where x < 0: no difference of two that are nearly the same
  const double value = x > 0 ? 0.5 * (x + root) : 2 * tau * tau / (root - x);
  return {value, value / root};
}

struct Projected {
  Eigen::Vector2d value = Eigen::Vector2d::Zero();
  Eigen::Matrix2d by_z = Eigen::Matrix2d::Zero();     // by z_T
  Eigen::Vector2d by_load = Eigen::Vector2d::Zero();  // by φ(z_N)
};
Projected project(const NewtonBlock& b, const Eigen::Vector2d& z, double load) {
  const double tau = b.side * b.delta * b.rho[1], mu = tau > 0 ? std::min(b.friction, kEndlessFriction) : b.friction;
  Projected out;
  if (!(load > 0) || mu == 0) return out;
  const double radius = mu * load, length = std::hypot(z.norm(), tau);
  if (tau == 0 && (mu >= kEndlessFriction || length <= radius)) {
    out.value = z;
    out.by_z.setIdentity();
    return out;
  }
  const Ramp over = ramp(length - radius, tau);
  const double most = radius + over.value, part = radius / most;
  out.value = part * z;
  out.by_z = part * Eigen::Matrix2d::Identity() - (part / most * over.slope / length) * z * z.transpose();
  out.by_load = z * (mu / most * (1 - part * (1 - over.slope)));
  return out;
}

Eigen::Vector3d contact_error(const NewtonBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  const Eigen::Vector3d z = r - b.rho.cwiseProduct(u);
  const Ramp load = ramp(z[0], b.delta * b.rho[0]);
  Eigen::Vector3d out = r;
  out[0] -= load.value;
  out.tail<2>() -= project(b, z.tail<2>(), load.value).value;
  return out;
}

void linearise_contact(NewtonBlock& b) {
  const Eigen::Vector3d z = b.r - b.rho.cwiseProduct(b.u);
  const Ramp load = ramp(z[0], b.delta * b.rho[0]);
  const Projected friction = project(b, z.tail<2>(), load.value);
  Eigen::Matrix3d by_z = Eigen::Matrix3d::Zero();
  by_z(0, 0) = load.slope;
  by_z.block<2, 1>(1, 0) = friction.by_load * load.slope;
  by_z.bottomRightCorner<2, 2>() = friction.by_z;
  b.by_r = Eigen::Matrix3d::Identity() - by_z;
  b.by_u = by_z * b.rho.asDiagonal();
}

// Between the bounds, and the derivative.
Ramp between(const NewtonBlock& b, double z) {
  const double tau = b.delta * b.rho[0];
  Ramp out{z, 1};
  if (std::isfinite(b.lower)) {
    const Ramp above = ramp(z - b.lower, tau);
    out = {b.lower + above.value, above.slope};
  }
  if (!std::isfinite(b.upper)) return out;
  const Ramp beyond = ramp(z - b.upper, tau);
  return {out.value - beyond.value, out.slope - beyond.slope};
}

}  // namespace

Eigen::Vector3d law_error(const NewtonBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  if (b.kind == BlockKind::kEquality) return b.rho.cwiseProduct(u);
  if (b.kind == BlockKind::kContact) return contact_error(b, r, u);
  return {r[0] - between(b, r[0] - b.rho[0] * u[0]).value, 0, 0};
}

void weigh(NewtonBlock& b, double noise) {
  for (int i = 0; i < 3; ++i) b.weight[i] = b.rho[i] > 0 ? 1 / b.rho[i] : 0.0;
  if (b.delta == 0) return;
  // x: how far inside its law [N·s]
  const auto by = [&](double x, double tau, double rho) {
    const double near = tau * tau / std::hypot(std::max(0.0, x), 2 * tau) + noise * rho;
    return 1 / (near * near);
  };
  const Eigen::Vector3d z = b.r - b.rho.cwiseProduct(b.u);
  const double tau = b.delta * b.rho[0];
  if (b.kind == BlockKind::kEquality) {
    for (std::uint32_t i = 0; i < b.rows; ++i) b.weight[i] = by(0, b.delta * b.rho[i], b.rho[i]);
  } else if (b.kind == BlockKind::kContact) {
    const double radius = std::min(b.friction, kEndlessFriction) * ramp(z[0], tau).value;
    b.weight[0] = by(z[0], tau, b.rho[0]);
    b.weight[1] = b.weight[2] = by(radius - z.tail<2>().norm(), b.side * b.delta * b.rho[1], b.rho[1]);
  } else {
    b.weight[0] = by(std::min(z[0] - b.lower, b.upper - z[0]), tau, b.rho[0]);
  }
}

double squared_error(const NewtonBlock& b, const Eigen::Vector3d& error) {
  double sum = 0;
  for (std::uint32_t i = 0; i < b.rows; ++i) sum += b.weight[i] * error[i] * error[i];
  return sum;
}

void linearise(NewtonBlock& b) {
  b.error = law_error(b, b.r, b.u);
  if (b.kind == BlockKind::kContact) {
    linearise_contact(b);
    return;
  }
  b.by_r.setZero(), b.by_u.setZero();
  if (b.kind == BlockKind::kEquality) {
    b.by_u.diagonal() = b.rho;
    return;
  }
  const double slope = between(b, b.r[0] - b.rho[0] * b.u[0]).slope;
  b.by_r(0, 0) = 1 - slope, b.by_u(0, 0) = slope * b.rho[0];
}

double natural_error(const NewtonBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  if (b.kind == BlockKind::kEquality) return u.norm();
  if (b.kind == BlockKind::kContact) {
    const double error = natural_map(r, u, b.friction, b.measure_rho);
    return b.held ? std::max(error, u.tail<2>().norm()) : error;
  }
  return std::abs(r[0] - std::clamp(r[0] - b.measure_rho * u[0], b.lower, b.upper)) / b.measure_rho;
}

NewtonGain gain_of(const NewtonBlock& b, double epsilon) {
  Eigen::Matrix3d a = Eigen::Matrix3d::Identity(), by_u = Eigen::Matrix3d::Zero();
  const Eigen::Index n = b.rows;
  by_u.topLeftCorner(n, n) = b.by_u.topLeftCorner(n, n);
  for (Eigen::Index row = 0; row < n; ++row)
    for (Eigen::Index k = 0; k < n; ++k) a(row, k) = b.by_r(row, k) + epsilon * by_u(row, k) / b.rho[k];
  const Eigen::Matrix3d inverse = a.inverse();
  return {inverse * by_u, inverse * b.error};
}

Eigen::Vector3d into_bounds(const NewtonBlock& b, const Eigen::Vector3d& r) {
  if (b.kind == BlockKind::kEquality) return r;
  if (b.kind != BlockKind::kContact) return {std::clamp(r[0], b.lower, b.upper), 0, 0};
  if (!(r[0] > 0)) return Eigen::Vector3d::Zero();
  Eigen::Vector3d out = r;
  const double length = r.tail<2>().norm(), most = b.friction * r[0];
  if (length > most) out.tail<2>() *= most / length;
  return out;
}

}  // namespace touchstone
