// Purpose: convex quadratic programs, from the last active set if there is one (qp_active_set.cpp), else by an
//   interior-point method (qp_interior.cpp) whose answer the active-set method finishes; or a proof that there is no
//   optimum (qp_rays.cpp).
// Letters: x, y, q, a, c as in the header; in units of its own (qp_scaling.cpp).
// Fails: kInaccurate where the certificate misses the tolerance: numbers of one program differ too much, or so many
//   rows are at their bounds without a multiplier that the active set is not found within its budget (a wall of 1,000
//   bricks that falls in part: LongQuadraticProgram in tests/math). kIterationLimit. Convexity is taken for granted:
//   for an indefinite q the answer is kInaccurate or a stationary point.
#include "math/optim/quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "math/optim/qp_active_set.h"
#include "math/optim/qp_certificate.h"
#include "math/optim/qp_interior.h"
#include "math/optim/qp_kkt.h"
#include "math/optim/qp_rays.h"
#include "math/optim/qp_scaling.h"

namespace touchstone {
namespace {

// Factorisations that a guess of the active set may cost before the interior-point method is quicker, and those that
// finish its answer.
constexpr std::int64_t kWarmBudget = 12, kFinishBudget = 30;
// Of the interior-point method, at which the active set is tried.
constexpr double kTry[] = {1e-6, 1e-8, 1e-10, 1e-12};
constexpr double kFar = 1e6;         // in the program's own units: an optimum there is doubted
constexpr double kProof = 1e-9;      // relative error of a ray that is taken for rounding
constexpr double kDistance = 1e-13;  // from feasible points, in the program's own units: rounding
constexpr int kRefinements = 3;      // of a contradiction that is small compared with the bounds

bool all_finite(const Eigen::SparseMatrix<double>& a) {
  return std::all_of(a.valuePtr(), a.valuePtr() + a.nonZeros(), [](double x) { return std::isfinite(x); });
}
bool has_nan(const Eigen::VectorXd& v) {
  return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}
double worst(const QpAnswer& a) { return std::max({a.primal_residual, a.dual_residual, a.gap}); }

}  // namespace

const char* text_of(QpStatus status) {
  switch (status) {
    case QpStatus::kOptimal:
      return "optimal";
    case QpStatus::kInfeasible:
      return "no point keeps all rows";
    case QpStatus::kUnbounded:
      return "the objective falls for ever";
    case QpStatus::kIterationLimit:
      return "the limit of iterations was reached";
    case QpStatus::kInaccurate:
      return "rounding ended the search before the tolerance was reached";
    case QpStatus::kNotFinite:
      return "a number of the program is not finite";
  }
  return "";
}

struct QuadraticSolver::Workspace {
  ScaledQp scaled;
  QpKkt kkt;
  QpInterior interior;
  QpActiveSet finish;
  QuadraticProgram packed;  // a program whose matrices are not compressed, compressed
  Eigen::VectorXd x, y, ray, xs, ys, best_x, best_y;
  std::vector<std::int8_t> active, guess;
  Eigen::Matrix2Xd rows;   // of the certificate
  bool has_best = false;   // best_x and best_y are a point of this solve
  bool has_set = false;    // active is that of an optimum
  bool seeks_rays = true;  // false for the programs that rays are found by

