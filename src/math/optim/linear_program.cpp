// Purpose: linear programs by Clp's dual and primal simplex methods, without messages, from the last basis where the
//   matrix is the same; each answer is verified against the program's own numbers.
// Source: the COIN-OR project's Clp (Debian's coinor-libclp-dev).
// Letters: x, y, c, a as in the header. Bounds and costs are divided by powers of two, so that Clp's absolute
//   tolerances are relative ones.
// Deviations: (1) A ray that Clp has not got, or whose verification fails, comes from a program that has an optimum:
// the
//   least sum of violations, or the steepest direction in a box. (2) Programs without rows or columns are answered
//   here.
// Fails: kInaccurate where neither simplex method gives an answer that passes the verification.
#include "math/optim/linear_program.h"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/optim/lp_basis.h"
#include "math/optim/lp_certificate.h"

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kClpTolerance = 1e-9;
constexpr double kRounding = 1e-13;   // relative residual of a point computed from its basis
constexpr double kLeastBound = 1e-4;  // compared with the greatest: less is not what tolerances are chosen for
constexpr int kClpKeepsRays = 32;     // a bit of ClpModel::setSpecialOptions

double clp_bound(double bound) { return std::isfinite(bound) ? bound : std::copysign(COIN_DBL_MAX, bound); }
double power_of_two_below(double x) { return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1.0; }
double missed(double lower, double upper) {
  return std::max({0.0, std::isfinite(lower) ? lower : 0.0, std::isfinite(upper) ? -upper : 0.0});
}
bool has_nan(const Eigen::VectorXd& v) {
  return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}
bool is_finite(const LinearProgram& p) {
  bool finite = p.c.allFinite() && !has_nan(p.lower) && !has_nan(p.upper) && !has_nan(p.x_lower) && !has_nan(p.x_upper);
  for (Eigen::Index j = 0; finite && j < p.a.cols(); ++j)
    for (Entry e(p.a, j); e; ++e) finite = finite && std::isfinite(e.value());
  return finite;
}
double worst(const LpAnswer& a) { return std::max(a.primal_residual, a.dual_residual); }
bool crosses(double lower, double upper) { return lower > upper || lower == kInfinite || upper == -kInfinite; }

// Of the least bound that is not 0, since Clp's tolerances must be small against it; but not of one that is rounding
// compared with those that x = 0 misses, or, if it misses none, with the greatest.
double unit_of_bounds(const LinearProgram& p) {
  double least = kInfinite, most = 0, most_missed = 0;
  const auto add = [&](double lower, double upper) {
    most_missed = std::max(most_missed, missed(lower, upper));
    for (const double bound : {std::abs(lower), std::abs(upper)}) {
      if (!(bound > 0) || !std::isfinite(bound)) continue;
      least = std::min(least, bound), most = std::max(most, bound);
    }
  };
  for (Eigen::Index i = 0; i < p.rows(); ++i) add(p.lower[i], p.upper[i]);
  for (Eigen::Index j = 0; j < p.variables(); ++j) add(p.x_lower[j], p.x_upper[j]);
  return power_of_two_below(std::max(least, kLeastBound * (most_missed > 0 ? most_missed : most)));
}

BasisStatus status_of(ClpSimplex::Status status) {
  switch (status) {
    case ClpSimplex::basic:
      return BasisStatus::kBasic;
    case ClpSimplex::atLowerBound:
      return BasisStatus::kLower;
    case ClpSimplex::atUpperBound:
      return BasisStatus::kUpper;
    case ClpSimplex::isFixed:
      return BasisStatus::kFixed;
    case ClpSimplex::isFree:
    case ClpSimplex::superBasic:
      return BasisStatus::kFree;
  }
  return BasisStatus::kFree;
}

class StopHandler : public ClpEventHandler {
 public:
  explicit StopHandler(const StopFlag& stop) : stop_(stop) {}
  int event(Event) override { return stop_.requested() ? 0 : -1; }
  ClpEventHandler* clone() const override { return new StopHandler(*this); }

 private:
  StopFlag stop_;
};

