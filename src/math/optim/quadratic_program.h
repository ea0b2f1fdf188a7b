#pragma once
// Convex quadratic programs with sparse data: least ½·xᵀ·q·x + cᵀ·x under lower <= a·x <= upper. Every answer comes
// with a certificate, and there is an answer to every program: an optimum, a proof that nothing is feasible, or a
// direction in which the objective falls for ever. See quadratic_program.cpp.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>
#include <span>

#include "base/stop.h"

namespace touchstone {

struct QuadraticProgram {
  Eigen::SparseMatrix<double> q;  // symmetric, positive semi-definite, both halves stored
  Eigen::VectorXd c;
  Eigen::SparseMatrix<double> a;  // a row a constraint; may have none
  Eigen::VectorXd lower, upper;   // −∞, +∞ where absent; equal: an equation

  Eigen::Index variables() const { return c.size(); }
  Eigen::Index rows() const { return lower.size(); }
};

enum class QpStatus : std::uint8_t {
  kOptimal,
  kInfeasible,      // no x keeps all rows: ray() is a proof
  kUnbounded,       // the objective has no least value: ray() is a direction in which it falls for ever
  kIterationLimit,  // x() is the best point found
  kInaccurate,      // x() misses the tolerance, and rounding ended the search
  kNotFinite,       // a number of the program is NaN, or an entry of q, c or a is infinite; x() is zero
};
const char* text_of(QpStatus status);

struct QpOptions {
  double tolerance = 1e-12;           // on the three numbers of the certificate
  std::int64_t max_iterations = 500;  // factorisations, of both phases
  StopFlag stop{};                    // checked once a factorisation
};

// The certificate is computed from the program, x and multipliers alone (qp_certificate.h). Each number is relative to
// the greatest sum of magnitudes in it, with rows and columns equilibrated.
struct QpAnswer {
  QpStatus status = QpStatus::kOptimal;
  std::int64_t iterations = 0;  // factorisations
  bool warm = false;            // the last active set, or the guess, led to the answer
  double primal_residual = 0;   // kInfeasible: 0
  double dual_residual = 0;  // kInfeasible: |aᵀ·ray| against the contradiction; kUnbounded: of the ray's rows and q
  double gap = 0;            // primal less dual objective
  bool good(double tolerance) const {
    return primal_residual <= tolerance && dual_residual <= tolerance && gap <= tolerance;
  }
};

class QuadraticSolver {
 public:
  QuadraticSolver();
  ~QuadraticSolver();
  QuadraticSolver(QuadraticSolver&&) noexcept;
  QuadraticSolver& operator=(QuadraticSolver&&) noexcept;

  // Warm if the last program had the same numbers of variables and rows and an optimum. With the pattern of entries of
  // the last program nothing is analysed anew, and nothing is allocated.
  QpAnswer solve(const QuadraticProgram& program, const QpOptions& options);
  // Warm from a guess, one a row: −1 at the lower bound, +1 at the upper bound, 0 at neither.
  QpAnswer solve(const QuadraticProgram& program, const QpOptions& options, std::span<const std::int8_t> active);

  const Eigen::VectorXd& x() const;
  const Eigen::VectorXd& multipliers() const;   // q·x + c = aᵀ·y; y_i > 0 only at lower, < 0 only at upper
  const Eigen::VectorXd& ray() const;           // kInfeasible: y (see qp_certificate.h); kUnbounded: a direction
  std::span<const std::int8_t> active() const;  // as of the guess
  // The next solve is cold, or starts from its guess alone: it does not depend on the solves before.
  void forget();

 private:
  struct Workspace;
  std::unique_ptr<Workspace> w_;
};

}  // namespace touchstone
