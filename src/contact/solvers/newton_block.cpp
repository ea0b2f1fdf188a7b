// Purpose: the laws of contacts, equalities, limits and motors as non-smooth equations F(r, u) = 0, with an element of
//   their generalised derivative.
// Source: P. Alart, A. Curnier, A mixed formulation for frictional contact problems prone to Newton like solution
//   methods, 1991; [acary2018] for its place among the others.
// Letters: z = r − ρ·u; F_N = r_N − max(0, z_N), F_T = r_T − P(z_T) with P the projection on the disc of radius
//   μ·max(0, z_N); d = z_T/|z_T|.
// Deviations: (1) The disc, not the cone: De Saxcé's term μ|u_T| is not needed, since the normal row never sees
//   friction. Both have the same zeros. (2) μ = ∞: P is the identity where z_N > 0.
// Fails: never.
#include "contact/solvers/newton_block.h"

#include <algorithm>
#include <cmath>

#include "contact/contact_laws.h"
#include "contact/solvers/coulomb_contact.h"

namespace touchstone {
namespace {

enum class State { kOpen, kStick, kSlide };

State state_of(const NewtonBlock& b, const Eigen::Vector3d& z) {
  if (!(z[0] > 0)) return State::kOpen;
  if (b.friction >= kEndlessFriction) return State::kStick;
  return z.tail<2>().norm() <= b.friction * z[0] ? State::kStick : State::kSlide;
}

Eigen::Vector3d contact_error(const NewtonBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  const Eigen::Vector3d z = r - b.rho.cwiseProduct(u);
  const State state = state_of(b, z);
  if (state == State::kOpen) return r;
  Eigen::Vector3d out = b.rho.cwiseProduct(u);
  if (state == State::kSlide) out.tail<2>() = r.tail<2>() - z.tail<2>() * (b.friction * z[0] / z.tail<2>().norm());
  return out;
}

void linearise_contact(NewtonBlock& b) {
  const Eigen::Vector3d z = b.r - b.rho.cwiseProduct(b.u);
  const State state = state_of(b, z);
  b.by_r.setZero(), b.by_u.setZero();
  if (state == State::kOpen) {
    b.by_r.setIdentity();
    return;
  }
  b.by_u.diagonal() = b.rho;
  if (state == State::kStick) return;
  const double length = z.tail<2>().norm(), part = b.friction * z[0] / length;
  const Eigen::Vector2d d = z.tail<2>() / length;
  Eigen::Matrix2d across = Eigen::Matrix2d::Identity() - d * d.transpose();
  b.by_r.bottomRightCorner<2, 2>() = Eigen::Matrix2d::Identity() - part * across;
  b.by_r.block<2, 1>(1, 0) = -b.friction * d;
  b.by_u.bottomRightCorner<2, 2>() = part * b.rho[1] * across;
  b.by_u.block<2, 1>(1, 0) = b.friction * b.rho[0] * d;
}

}  // namespace

Eigen::Vector3d law_error(const NewtonBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  if (b.kind == BlockKind::kEquality) return b.rho.cwiseProduct(u);
  if (b.kind == BlockKind::kContact) return contact_error(b, r, u);
  return {r[0] - std::clamp(r[0] - b.rho[0] * u[0], b.lower, b.upper), 0, 0};
}

double squared_error(const NewtonBlock& b, const Eigen::Vector3d& error) {
  double sum = 0;
  for (std::uint32_t i = 0; i < b.rows; ++i)
    if (b.rho[i] > 0) sum += error[i] * error[i] / b.rho[i];
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
  const double z = b.r[0] - b.rho[0] * b.u[0];
  (z > b.lower && z < b.upper ? b.by_u(0, 0) = b.rho[0] : b.by_r(0, 0) = 1);
}

double natural_error(const NewtonBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  if (b.kind == BlockKind::kEquality) return u.norm();
  if (b.kind == BlockKind::kContact) {
    const double error = natural_map(r, u, b.friction, b.measure_rho);
    return b.held ? std::max(error, u.tail<2>().norm()) : error;
  }
  return std::abs(r[0] - std::clamp(r[0] - b.measure_rho * u[0], b.lower, b.upper)) / b.measure_rho;
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