void set_up(ClpSimplex& clp, const LpOptions& options) {
  clp.setLogLevel(0);
  clp.setPrimalTolerance(kClpTolerance), clp.setDualTolerance(kClpTolerance);
  clp.setSpecialOptions(clp.specialOptions() | kClpKeepsRays);
  clp.setMaximumIterations(static_cast<int>(std::min<std::int64_t>(options.max_iterations, 2000000000)));
  const StopHandler handler(options.stop);
  clp.passInEventHandler(&handler);
}

BasisStatus nearest_bound(double lower, double upper) {
  if (lower == upper) return BasisStatus::kFixed;
  return std::isfinite(lower) ? BasisStatus::kLower : std::isfinite(upper) ? BasisStatus::kUpper : BasisStatus::kFree;
}

}  // namespace

const char* text_of(LpStatus status) {
  switch (status) {
    case LpStatus::kOptimal:
      return "optimal";
    case LpStatus::kInfeasible:
      return "no point keeps all rows and bounds";
    case LpStatus::kUnbounded:
      return "the objective falls for ever";
    case LpStatus::kIterationLimit:
      return "the limit of iterations was reached";
    case LpStatus::kInaccurate:
      return "no answer passed the verification";
    case LpStatus::kNotFinite:
      return "a number of the program is not finite";
    case LpStatus::kStopped:
      return "stopped on request";
  }
  return "";
}

struct LinearSolver::Workspace {
  ClpSimplex clp;
  Eigen::SparseMatrix<double> a;  // that of clp
  bool loaded = false;
  bool seeks_rays = true;       // false for the programs that rays are found by
  double length = 1, cost = 1;  // units of x and c within clp
  Eigen::VectorXd lower, upper, x_lower, x_upper, c;

  void load(const LinearProgram& p, const LpOptions& options);
  void read(const LinearProgram& p, LpAnswer& answer) const;
  LpAnswer solve(const LinearProgram& p, const LpOptions& options);
  bool prove_otherwise(const LinearProgram& p, const LpOptions& options, LpAnswer& answer);
  bool settle(const LinearProgram& p, const LpOptions& options, LpAnswer& answer);
};

namespace {

// No rows, or no columns, or bounds that cross: answered without a simplex method.
bool is_simple(const LinearProgram& p, LpAnswer& answer) {
  const Eigen::Index n = p.variables(), m = p.rows();
  answer.x.setZero(n), answer.multipliers.setZero(m), answer.ray.resize(0);
  answer.columns.resize(static_cast<std::size_t>(n));
  answer.rows.assign(static_cast<std::size_t>(m), BasisStatus::kBasic);
  for (Eigen::Index j = 0; j < n; ++j) {
    answer.columns[static_cast<std::size_t>(j)] = nearest_bound(p.x_lower[j], p.x_upper[j]);
    if (crosses(p.x_lower[j], p.x_upper[j])) {
      answer.status = LpStatus::kInfeasible;
      answer.ray.setZero(m);
      return true;
    }
    answer.x[j] = std::clamp(0.0, p.x_lower[j], p.x_upper[j]);
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    if (!crosses(p.lower[i], p.upper[i]) && !(n == 0 && missed(p.lower[i], p.upper[i]) > 0)) continue;
    answer.status = LpStatus::kInfeasible;
    answer.ray.setZero(m);
    answer.ray[i] = p.upper[i] < 0 ? -1 : 1;
    return true;
  }
  if (n > 0 && m > 0) return false;
  answer.status = LpStatus::kOptimal;
  for (Eigen::Index j = 0; j < n; ++j) {
    if (p.c[j] == 0) continue;
    const double best = p.c[j] > 0 ? p.x_lower[j] : p.x_upper[j];
    answer.columns[static_cast<std::size_t>(j)] = p.c[j] > 0 ? BasisStatus::kLower : BasisStatus::kUpper;
    if (std::isfinite(best)) {
      answer.x[j] = best;
      continue;
    }
    answer.status = LpStatus::kUnbounded;
    if (answer.ray.size() == 0) answer.ray.setZero(n);
    answer.ray[j] = p.c[j] > 0 ? -1 : 1;
    answer.columns[static_cast<std::size_t>(j)] = nearest_bound(p.x_lower[j], p.x_upper[j]);
  }
  answer.objective = p.c.dot(answer.x);
  return true;
}

// Least Σ t⁺ + t⁻ under lower <= a·x + t⁺ − t⁻ <= upper: its multipliers are a contradiction unless it is 0.
LinearProgram violation_program(const LinearProgram& p) {
  const Eigen::Index n = p.variables(), m = p.rows();
  LinearProgram out = p;
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < n; ++j)
    for (Entry e(p.a, j); e; ++e) entries.emplace_back(static_cast<int>(e.row()), static_cast<int>(j), e.value());
  for (int i = 0; i < m; ++i) {
    entries.emplace_back(i, static_cast<int>(n) + i, 1.0);
    entries.emplace_back(i, static_cast<int>(n + m) + i, -1.0);
  }
  out.a.resize(m, n + 2 * m);
  out.a.setFromTriplets(entries.begin(), entries.end());
  out.c.setZero(n + 2 * m), out.c.tail(2 * m).setOnes();
  out.x_lower.conservativeResize(n + 2 * m), out.x_upper.conservativeResize(n + 2 * m);
  out.x_lower.tail(2 * m).setZero(), out.x_upper.tail(2 * m).setConstant(kInfinite);
  return out;
}

