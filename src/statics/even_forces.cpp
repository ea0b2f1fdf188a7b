// Purpose: balancing forces of large structures: least Σ f² under J'·f = −W, f >= 0, by the interior-point method of
//   math/optim. A linear program's simplex method walks from corner to corner of a set that, in brickwork, is very
//   degenerate; and it leaves contacts without a force that could have one.
// Letters: f normal forces and forces of joints, J, W as in balance.h.
// Fails: in floating point only; a structure that does not balance is left to the linear program, which proves it.
#include "statics/even_forces.h"

#include <limits>

#include "math/optim/quadratic_program.h"

namespace touchstone::statics {
namespace {

constexpr double kBalanced = 1e-9;             // relative residual, as of linear programs
constexpr std::int64_t kMostIterations = 100;  // 20 to 40 serve
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

Forces even_forces(const Equations& e, const StopFlag& stop) {
  const auto n = static_cast<Eigen::Index>(e.contacts + e.holds), m = static_cast<Eigen::Index>(e.freedoms);
  const auto axes = static_cast<Eigen::Index>(e.axes);
  QuadraticProgram p;
  std::vector<Eigen::Triplet<double>> rows;
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto i = static_cast<std::size_t>(j);
    for (const ExactEntry& entry : i < e.contacts ? e.row(i, 0) : e.hold(i - e.contacts))
      rows.emplace_back(entry.row, static_cast<int>(j), rounded(entry.value));
    rows.emplace_back(static_cast<int>(m + j), static_cast<int>(j), 1.0);
  }
  p.q.resize(n, n), p.q.setIdentity();
  p.a.resize(m + n, n), p.a.setFromTriplets(rows.begin(), rows.end());
  p.c.setZero(n), p.lower.setZero(m + n), p.upper.setConstant(m + n, kInfinite);
  for (Eigen::Index i = 0; i < m; ++i) p.lower[i] = p.upper[i] = -rounded(e.load[static_cast<std::size_t>(i)]);
  for (std::size_t i = 0; i < e.holds; ++i)
    if (!e.one_sided[i]) p.lower[m + static_cast<Eigen::Index>(e.contacts + i)] = -kInfinite;
  QuadraticSolver solver;
  QpOptions options;
  options.tolerance = kBalanced, options.max_iterations = kMostIterations, options.stop = stop;
  Forces out;
  const QpAnswer answer = solver.solve(p, options);
  if (answer.status != QpStatus::kOptimal || !answer.good(kBalanced)) return out;  // rays have residuals, too
  out.rounded = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(e.rows.size()));
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(e.contacts); ++i) out.rounded[i * axes] = solver.x()[i];
  out.rounded.tail(static_cast<Eigen::Index>(e.holds)) = solver.x().tail(static_cast<Eigen::Index>(e.holds));
  return out;
}

}  // namespace touchstone::statics
