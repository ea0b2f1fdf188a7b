// Purpose: what a solver cannot be asked: whether the problem makes sense, and why it has no answer.
// Source: own.
// Letters: E rows of equalities, q free relative velocities.
// Deviations: -
// Fails: never.
#include "contact/solvers/solve_checks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "contact/delassus.h"
#include "contact/solvers/coulomb_contact.h"

namespace touchstone {
namespace {

constexpr Eigen::Index kMostRows = 600;  // of a dense matrix: a tenth of a second
constexpr double kNegative = 1e-9;       // of the greatest eigenvalue: W of files has seven digits
constexpr double kContradiction = 1e-9;  // of the greatest velocity: what equalities may be left with
constexpr double kRank = 1e-11;          // of the greatest eigenvalue: below, a direction is not there

// All of them are looked at, which compilers do several at a time: files without bodies have a great many.
bool finite(std::span<const double> values) {
  std::uint64_t bad = 0;
  for (const double x : values) bad |= std::abs(x) <= std::numeric_limits<double>::max() ? 0u : 1u;
  return bad == 0;
}

// The natural map of a block with impulse r and velocity u, biases included [m/s].
double block_error(const ContactProblem& p, const RowBlock& b, const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  if (b.kind == BlockKind::kEquality) return u.norm();
  const double mass = own_mass(b, own_block(p, b)), rho = mass > 0 ? mass : 1.0;
  if (b.kind != BlockKind::kContact)
    return std::abs(r[0] - std::clamp(r[0] - rho * u[0], p.lower[b.first_row], p.upper[b.first_row])) / rho;
  const ContactLaw& law = p.contacts[b.contact];
  const double sliding = natural_map(r, u, b.rows > 1 ? law.dynamic_friction : 0.0, rho);
  if (b.rows == 1 || !(law.static_friction > law.dynamic_friction)) return sliding;
  return std::min(sliding, std::max(natural_map(r, u, law.static_friction, rho), std::hypot(u[1], u[2])));
}

// The worst of all blocks; infinite if one is not finite.
double law_error(const ContactProblem& p, std::span<const double> impulses, std::span<const double> velocities) {
  std::vector<double> all(p.rows());
  multiply_jacobian(p, velocities, all);
  double worst = 0;
  for (const RowBlock& b : p.blocks) {
    Eigen::Vector3d r = Eigen::Vector3d::Zero(), u = r;
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      r[i] = impulses[b.first_row + i];
      u[i] = all[b.first_row + i] + p.bias(b.first_row + i);
    }
    const double error = block_error(p, b, r, u);
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

bool indefinite(const ContactProblem& p) {
  for (const Clique& c : p.cliques) {
    const Eigen::Index n = c.size;
    if (n > kMostRows || !p.mass_of(c).dense()) continue;  // factors of a mass are positive
    const Eigen::MatrixXd inverse = Eigen::Map<const Eigen::MatrixXd>(p.mass_of(c).dense_inverse(), n, n);
    const Eigen::MatrixXd symmetric = 0.5 * (inverse + inverse.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(symmetric, Eigen::EigenvaluesOnly);
    if (eigen.eigenvalues().minCoeff() < -kNegative * eigen.eigenvalues().cwiseAbs().maxCoeff()) return true;
  }
  return false;
}

bool contradictory(const ContactProblem& p) {
  std::vector<Eigen::Index> rows;
  for (const RowBlock& b : p.blocks)
    for (std::uint32_t i = 0; i < b.rows && b.kind == BlockKind::kEquality; ++i) rows.push_back(b.first_row + i);
  const Eigen::Index n = static_cast<Eigen::Index>(rows.size());
  if (n == 0 || n > kMostRows || static_cast<Eigen::Index>(std::max(p.rows(), p.velocities())) > 4 * kMostRows)
    return false;
  const Eigen::MatrixXd all = dense_jacobian(p);
  Eigen::MatrixXd j(n, all.cols());
  std::vector<double> free(p.rows());
  free_relative_velocity(p, free);
  Eigen::VectorXd q(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index row = rows[static_cast<std::size_t>(i)];
    j.row(i) = all.row(row), q[i] = free[static_cast<std::size_t>(row)];
  }
  const Eigen::MatrixXd w = j * dense_inverse_mass(p) * j.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(w);
  const double least = kRank * std::max(0.0, eigen.eigenvalues().maxCoeff());
  double left = 0;  // the part of q that no impulse reaches
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(eigen.eigenvalues()[i] > least)) left = std::hypot(left, eigen.eigenvectors().col(i).dot(q));
  return left > kContradiction * q.norm();
}

}  // namespace

const char* problem_defect(const ContactProblem& p) {
  for (const std::span<const double> s :
       {p.inverse_mass, p.free_velocity, p.jacobian, p.restitution, p.correction, p.surface})
    if (!finite(s)) return "a number of the problem is not finite";
  for (const RowBlock& b : p.blocks)
    if (b.clique_a == b.clique_b && b.clique_a != Clique::kNone)
      return "a block has one clique on both sides; its two Jacobians belong together as one";
  for (const ContactLaw& c : p.contacts)
    if (!(c.dynamic_friction >= 0 && c.static_friction >= c.dynamic_friction)) return "friction is not 0 <= μ_d <= μ_s";
  for (std::size_t i = 0; i < p.rows(); ++i)
    if (!(p.lower[i] <= p.upper[i])) return "a lower bound is not below its upper bound";
  return nullptr;
}

void answer_nothing(const ContactProblem& p, SolveStatus status, const char* reason, ContactSolution& out) {
  out.impulses.assign(p.rows(), 0.0);
  out.velocities.assign(p.free_velocity.begin(), p.free_velocity.end());
  for (double& v : out.velocities)
    if (!std::isfinite(v)) v = 0;
  out.status = status, out.reason = reason;
  out.iterations = 0;
  out.residual = std::numeric_limits<double>::infinity();
}

bool all_finite(const ContactSolution& s) { return finite(s.impulses) && finite(s.velocities); }

bool unmovable_is_left(const ContactProblem& p, const ContactSolution& s, double tolerance) {
  std::vector<double> u;
  for (const RowBlock& b : p.blocks) {
    if (b.kind == BlockKind::kMotor) continue;
    const Eigen::Matrix3d own = own_block(p, b);
    if (own.trace() > 0 && (b.kind != BlockKind::kContact || own(0, 0) > 0)) continue;
    if (u.empty()) {
      u.resize(p.rows());
      multiply_jacobian(p, s.velocities, u);
    }
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      const double velocity = u[b.first_row + i] + p.bias(b.first_row + i);
      if (b.kind == BlockKind::kEquality ? std::abs(velocity) > tolerance : i == 0 && velocity < -tolerance)
        return true;
    }
  }
  return false;
}

bool worse_than_nothing(const ContactProblem& p, const ContactSolution& s) {
  const std::vector<double> none(p.rows(), 0.0);
  const double without = law_error(p, none, p.free_velocity), with = law_error(p, s.impulses, s.velocities);
  return with > without || (std::isinf(with) && std::isinf(without));
}

const char* cause_of_divergence(const ContactProblem& p, const char* reason) {
  if (std::string_view(reason).starts_with("a block of W"))
    return "a block of W is zero or negative; impulses were further from the laws than none, so none is given";
  if (indefinite(p))
    return "W is not positive semi-definite: a mass matrix has a negative eigenvalue; impulses diverged, none is given";
  if (contradictory(p))
    return "equalities contradict each other; impulses were further from the laws than none, so none is given";
  return "impulses were further from the laws than none, so none is given";
}

const char* cause_of_failure(const ContactProblem& p) {
  if (indefinite(p)) return "W is not positive semi-definite: a mass matrix has a negative eigenvalue";
  if (contradictory(p)) return "equalities contradict each other: no impulses meet them all";
  return nullptr;
}

}  // namespace touchstone