// Least cᵀ·d over directions in which bounds never end, each component between −1 and 1.
LinearProgram direction_program(const LinearProgram& p) {
  LinearProgram out = p;
  const auto recession = [](Eigen::VectorXd& lower, Eigen::VectorXd& upper, double most) {
    for (double& x : lower) x = std::isfinite(x) ? 0.0 : -most;
    for (double& x : upper) x = std::isfinite(x) ? 0.0 : most;
  };
  recession(out.lower, out.upper, kInfinite);
  recession(out.x_lower, out.x_upper, 1.0);
  return out;
}

}  // namespace

void LinearSolver::Workspace::load(const LinearProgram& p, const LpOptions& options) {
  length = unit_of_bounds(p);
  cost = power_of_two_below(p.c.cwiseAbs().maxCoeff());
  c = p.c / cost;
  const auto scaled = [&](const Eigen::VectorXd& v) {
    return v.unaryExpr([&](double x) { return clp_bound(x / length); }).eval();
  };
  lower = scaled(p.lower), upper = scaled(p.upper), x_lower = scaled(p.x_lower), x_upper = scaled(p.x_upper);
  const bool same = loaded && a.rows() == p.rows() && a.cols() == p.variables() && a.nonZeros() == p.a.nonZeros() &&
                    std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, p.a.outerIndexPtr()) &&
                    std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), p.a.innerIndexPtr()) &&
                    std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), p.a.valuePtr());
  if (same) {
    clp.chgRowLower(lower.data()), clp.chgRowUpper(upper.data());
    clp.chgColumnLower(x_lower.data()), clp.chgColumnUpper(x_upper.data());
    clp.chgObjCoefficients(c.data());
    set_up(clp, options);
    return;
  }
  a = p.a;
  clp = ClpSimplex();
  set_up(clp, options);
  const std::vector<CoinBigIndex> starts(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1);
  clp.loadProblem(static_cast<int>(p.variables()), static_cast<int>(p.rows()), starts.data(), a.innerIndexPtr(),
                  a.valuePtr(), x_lower.data(), x_upper.data(), c.data(), lower.data(), upper.data());
  loaded = true;
}

void LinearSolver::Workspace::read(const LinearProgram& p, LpAnswer& answer) const {
  const Eigen::Index n = p.variables(), m = p.rows();
  answer.iterations += clp.numberIterations();
  answer.x = length * Eigen::Map<const Eigen::VectorXd>(clp.getColSolution(), n);
  answer.multipliers = cost * Eigen::Map<const Eigen::VectorXd>(clp.getRowPrice(), m);
  answer.objective = p.c.dot(answer.x);
  for (Eigen::Index j = 0; j < n; ++j)
    answer.columns[static_cast<std::size_t>(j)] = status_of(clp.getColumnStatus(static_cast<int>(j)));
  for (Eigen::Index i = 0; i < m; ++i)
    answer.rows[static_cast<std::size_t>(i)] = status_of(clp.getRowStatus(static_cast<int>(i)));
}

