// Purpose: Lemke's method on a dense tableau. An artificial variable z0 makes every start feasible; the path along
//   which at most one pair is not complementary ends where z0 leaves (an answer) or on a ray.
// Source: C. E. Lemke, Management Science 11 (1965); R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity
//   Problem, algorithm 4.4.5 and section 4.9 (lexicographic rule). yang2020: w = M·z + q.
// Letters: w, z, M, q as there; d the covering vector: w = q + M·z + d·z0.
// Deviations:
//   (1) M and q are scaled first, S·M·S and S·q with S > 0: the same problem, with entries near 1.
//   (2) Where z0 is among the rows of the least ratio it leaves: the answer is there.
//   (3) The answer is computed anew from its basis by elimination, so that it does not carry the rounding of pivots.
//   (4) A try that fails is followed by others with different covering vectors; the best point is kept.
//   (5) Every second of these follows the path of M + ε·I, which for copositive M cannot end on a ray, and takes only
//       the basis from there: bimatrix games are found so.
// Fails: on a ray, where M is not copositive (or where there is no answer); states why.
#include "math/optim/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace touchstone {
namespace {

// All on entries of the scaled problem, which are near 1.
// What is less is taken for rounding of a zero. Chosen, with kTie, of 16 pairs on one heap of boxes in 3D, whose bases
// are nearly singular: of 300 steps it lost 0, with 1e-11 instead 151. On other heaps it loses up to 1.5 in a hundred.
constexpr double kSmallestPivot = 1e-9;
constexpr double kTie = 1e-11;   // ratios that differ by less are the same
constexpr double kGood = 1e-11;  // a residual for which no further try is made
constexpr double kShift = 0.1;   // ε of deviation 5: with much less, an answer z ~ 1/ε is nearer that tells nothing

}  // namespace

// S_ii = 1/√M_ii where that is positive, so that the diagonal becomes 1; elsewhere the greatest entry of row and column
// becomes 1.
void Lemke::scale(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q) {
  const Eigen::Index n = q.size();
  n_ = static_cast<std::size_t>(n);
  width_ = 2 * n_ + 2;
  scale_.assign(n_, 0.0);
  const double greatest = n > 0 ? m.diagonal().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < n; ++i)
    if (m(i, i) > 1e-14 * greatest) scale_[static_cast<std::size_t>(i)] = 1 / std::sqrt(m(i, i));
  for (Eigen::Index i = 0; i < n; ++i) {
    if (m(i, i) > 1e-14 * greatest) continue;
    double most = 0;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double s = m(j, j) > 1e-14 * greatest ? scale_[static_cast<std::size_t>(j)] : 1.0;
      most = std::max({most, s * std::abs(m(i, j)), s * std::abs(m(j, i))});
    }
    scale_[static_cast<std::size_t>(i)] = most > 0 ? 1 / most : 1.0;
  }
  m_.resize(n_ * n_);
  q_.resize(n_);
  q_scale_ = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] = scale_[i] * q[static_cast<Eigen::Index>(i)];
    q_scale_ = std::max(q_scale_, std::abs(q_[i]));
    for (std::size_t j = 0; j < n_; ++j)
      m_[i * n_ + j] = scale_[i] * scale_[j] * m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  }
  if (!(q_scale_ > 0)) q_scale_ = 1;
  for (double& x : q_) x /= q_scale_;
}

// The first is the caller's, or ones; the others have entries between 1 and 2 that hardly repeat.
void Lemke::set_cover(const Eigen::Ref<const Eigen::VectorXd>& cover, int attempt) {
  cover_.assign(n_, 1.0);
  if (attempt == 0 && cover.size() == static_cast<Eigen::Index>(n_)) {
    for (std::size_t i = 0; i < n_; ++i) cover_[i] = cover[static_cast<Eigen::Index>(i)];
  } else if (attempt > 0) {
    constexpr double kGolden = 0.6180339887498949;
    for (std::size_t i = 0; i < n_; ++i) {
      const double x = kGolden * (attempt * 7.0 + static_cast<double>(i + 1) * attempt);
      cover_[i] = 1 + x - std::floor(x);
    }
  }
}

