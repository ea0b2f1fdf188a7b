#pragma once
// J·M⁻¹·Jᵀ·λ = b for the rows of joints that hold at every instant, by structure: never a dense matrix of all bodies.
#include <cstdint>
#include <utility>
#include <vector>

#include "contact/contact_problem.h"
#include "math/sparse/krylov.h"
#include "math/sparse/operators.h"
#include "math/sparse_ldl.h"

namespace touchstone {

enum class EqualityMethod : std::uint8_t { kAutomatic, kCholesky, kConjugateGradients, kBiconjugateGradients };

struct EqualityAnswer {
  EqualityMethod method = EqualityMethod::kCholesky;  // that was used
  bool solved = true;
  bool contradictory = false;   // no λ meets all rows: λ is the one with the least error
  std::int64_t iterations = 0;  // refinements or steps
  double residual = 0;          // |J·M⁻¹·Jᵀ·λ − b|
};

class EqualitySystem {
 public:
  // The rows of all blocks of the problem, which must be equalities, in their order.
  void load(const ContactProblem& problem, EqualityMethod method);
  Eigen::Index rows() const { return j_.rows(); }
  // From λ = 0, to `tolerance` relative to b, or to `rounding`: what b itself may be off by, as a norm. Redundant rows
  // never agree more closely than that.
  EqualityAnswer solve(const Eigen::VectorXd& b, double tolerance, double rounding, Eigen::VectorXd& lambda);
  // v = M⁻¹·Jᵀ·λ, and u = J·v.
  void respond(const Eigen::VectorXd& lambda, Eigen::VectorXd& v) const;
  void rates(const Eigen::VectorXd& v, Eigen::VectorXd& u) const { j_.times(v, u); }
  // Of J·v: what it may be off by, as a norm.
  double rounding_of(const Eigen::VectorXd& v) const;

  EqualityMethod method() const { return method_; }
  // Of factors: entries of L, and multiplications to find them. 0 if nothing was formed.
  std::size_t factor_entries() const { return formed_ ? factor_.entries() : 0; }
  std::int64_t factor_operations() const { return formed_ ? factor_.operations() : 0; }

 private:
  using Gram = GramOperator<BlockSparseMatrix, BlockSparseMatrix>;
  KrylovAnswer solve_by_gradients(const Gram& a, const Eigen::VectorXd& b, const KrylovOptions& options,
                                  Eigen::VectorXd& lambda);
  // Two blocks that share a clique: where their product is in the matrix.
  struct Pair {
    std::uint32_t i, j;      // blocks, i <= j
    std::size_t first_slot;  // in slots_: one a column of j
  };
  // What a clique adds to a pair.
  struct Share {
    std::uint32_t pair, clique;
    std::uint32_t jacobian_i, jacobian_j;  // in the problem
  };
  bool same_pattern(const ContactProblem& problem) const;
  void find_pattern(const ContactProblem& problem);
  void find_shares(const ContactProblem& problem);
  void choose(const ContactProblem& problem, EqualityMethod method);
  void set_scale(const ContactProblem& problem);
  void factor(const ContactProblem& problem);
  void fill(const ContactProblem& problem);
  EqualityAnswer solve_by_factors(const Eigen::VectorXd& b, double wanted, Eigen::VectorXd& lambda);

  BlockSparseMatrix j_, w_;
  EqualityMethod method_ = EqualityMethod::kCholesky, asked_ = EqualityMethod::kCholesky;
  bool formed_ = false;  // matrix_ and the analysis of factor_ are of the known pattern
  std::vector<double> rows_on_;
  StopFlag stop_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known_cliques_;  // of the analysed pattern, by block
  std::vector<std::uint32_t> known_rows_;
  std::size_t known_size_ = 0;
  std::vector<Pair> pairs_;
  std::vector<Share> shares_;
  std::vector<std::size_t> slots_;
  Eigen::SparseMatrix<double> matrix_;  // the upper half
  std::vector<double> scaled_;
  std::vector<std::int8_t> signs_;
  std::vector<std::uint32_t> shared_;
  Eigen::VectorXd scale_;  // 1/√(diagonal)
  SparseLdl factor_;
  mutable Eigen::VectorXd momentum_;
  Eigen::VectorXd rest_, step_, diagonal_inverse_;
  KrylovWorkspace krylov_;
  Eigen::VectorXd by_gradients_;
};

}  // namespace touchstone
