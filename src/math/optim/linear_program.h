#pragma once
// Linear programs with sparse data, solved by Clp's simplex methods: least cᵀ·x under lower <= a·x <= upper and
// x_lower <= x <= x_upper. Every answer is verified by multiplication. See linear_program.cpp.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/stop.h"

namespace touchstone {

struct LinearProgram {
  Eigen::VectorXd c;
  Eigen::SparseMatrix<double> a;
  Eigen::VectorXd lower, upper;      // of rows; −∞, +∞ where absent
  Eigen::VectorXd x_lower, x_upper;  // of columns

  Eigen::Index variables() const { return c.size(); }
  Eigen::Index rows() const { return lower.size(); }
};

enum class LpStatus : std::uint8_t {
  kOptimal,
  kInfeasible,      // `ray` is a proof
  kUnbounded,       // `x` is feasible, `ray` a direction from there
  kIterationLimit,  // `x` is the last point
  kInaccurate,      // an answer was given that the program's own numbers do not bear out
  kNotFinite,       // a number is NaN, or an entry of c or a is infinite
  kStopped,
};
const char* text_of(LpStatus status);

enum class BasisStatus : std::uint8_t { kBasic, kLower, kUpper, kFree, kFixed };  // kFree: not basic, at no bound

struct LpOptions {
  double tolerance = 1e-9;                // on the residuals below
  std::int64_t max_iterations = 1000000;  // pivots
  StopFlag stop{};
};

struct LpAnswer {
  LpStatus status = LpStatus::kOptimal;
  std::int64_t iterations = 0;  // pivots
  double objective = 0;
  Eigen::VectorXd x;
  Eigen::VectorXd multipliers;  // y of rows; c − aᵀ·y are the reduced costs; y_i > 0 only at lower, < 0 only at upper
  // kInfeasible: y of rows, such that no x within its bounds has yᵀ·a·x as great as the rows ask for (see
  // farkas_margin). kUnbounded: a direction d with cᵀ·d < 0.
  Eigen::VectorXd ray;
  std::vector<BasisStatus> columns, rows;
  // Against the program's own numbers, relative to the greatest sum of magnitudes of a row, of a column.
  double primal_residual = 0, dual_residual = 0;
};

// How far a combination of rows contradicts the bounds: Σ_{y>0} y·lower + Σ_{y<0} y·upper − max_{x in bounds} yᵀ·a·x,
// divided by the sum of magnitudes in it. Positive: no x is feasible. Entries of y and of aᵀ·y that meet an infinite
// bound count as rounding of a zero below `tolerance` of the greatest; a greater one makes the margin −∞. A column
// whose bounds cross is a contradiction of its own, with y = 0, and so is such a row, with its unit vector.
double farkas_margin(const LinearProgram& program, const Eigen::VectorXd& y, double tolerance);

class LinearSolver {
 public:
  LinearSolver();
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;
  // The same matrix as in the last call: starts from its basis.
  LpAnswer solve(const LinearProgram& program, const LpOptions& options);
  void forget();

 private:
  struct Workspace;
  std::unique_ptr<Workspace> w_;
};

}  // namespace touchstone