void Lemke::fill_tableau() {
  tableau_.assign(n_ * width_, 0.0);
  basis_.resize(n_);
  std::iota(basis_.begin(), basis_.end(), std::size_t{0});
  for (std::size_t i = 0; i < n_; ++i) {
    double* r = row(i);
    r[i] = 1;
    for (std::size_t j = 0; j < n_; ++j) r[n_ + j] = -m_[i * n_ + j];
    r[n_ + i] -= shift_;
    r[2 * n_] = -cover_[i];
    r[2 * n_ + 1] = q_[i];
  }
}

// The row that z0 comes in for: the least q_i/d_i. Of equal ones the last, which is least in the lexicographic order,
// so that all rows are positive in it afterwards.
std::size_t Lemke::first_row() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < n_; ++i)
    if (q_[i] / cover_[i] <= q_[best] / cover_[best]) best = i;
  return best;
}

// Of the rows in ties_ leaves those whose entry in column `key`, over that in `column`, is least.
void Lemke::keep_least(std::size_t key, std::size_t column) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : ties_) least = std::min(least, row(i)[key] / row(i)[column]);
  const double tie = kTie * std::max(1.0, std::abs(least));
  std::erase_if(ties_, [&](std::size_t i) { return row(i)[key] / row(i)[column] > least + tie; });
}

std::size_t Lemke::leaving_row(std::size_t column, bool lexicographic) {
  ties_.clear();
  double greatest = 0;
  for (std::size_t i = 0; i < n_; ++i) greatest = std::max(greatest, std::abs(row(i)[column]));
  for (std::size_t i = 0; i < n_; ++i)
    if (row(i)[column] > kSmallestPivot * std::max(1.0, greatest)) ties_.push_back(i);
  if (ties_.empty()) return n_;
  keep_least(2 * n_ + 1, column);
  for (const std::size_t i : ties_)
    if (basis_[i] == 2 * n_) return i;  // deviation 2
  if (!lexicographic) return ties_.front();
  for (std::size_t key = 0; key < n_ && ties_.size() > 1; ++key) keep_least(key, column);
  return *std::max_element(ties_.begin(), ties_.end(),
                           [&](std::size_t a, std::size_t b) { return row(a)[column] < row(b)[column]; });
}

void Lemke::pivot(std::size_t at, std::size_t column) {
  double* p = row(at);
  const double inverse = 1 / p[column];
  nonzero_.clear();
  for (std::size_t j = 0; j < width_; ++j) {
    if (p[j] == 0) continue;
    p[j] *= inverse;
    nonzero_.push_back(j);
  }
  p[column] = 1;
  for (std::size_t i = 0; i < n_; ++i) {
    double* r = row(i);
    const double factor = r[column];
    if (i == at || factor == 0) continue;
    if (2 * nonzero_.size() > width_)
      for (std::size_t j = 0; j < width_; ++j) r[j] -= factor * p[j];
    else
      for (const std::size_t j : nonzero_) r[j] -= factor * p[j];
    r[column] = 0;
    if (r[width_ - 1] < 0) r[width_ - 1] = 0;  // rounding: the ratio test keeps it from less
  }
}

LcpStatus Lemke::follow_path(const LemkeOptions& options, std::int64_t& pivots) {
  fill_tableau();
  std::size_t at = first_row();
  std::size_t entering = 2 * n_, leaving = basis_[at];
  // The first pivot is on a negative entry: rows are made non-negative by it.
  double* p = row(at);
  for (std::size_t j = 0; j < width_; ++j) p[j] /= -cover_[at];
  for (std::size_t i = 0; i < n_; ++i) {
    if (i == at) continue;
    for (std::size_t j = 0; j < width_; ++j) row(i)[j] += cover_[i] * p[j];
    row(i)[2 * n_] = 0;
    row(i)[width_ - 1] = std::max(0.0, row(i)[width_ - 1]);
  }
  basis_[at] = entering;
  ++pivots;
  const std::int64_t most = options.max_pivots > 0 ? options.max_pivots : 50 * static_cast<std::int64_t>(n_) + 100;
  for (std::int64_t k = 1; k < most; ++k) {
    options.stop.check();
    entering = leaving < n_ ? leaving + n_ : leaving - n_;  // the complement
    at = leaving_row(entering, options.lexicographic);
    if (at == n_) return LcpStatus::kRay;
    leaving = basis_[at];
    pivot(at, entering);
    basis_[at] = entering;
    ++pivots;
    if (leaving == 2 * n_) return LcpStatus::kSolved;
  }
  return LcpStatus::kPivotLimit;
}

