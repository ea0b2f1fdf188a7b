// Purpose: the equations of constrained dynamics, J·W·Jᵀ·λ = b, as sparse factors or by Krylov methods.
// Source: [thompson2003, eq. 41 and "Efficient Sparse Matrix Methods"]; factors as in math/sparse_ldl.h.
// Letters: J Jacobian, W = M⁻¹, A = J·W·Jᵀ, S the diagonal scaling that makes the diagonal of A one.
// Method: factors of S·A·S + ε, refined until the residual of A itself is small. Redundant rows make A singular; the
//   refinement then finds one of the many λ, all of which move the bodies alike. Rows that contradict each other leave
//   a residual: λ is then that of least squares. Conjugate and biconjugate gradients apply J, W and Jᵀ one after the
//   other, and form nothing.
// Deviations: the paper solves by biconjugate gradients alone.
// Fails: solved = false where the residual stays above the tolerance; λ is the best found.
#include "contact/solvers/equality_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace touchstone {
namespace {

constexpr double kRidge = 1e-12;  // ε: above the rounding of a scaled sum, far below what a mechanism's rows differ by
constexpr int kMostRefinements = 12;
// Measured by `bench joints`. Chains, trees, ladders, nets and plates of up to 30,000 rows have 2 to 43 entries of L a
// row, and factors take a tenth to a sixtieth of the time of gradients. Where all joints are on one body A is dense:
// factors win up to 25 entries a row, and lose from 50 on.
constexpr double kMostEntries = 40;  // of A, a row
constexpr double kMostFill = 400;    // of L: far above all that was measured

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

}  // namespace

bool EqualitySystem::same_pattern(const ContactProblem& p) const {
  if (p.blocks.size() != known_rows_.size() || p.rows() != known_size_) return false;
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    if (p.blocks[i].rows != known_rows_[i] ||
        std::pair(p.blocks[i].clique_a, p.blocks[i].clique_b) != known_cliques_[i])
      return false;
  return true;
}

// Which blocks share which clique, and so where A has entries.
void EqualitySystem::find_shares(const ContactProblem& p) {
  struct Side {
    std::uint32_t clique, block, jacobian;
    bool operator<(const Side& o) const {
      return std::tie(clique, block, jacobian) < std::tie(o.clique, o.block, o.jacobian);
    }
  };
  std::vector<Side> sides;
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    if (b.clique_a != Clique::kNone) sides.push_back({b.clique_a, k, b.jacobian_a});
    if (b.clique_b != Clique::kNone) sides.push_back({b.clique_b, k, b.jacobian_b});
  }
  std::sort(sides.begin(), sides.end());
  struct Found {
    std::uint32_t i, j;
    Share share;
  };
  std::vector<Found> found;
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) found.push_back({k, k, {0, Clique::kNone, 0, 0}});
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin;
    while (end < sides.size() && sides[end].clique == sides[begin].clique) ++end;
    for (std::size_t x = begin; x < end; ++x)
      for (std::size_t y = begin; y < end; ++y)
        if (sides[x].block <= sides[y].block)
          found.push_back({sides[x].block, sides[y].block, {0, sides[x].clique, sides[x].jacobian, sides[y].jacobian}});
    begin = end;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& x, const Found& y) { return std::pair(x.j, x.i) < std::pair(y.j, y.i); });
  pairs_.clear(), shares_.clear();
  for (Found& f : found) {
    if (pairs_.empty() || pairs_.back().i != f.i || pairs_.back().j != f.j) pairs_.push_back({f.i, f.j, 0});
    f.share.pair = static_cast<std::uint32_t>(pairs_.size() - 1);
    if (f.share.clique != Clique::kNone) shares_.push_back(f.share);
  }
}

void EqualitySystem::find_pattern(const ContactProblem& p) {
  find_shares(p);
  const Eigen::Index n = static_cast<Eigen::Index>(p.rows());
  matrix_.resize(n, n);
  matrix_.data().squeeze();
  slots_.clear();
  std::vector<int> outer(1, 0), inner;
  // Pairs are ordered by their columns' block: a column is complete once its block's pairs are.
  for (std::size_t begin = 0; begin < pairs_.size();) {
    std::size_t end = begin;
    while (end < pairs_.size() && pairs_[end].j == pairs_[begin].j) ++end;
    const RowBlock& columns = p.blocks[pairs_[begin].j];
    for (std::size_t k = begin; k < end; ++k) pairs_[k].first_slot = slots_.size() + (k - begin) * columns.rows;
    slots_.resize(slots_.size() + (end - begin) * columns.rows);
    for (std::uint32_t c = 0; c < columns.rows; ++c) {
      for (std::size_t k = begin; k < end; ++k) {
        const RowBlock& rows = p.blocks[pairs_[k].i];
        slots_[pairs_[k].first_slot + c] = inner.size();
        const std::uint32_t count = pairs_[k].i == pairs_[k].j ? c + 1 : rows.rows;
        for (std::uint32_t r = 0; r < count; ++r) inner.push_back(static_cast<int>(rows.first_row + r));
      }
      outer.push_back(static_cast<int>(inner.size()));
    }
    begin = end;
  }
  matrix_.makeCompressed();
  matrix_.resizeNonZeros(static_cast<Eigen::Index>(inner.size()));
  std::copy(outer.begin(), outer.end(), matrix_.outerIndexPtr());
  std::copy(inner.begin(), inner.end(), matrix_.innerIndexPtr());
  signs_.assign(at(n), 1);
  scaled_.resize(inner.size());
  std::fill(matrix_.valuePtr(), matrix_.valuePtr() + inner.size(), 0.0);
  factor_.analyse(matrix_);
}