// What Clp's last run says, verified. False if it is neither an answer nor a limit.
bool LinearSolver::Workspace::settle(const LinearProgram& p, const LpOptions& options, LpAnswer& answer) {
  read(p, answer);
  const int status = clp.status();
  if (status == 5 || options.stop.requested()) {
    answer.status = LpStatus::kStopped;
    return true;
  }
  if (status == 3) {
    answer.status = LpStatus::kIterationLimit;
    measure_residuals(p, answer);
    return true;
  }
  if (status == 0) {
    answer.status = LpStatus::kOptimal;
    LpAnswer exact = answer;
    measure_residuals(p, answer);
    if (recompute_from_basis(p, exact)) {
      measure_residuals(p, exact);
      if (worst(exact) <= std::max(worst(answer), kRounding)) answer = exact;
    }
    return answer.primal_residual <= options.tolerance && answer.dual_residual <= options.tolerance;
  }
  if (status == 1) {
    answer.status = LpStatus::kInfeasible;
    double* ray = clp.infeasibilityRay();
    if (!ray) return false;
    answer.ray = Eigen::Map<const Eigen::VectorXd>(ray, p.rows());
    delete[] ray;
    for (int sign = 0; sign < 2; ++sign, answer.ray = -answer.ray)
      if (farkas_margin(p, answer.ray, options.tolerance) > options.tolerance) return true;
    return false;
  }
  if (status == 2) {
    answer.status = LpStatus::kUnbounded;
    double* ray = clp.unboundedRay();
    if (!ray) return false;
    answer.ray = Eigen::Map<const Eigen::VectorXd>(ray, p.variables());
    delete[] ray;
    measure_residuals(p, answer);
    return answer.primal_residual <= options.tolerance && falls_along(p, answer.ray, options.tolerance);
  }
  return false;
}

// Deviation (1). False if the program seems to have an optimum.
bool LinearSolver::Workspace::prove_otherwise(const LinearProgram& p, const LpOptions& options, LpAnswer& answer) {
  Workspace solver;
  solver.seeks_rays = false;
  const LpAnswer violation = solver.solve(violation_program(p), options);
  answer.iterations += violation.iterations;
  if (violation.status == LpStatus::kStopped) {
    answer.status = LpStatus::kStopped;
    return true;
  }
  if (violation.status != LpStatus::kOptimal) return false;
  if (farkas_margin(p, violation.multipliers, options.tolerance) > options.tolerance) {
    answer.status = LpStatus::kInfeasible;
    answer.ray = violation.multipliers;
    return true;
  }
  solver.loaded = false;
  const LpAnswer direction = solver.solve(direction_program(p), options);
  answer.iterations += direction.iterations;
  if (direction.status != LpStatus::kOptimal || !falls_along(p, direction.x, options.tolerance)) return false;
  answer.status = LpStatus::kUnbounded;
  answer.x = violation.x.head(p.variables());
  answer.ray = direction.x;
  measure_residuals(p, answer);
  return answer.primal_residual <= options.tolerance;
}

LpAnswer LinearSolver::Workspace::solve(const LinearProgram& given, const LpOptions& options) {
  LpAnswer answer;
  if (!is_finite(given)) {
    answer.status = LpStatus::kNotFinite;
    answer.x.setZero(given.variables()), answer.multipliers.setZero(given.rows());
    return answer;
  }
  if (is_simple(given, answer)) return answer;
  LinearProgram packed;
  const LinearProgram* p = &given;
  if (!given.a.isCompressed()) {
    packed = given, packed.a.makeCompressed();
    p = &packed;
  }
  load(*p, options);
  clp.dual();
  if (settle(*p, options, answer)) return answer;
  clp.allSlackBasis(true);
  clp.primal();
  if (settle(*p, options, answer)) return answer;
  if (seeks_rays && prove_otherwise(*p, options, answer)) return answer;
  answer.status = LpStatus::kInaccurate;
  return answer;
}

LinearSolver::LinearSolver() : w_(std::make_unique<Workspace>()) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

LpAnswer LinearSolver::solve(const LinearProgram& program, const LpOptions& options) {
  return w_->solve(program, options);
}
void LinearSolver::forget() { w_->loaded = false; }

}  // namespace touchstone