  bool load(const QuadraticProgram& program);
  void certify(QpAnswer& answer);
  bool accept(const QpOptions& options, QpAnswer& answer);
  bool warm(const QpOptions& options, QpAnswer& answer);
  void cold(const QpOptions& options, QpAnswer& answer);
  bool find_ray(const QpOptions& options, bool contradiction, QpAnswer& answer);
  bool is_far(const QpAnswer& answer) const;
  bool crossing(QpAnswer& answer);
  QpAnswer solve(const QuadraticProgram& program, const QpOptions& options, std::span<const std::int8_t> given);
};

// False if a number is not finite.
bool QuadraticSolver::Workspace::load(const QuadraticProgram& given) {
  const QuadraticProgram* program = &given;
  if (!given.q.isCompressed() || !given.a.isCompressed()) {
    packed = given;
    packed.q.makeCompressed(), packed.a.makeCompressed();
    program = &packed;
  }
  if (!program->c.allFinite() || !all_finite(program->q) || !all_finite(program->a) || has_nan(program->lower) ||
      has_nan(program->upper))
    return false;
  const bool same_sizes = x.size() == program->variables() && y.size() == program->rows() &&
                          active.size() == static_cast<std::size_t>(program->rows());
  if (!scaled.load(*program)) kkt.analyse(scaled);
  if (!same_sizes) {
    has_set = false;
    x.setZero(program->variables()), y.setZero(program->rows());
    active.assign(static_cast<std::size_t>(program->rows()), 0);
  }
  return true;
}

// Residuals are relative: with an x or y that is far off they say nothing, and there may be no optimum at all.
bool QuadraticSolver::Workspace::is_far(const QpAnswer& answer) const {
  if (answer.status != QpStatus::kOptimal || !seeks_rays) return false;
  return std::max(best_x.size() > 0 ? best_x.cwiseAbs().maxCoeff() : 0.0,
                  best_y.size() > 0 ? best_y.cwiseAbs().maxCoeff() : 0.0) > kFar;
}

// The certificate of xs and ys.
void QuadraticSolver::Workspace::certify(QpAnswer& answer) {
  const QpResiduals r = residuals_of(scaled, xs, ys, rows);
  answer.primal_residual = r.primal, answer.dual_residual = r.dual, answer.gap = r.gap;
}

// Keeps xs and ys if they are the best so far. True if they are good enough.
bool QuadraticSolver::Workspace::accept(const QpOptions& options, QpAnswer& answer) {
  QpAnswer now = answer;
  certify(now);
  if (!has_best || worst(now) < worst(answer)) {
    answer = now;
    best_x = xs, best_y = ys;
    has_best = true;
  }
  return answer.good(options.tolerance);
}

bool QuadraticSolver::Workspace::warm(const QpOptions& options, QpAnswer& answer) {
  scaled.scale(x, y, xs, ys);
  const std::int64_t budget = std::min(kWarmBudget, options.max_iterations);
  if (!finish.run(scaled, kkt, budget, options.stop, xs, ys, guess, answer.iterations)) return false;
  answer.warm = accept(options, answer);
  return answer.warm;
}

void QuadraticSolver::Workspace::cold(const QpOptions& options, QpAnswer& answer) {
  using Outcome = QpInterior::Outcome;
  answer.status = QpStatus::kInaccurate;
  interior.begin(scaled, kkt);
  ++answer.iterations;
  Outcome outcome = Outcome::kStalled;
  bool suspects = seeks_rays;
  for (const double enough : kTry) {
    do {
      outcome = interior.run(scaled, kkt, enough, suspects, options.stop, options.max_iterations, answer.iterations);
      const bool unbounded = outcome == Outcome::kSeemsUnbounded;
      if (!unbounded && outcome != Outcome::kSeemsInfeasible) break;
      if (find_ray(options, true, answer) || (unbounded && find_ray(options, false, answer))) return;
      suspects = false;
    } while (true);
    xs = interior.x(), ys = interior.y();
    if (accept(options, answer)) answer.status = QpStatus::kOptimal;
    interior.guess_active(scaled, guess);
    const std::int64_t budget = std::min(kFinishBudget, options.max_iterations - answer.iterations);
    if (finish.run(scaled, kkt, budget, options.stop, xs, ys, guess, answer.iterations) && accept(options, answer))
      answer.status = QpStatus::kOptimal;
    if (answer.status == QpStatus::kOptimal) return;
    if (outcome != Outcome::kNear) break;
  }
  if (seeks_rays && (find_ray(options, true, answer) || find_ray(options, false, answer))) return;
  if (outcome == Outcome::kLimit) answer.status = QpStatus::kIterationLimit;
}

// By a program that always has an optimum. An unbounded program is feasible, so that a contradiction is excluded first.
bool QuadraticSolver::Workspace::find_ray(const QpOptions& options, bool contradiction, QpAnswer& answer) {
  if (contradiction && scaled.rows() == 0) return false;
  Workspace other;
  other.seeks_rays = false;
  QpOptions finer = options;
  finer.tolerance = 1e-14;
  double error = std::numeric_limits<double>::infinity();
  Eigen::VectorXd from = Eigen::VectorXd::Zero(scaled.variables());
  for (int k = 0; k < kRefinements && !(error <= kProof); ++k) {
    const QpAnswer found =
        other.solve(contradiction ? distance_program(scaled, from) : direction_program(scaled), finer, {});
    answer.iterations += found.iterations;
    const Eigen::VectorXd& candidate = contradiction ? other.y : other.x;
    if (!candidate.allFinite() || candidate.size() == 0) return false;
    error = contradiction ? contradiction_error(scaled, candidate) : direction_error(scaled, candidate);
    if (!contradiction) break;
    if (!(candidate.cwiseAbs().maxCoeff() > kDistance)) return false;
    from += other.x.head(from.size());
  }
  if (!(error <= kProof)) return false;
  if (contradiction)
    ray = scaled.row.cwiseProduct(other.y);
  else
    ray = scaled.column.cwiseProduct(other.x);
  answer.status = contradiction ? QpStatus::kInfeasible : QpStatus::kUnbounded;
  answer.primal_residual = answer.gap = 0;
  answer.dual_residual = error;
  return true;
}

// A row whose bounds cross, or of which a bound is infinite on the wrong side.
bool QuadraticSolver::Workspace::crossing(QpAnswer& answer) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
    if (scaled.lower[i] <= scaled.upper[i] && scaled.lower[i] < kInfinite && scaled.upper[i] > -kInfinite) continue;
    answer.status = QpStatus::kInfeasible;
    ray.setZero(scaled.rows());
    ray[i] = 1;
    return true;
  }
  return false;
}