void EqualitySystem::fill(const ContactProblem& p) {
  std::fill(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(), 0.0);
  for (const Share& s : shares_) {
    const Pair& pair = pairs_[s.pair];
    const RowBlock &rows = p.blocks[pair.i], &columns = p.blocks[pair.j];
    const Clique& clique = p.cliques[s.clique];
    const Eigen::Index size = clique.size;
    const Eigen::Map<const RowMajor> w(&p.inverse_mass[clique.mass], size, size),
        ji(&p.jacobian[s.jacobian_i], rows.rows, size), jj(&p.jacobian[s.jacobian_j], columns.rows, size);
    const RowMajor product = ji * w * jj.transpose();
    for (std::uint32_t c = 0; c < columns.rows; ++c) {
      const std::uint32_t count = pair.i == pair.j ? c + 1 : rows.rows;
      double* to = matrix_.valuePtr() + slots_[pair.first_slot + c];
      for (std::uint32_t r = 0; r < count; ++r) to[r] += product(r, c);
    }
  }
}

// Before anything is formed: a body with many joints couples all of them, and A would be dense there.
void EqualitySystem::choose(const ContactProblem& p, EqualityMethod method) {
  const bool same = same_pattern(p);
  if (same && method == asked_) return;
  asked_ = method_ = method;
  if (method == EqualityMethod::kAutomatic) {
    rows_on_.assign(p.cliques.size(), 0.0);
    for (const RowBlock& b : p.blocks)
      for (const std::uint32_t c : {b.clique_a, b.clique_b})
        if (c != Clique::kNone) rows_on_[c] += b.rows;
    double entries = 0;
    for (const double rows : rows_on_) entries += 0.5 * rows * rows;
    const bool dense = entries > kMostEntries * static_cast<double>(p.rows());
    method_ = dense ? EqualityMethod::kConjugateGradients : EqualityMethod::kCholesky;
  }
  if (!same) {
    known_rows_.clear(), known_cliques_.clear();
    for (const RowBlock& b : p.blocks)
      known_rows_.push_back(b.rows), known_cliques_.push_back({b.clique_a, b.clique_b});
    known_size_ = p.rows();
    formed_ = false;
  }
  if (method_ != EqualityMethod::kCholesky || formed_) return;
  find_pattern(p);
  formed_ = true;
  const double fill = static_cast<double>(factor_.entries()) / std::max<double>(1, static_cast<double>(rows()));
  if (method == EqualityMethod::kAutomatic && fill > kMostFill) method_ = EqualityMethod::kConjugateGradients;
}

// 1/√(diagonal of A).
void EqualitySystem::set_scale(const ContactProblem& p) {
  diagonal_inverse_.setZero(rows());
  for (const RowBlock& b : p.blocks)
    for (const auto& [clique, from] : {std::pair(b.clique_a, b.jacobian_a), std::pair(b.clique_b, b.jacobian_b)}) {
      if (clique == Clique::kNone) continue;
      const Clique& c = p.cliques[clique];
      const Eigen::Index size = c.size;
      const Eigen::Map<const RowMajor> w(&p.inverse_mass[c.mass], size, size), j(&p.jacobian[from], b.rows, size);
      const RowMajor response = j * w;
      diagonal_inverse_.segment(b.first_row, b.rows) += response.cwiseProduct(j).rowwise().sum();
    }
  scale_.resize(rows());
  for (Eigen::Index k = 0; k < rows(); ++k) {
    scale_[k] = diagonal_inverse_[k] > 0 ? 1 / std::sqrt(diagonal_inverse_[k]) : 1.0;
    diagonal_inverse_[k] = scale_[k] * scale_[k];
  }
}

void EqualitySystem::factor(const ContactProblem& p) {
  fill(p);
  for (Eigen::Index k = 0; k < rows(); ++k)
    for (int e = matrix_.outerIndexPtr()[k]; e < matrix_.outerIndexPtr()[k + 1]; ++e) {
      const int row = matrix_.innerIndexPtr()[e];
      scaled_[at(e)] = scale_[row] * matrix_.valuePtr()[e] * scale_[k] + (row == k ? kRidge : 0.0);
    }
  factor_.factor(scaled_, signs_, 0.1 * kRidge);
}

