// Purpose: the two phases as drumwright2009 prints them, to show what that does. Use the corrected form for anything
//   else.
// Source: drumwright2009 §§3.1, 3.2.
// Letters: as there; A_N, B, A_T are parts of W, b is q, ε is in the biases, R `basis`, w `origin`.
// Deviations, each needed to evaluate it at all:
//   (1) Approaching is b_N <= 0, with which A_N·w = −b_N pushes; contacts that part are left out, as the paper asks.
//   (2) v is 2(wᵀDᵀ + b_Tᵀ)DR: as printed the sizes do not fit.
//   (3) g <= 0 is relaxed by kBall: y = 0, where the paper starts, is on its boundary.
//   (4) A contact with w_i = 0 gets no friction: its cone has no inside to start from. μ = ∞ drops the cone.
// Fails: as convex_island.cpp. Impulses can pull, and friction can hang on pulling ones: that is the printed form.
#include <Eigen/QR>
#include <cmath>

#include "contact/solvers/convex_island.h"

namespace touchstone {
namespace {

constexpr double kBall = 1e-9;   // of |w_s|
constexpr double kRank = 1e-10;  // of the greatest pivot: below, contacts are redundant
constexpr double kNone = 1e-12;  // of the greatest impulse

Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

void ConvexIsland::printed(const ConvexOptions& options, ContactSolution& out) {
  std::erase_if(normals_, [&](const Normal& n) { return !(island_.q()[at(n.row)] <= 0); });
  const Eigen::Index n = at(normals_.size());
  if (n == 0) return;
  Eigen::MatrixXd a(n, n);
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    b[i] = island_.q()[at(normals_[static_cast<std::size_t>(i)].row)];
    for (Eigen::Index j = 0; j < n; ++j)
      a(i, j) =
          island_.w()(at(normals_[static_cast<std::size_t>(i)].row), at(normals_[static_cast<std::size_t>(j)].row));
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
  inverse.setThreshold(kRank);
  inverse.compute(a);
  const Eigen::VectorXd w = -inverse.solve(b);  // eq. 1; (1 + ε) is in b
  for (Eigen::Index i = 0; i < n; ++i) kept_[at(normals_[static_cast<std::size_t>(i)].row)] = w[i];
  const double most = w.cwiseAbs().maxCoeff();
  speed_ = b.cwiseAbs().maxCoeff();
  if (!(most > 0) || !(speed_ > 0)) return;
  for (Eigen::Index i = 0; i < n; ++i) {
    Normal& normal = normals_[static_cast<std::size_t>(i)];
    normal.active = true;
    if (std::abs(w[i]) <= kNone * most) normal.tangents = 0;
  }
  printed_friction(options, w / most, most, out);
}

// Phase 2, over y of x = w + R·y (eq. 2). `w` is in units of `most`.
void ConvexIsland::printed_friction(const ConvexOptions& options, const Eigen::VectorXd& w, double most,
                                    ContactSolution& out) {
  const Eigen::Index n = w.size();
  variable_.clear();
  for (Normal& a : normals_) a.variable = at(variable_.size()), variable_.push_back(a.row);
  for (Normal& a : normals_) {
    a.first_tangent = at(variable_.size());
    for (int t = 0; t < a.tangents; ++t) variable_.push_back(a.tangent[t]);
  }
  const Eigen::Index all = at(variable_.size());
  if (all == n) return;
  Eigen::MatrixXd rows(all, all);  // of W, scaled: C above, D below
  Eigen::VectorXd b(all);
  for (Eigen::Index i = 0; i < all; ++i) {
    b[i] = island_.q()[at(variable_[static_cast<std::size_t>(i)])] / speed_;
    for (Eigen::Index j = 0; j < all; ++j)
      rows(i, j) = most / speed_ *
                   island_.w()(at(variable_[static_cast<std::size_t>(i)]), at(variable_[static_cast<std::size_t>(j)]));
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kRank);
  qr.compute(rows.topRows(n).transpose());
  const Eigen::MatrixXd q = qr.householderQ();
  two_.program.reset(all);
  two_.program.basis = q.rightCols(all - qr.rank());  // R = null(C)
  if (two_.program.basis.cols() == 0) return;
  two_.program.origin.setZero(all);
  two_.program.origin.head(n) = w;
  const Eigen::MatrixXd d = rows.bottomRows(all - n);
  two_.program.q = d.transpose() * d;                // U = RᵀDᵀDR
  two_.program.c = d.transpose() * b.tail(all - n);  // vᵀ = 2(wᵀDᵀ + b_Tᵀ)DR, halved as is U
  for (const Normal& a : normals_)
    if (a.tangents > 0 && std::isfinite(a.friction))  // f_i
      two_.program.cones.push_back({a.variable, {a.first_tangent, a.first_tangent + 1}, a.tangents, a.friction, true});
  two_.program.ball = n;  // g
  two_.program.radius = w.norm() * (1 + kBall);
  two_.x.setZero(two_.program.basis.cols());
  const double fastest = b.tail(all - n).cwiseAbs().maxCoeff();
  const double first = 0.1 * std::max(1.0, fastest * fastest) / static_cast<double>(all);
  if (!minimise(two_, {options.gap * std::max(1.0, fastest), first, 0.05, left_}, out)) return;
  const Eigen::VectorXd x = two_.program.origin + two_.program.basis * two_.x;
  for (Eigen::Index i = 0; i < all; ++i) kept_[at(variable_[static_cast<std::size_t>(i)])] = most * x[i];
}

}  // namespace touchstone