QpAnswer QuadraticSolver::Workspace::solve(const QuadraticProgram& program, const QpOptions& options,
                                           std::span<const std::int8_t> given) {
  QpAnswer answer;
  ray.resize(0);
  has_best = false;
  if (!load(program)) {
    answer.status = QpStatus::kNotFinite;
    x.setZero(program.variables()), y.setZero(program.rows());
    has_set = false;
    return answer;
  }
  if (crossing(answer)) return answer;
  if (!given.empty())
    guess.assign(given.begin(), given.end());
  else
    guess = active;
  if ((!given.empty() || has_set) && warm(options, answer)) {
    answer.status = QpStatus::kOptimal;
  } else {
    guess.assign(active.size(), 0);
    cold(options, answer);
  }
  if (is_far(answer) && !find_ray(options, true, answer)) find_ray(options, false, answer);
  if (!has_best) best_x.setZero(scaled.variables()), best_y.setZero(scaled.rows());
  scaled.unscale(best_x, best_y, x, y);
  has_set = answer.status == QpStatus::kOptimal;
  active = guess;
  return answer;
}

QuadraticSolver::QuadraticSolver() : w_(std::make_unique<Workspace>()) {}
QuadraticSolver::~QuadraticSolver() = default;
QuadraticSolver::QuadraticSolver(QuadraticSolver&&) noexcept = default;
QuadraticSolver& QuadraticSolver::operator=(QuadraticSolver&&) noexcept = default;

QpAnswer QuadraticSolver::solve(const QuadraticProgram& program, const QpOptions& options) {
  return w_->solve(program, options, {});
}
QpAnswer QuadraticSolver::solve(const QuadraticProgram& program, const QpOptions& options,
                                std::span<const std::int8_t> active) {
  return w_->solve(program, options, active);
}
const Eigen::VectorXd& QuadraticSolver::x() const { return w_->x; }
const Eigen::VectorXd& QuadraticSolver::multipliers() const { return w_->y; }
const Eigen::VectorXd& QuadraticSolver::ray() const { return w_->ray; }
std::span<const std::int8_t> QuadraticSolver::active() const { return w_->active; }
void QuadraticSolver::forget() {
  w_->has_set = false;
  w_->x.setZero(), w_->y.setZero();
}

}  // namespace touchstone