void EqualitySystem::load(const ContactProblem& p, EqualityMethod method) {
  stop_ = p.stop;
  j_.clear(static_cast<Eigen::Index>(p.rows()), static_cast<Eigen::Index>(p.velocities()));
  w_.clear(j_.cols(), j_.cols());
  for (const RowBlock& b : p.blocks)
    for (const auto& [clique, from] : {std::pair(b.clique_a, b.jacobian_a), std::pair(b.clique_b, b.jacobian_b)}) {
      if (clique == Clique::kNone) continue;
      const Clique& c = p.cliques[clique];
      const std::span<double> to = j_.add(b.first_row, c.first, b.rows, c.size);
      std::copy_n(p.jacobian.begin() + from, to.size(), to.begin());
    }
  for (const Clique& c : p.cliques) {
    const std::span<double> to = w_.add(c.first, c.first, c.size, c.size);
    std::copy_n(p.inverse_mass.begin() + c.mass, to.size(), to.begin());
  }
  if (rows() == 0) return;
  choose(p, method);
  set_scale(p);
  if (method_ == EqualityMethod::kCholesky) factor(p);
}

void EqualitySystem::respond(const Eigen::VectorXd& lambda, Eigen::VectorXd& v) const {
  j_.transpose_times(lambda, momentum_);
  w_.times(momentum_, v);
}

double EqualitySystem::rounding_of(const Eigen::VectorXd& v) const {
  constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (const BlockSparseMatrix::Block& b : j_.blocks()) {
    const std::span<const double> entries = j_.entries(b);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const double term = entries[k] * v[b.column + static_cast<Eigen::Index>(k) % b.columns];
      sum += term * term;
    }
  }
  return kRounding * std::sqrt(sum);
}

EqualityAnswer EqualitySystem::solve_by_factors(const Eigen::VectorXd& b, double wanted, Eigen::VectorXd& lambda) {
  EqualityAnswer out;
  rest_ = b;
  out.residual = rest_.norm();
  double before = std::numeric_limits<double>::infinity();
  while (out.residual > wanted && out.residual < 0.5 * before && out.iterations < kMostRefinements) {
    stop_.check();
    ++out.iterations;
    before = out.residual;
    step_ = scale_.cwiseProduct(rest_);
    factor_.solve(step_);
    lambda += scale_.cwiseProduct(step_);
    respond(lambda, step_);
    rates(step_, rest_);
    rest_ = b - rest_;
    out.residual = rest_.norm();
  }
  out.solved = out.residual <= wanted;
  return out;
}

// Gradients restart where rounding stopped their recurrence, as long as the residual halves. A residual that remains is
// rounding, or contradictory rows: least squares replace the answer only if their residual is smaller.
KrylovAnswer EqualitySystem::solve_by_gradients(const Gram& a, const Eigen::VectorXd& b, const KrylovOptions& options,
                                                Eigen::VectorXd& lambda) {
  constexpr int kMostRestarts = 3;
  KrylovAnswer out = conjugate_gradients(a, b, diagonal_inverse_, options, krylov_, lambda);
  for (int k = 0; k < kMostRestarts && out.status != KrylovStatus::kConverged; ++k) {
    const KrylovAnswer more = conjugate_gradients(a, b, diagonal_inverse_, options, krylov_, lambda);
    const bool helped = more.residual < 0.5 * out.residual;
    out = {more.status, out.iterations + more.iterations, more.residual};
    if (!helped) break;
  }
  if (out.status == KrylovStatus::kConverged) return out;
  by_gradients_ = lambda;
  lambda.setZero();
  KrylovAnswer least = least_squares(a, b, options, krylov_, lambda);
  least.iterations += out.iterations;
  if (least.residual <= out.residual) return least;
  lambda = by_gradients_;
  return out;
}

EqualityAnswer EqualitySystem::solve(const Eigen::VectorXd& b, double tolerance, double rounding,
                                     Eigen::VectorXd& lambda) {
  lambda.setZero(rows());
  EqualityAnswer out;
  out.method = method_;
  if (rows() == 0 || b.norm() <= rounding) return out;
  const double wanted = std::max(tolerance * b.norm(), rounding);
  const KrylovOptions options{wanted / b.norm(), 0, stop_};
  const GramOperator a(j_, w_);
  KrylovAnswer krylov;
  if (method_ == EqualityMethod::kCholesky) {
    out = solve_by_factors(b, wanted, lambda);
    constexpr double kRounding = 1e-9;  // near singular positions no more than this is left of 16 digits
    if (out.solved || out.residual <= kRounding * b.norm()) return out;
    lambda.setZero();
    krylov = least_squares(a, b, options, krylov_, lambda);
  } else if (method_ == EqualityMethod::kConjugateGradients) {
    krylov = solve_by_gradients(a, b, options, lambda);
  } else {
    krylov = biconjugate_gradients(a, b, options, krylov_, lambda);
  }
  out.solved = krylov.status == KrylovStatus::kConverged;
  out.contradictory = krylov.status == KrylovStatus::kLeastSquares;
  out.iterations += krylov.iterations;
  out.residual = krylov.residual;
  return out;
}

}  // namespace touchstone