void Lemke::read_basis() {
  z_.assign(n_, 0.0);
  active_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    if (basis_[i] < n_ || basis_[i] == 2 * n_) continue;
    z_[basis_[i] - n_] = row(i)[width_ - 1];
    active_.push_back(basis_[i] - n_);
  }
  std::sort(active_.begin(), active_.end());
}

// z_A = −M_AA⁻¹·q_A into x_, by elimination with row exchanges. False if M_AA is singular to rounding.
bool Lemke::polish() {
  const std::size_t k = active_.size(), width = k + 1;
  lu_.resize(k * width);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) lu_[i * width + j] = m_[active_[i] * n_ + active_[j]];
    lu_[i * width + k] = -q_[active_[i]];
  }
  for (std::size_t c = 0; c < k; ++c) {
    std::size_t best = c;
    for (std::size_t i = c + 1; i < k; ++i)
      if (std::abs(lu_[i * width + c]) > std::abs(lu_[best * width + c])) best = i;
    if (!(std::abs(lu_[best * width + c]) > 1e-15)) return false;
    if (best != c)
      std::swap_ranges(lu_.begin() + static_cast<std::ptrdiff_t>(c * width),
                       lu_.begin() + static_cast<std::ptrdiff_t>((c + 1) * width),
                       lu_.begin() + static_cast<std::ptrdiff_t>(best * width));
    for (std::size_t i = c + 1; i < k; ++i) {
      const double factor = lu_[i * width + c] / lu_[c * width + c];
      if (factor == 0) continue;
      for (std::size_t j = c; j < width; ++j) lu_[i * width + j] -= factor * lu_[c * width + j];
    }
  }
  x_.assign(n_, 0.0);
  for (std::size_t c = k; c-- > 0;) {
    double sum = lu_[c * width + k];
    for (std::size_t j = c + 1; j < k; ++j) sum -= lu_[c * width + j] * x_[active_[j]];
    x_[active_[c]] = sum / lu_[c * width + c];
  }
  for (double& x : x_) x = std::max(0.0, x);
  return true;
}

double Lemke::residual_of(const std::vector<double>& z) const {
  double worst = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double w = q_[i];
    for (std::size_t j = 0; j < n_; ++j) w += m_[i * n_ + j] * z[j];
    const double off = std::abs(std::min(z[i], w));
    if (!(off <= worst)) worst = off;  // not a number stays one
  }
  return std::isfinite(worst) ? worst : std::numeric_limits<double>::infinity();
}

LcpAnswer Lemke::solve(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                       const LemkeOptions& options, Eigen::Ref<Eigen::VectorXd> z,
                       const Eigen::Ref<const Eigen::VectorXd>& cover) {
  LcpAnswer answer;
  z.setZero();
  if (!m.allFinite() || !q.allFinite()) {
    answer.status = LcpStatus::kNotFinite;
    answer.residual = std::numeric_limits<double>::infinity();
    return answer;
  }
  if (q.size() == 0 || q.minCoeff() >= 0) return answer;
  scale(m, q);
  best_.assign(n_, 0.0);
  answer.residual = residual_of(best_);
  for (int attempt = 0; attempt < std::max(1, options.tries); ++attempt) {
    set_cover(cover, attempt);
    shift_ = attempt % 2 ? kShift : 0.0;
    LcpStatus status = follow_path(options, answer.pivots);
    read_basis();
    double residual = residual_of(z_);
    if (status == LcpStatus::kSolved && polish()) {
      const double polished = residual_of(x_);
      if (polished <= residual) residual = polished, z_.swap(x_);
    }
    if (residual < answer.residual) answer.residual = residual, best_.swap(z_);
    if (answer.residual <= options.tolerance)
      status = LcpStatus::kSolved;
    else if (status == LcpStatus::kSolved)
      status = LcpStatus::kInaccurate;
    if (attempt == 0 || status == LcpStatus::kSolved) answer.status = status;
    if (answer.residual <= std::min(kGood, options.tolerance)) break;
  }
  for (std::size_t i = 0; i < n_; ++i) z[static_cast<Eigen::Index>(i)] = best_[i] * scale_[i] * q_scale_;
  return answer;
}

}  // namespace touchstone
