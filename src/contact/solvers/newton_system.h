#pragma once
// The linear systems of Newton's method on an island of a contact problem.
#include <Eigen/Core>
#include <Eigen/LU>
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/newton_block.h"
#include "math/block_lu.h"

namespace touchstone {

// In the velocities of bodies: sparse, and no larger for contacts that say the same often. Cliques of up to N numbers
// whose mass and its inverse belong together.
template <int N>
class BodySystem {
 public:
  // `blocks` must stay where they are until the next load; only their index is read here. `cliques` in order. False if
  // a clique does not fit or if a factorisation would take too many products.
  bool load(const ContactProblem& problem, std::span<const NewtonBlock> blocks, std::span<const std::uint32_t> cliques,
            double most_products);
  // r_way of all blocks that move, for W + ε/ρ in the place of W. False if the matrix is singular.
  bool solve(std::span<NewtonBlock> blocks, double epsilon);

 private:
  using Jacobian = Eigen::Matrix<double, 3, N>;
  using Block = typename BlockLu<N>::Block;
  using Vector = typename BlockLu<N>::Vector;
  struct Sides {
    std::uint32_t at[2];  // local cliques
    int count = 0;
    Jacobian j[2];
  };
  void add(const Sides& s, const NewtonGain& gain);

  BlockLu<N> lu_;
  std::vector<Sides> sides_;
  std::vector<Block> mass_;
  std::vector<Vector> way_;
  std::vector<std::uint32_t> local_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<NewtonGain> gains_;
};

// In the impulses of rows: dense. For cliques that are large or have no mass matrix.
class RowSystem {
 public:
  bool load(const ContactProblem& problem, std::span<const NewtonBlock> blocks, std::span<const std::uint32_t> cliques,
            std::size_t most_rows);
  bool solve(std::span<NewtonBlock> blocks, double epsilon);

 private:
  void add_response(const ContactProblem& problem, std::span<const NewtonBlock> blocks, std::uint32_t clique);

  Eigen::MatrixXd w_, matrix_;
  Eigen::VectorXd right_;
  std::vector<Eigen::Index> first_;  // row of a block
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  struct Entry {
    std::uint32_t column;
    double value;
  };
  struct Row {
    Eigen::Index row;
    std::size_t begin, end;  // of its entries
    const double* j;         // in the problem
  };
  std::vector<Entry> entries_;
  std::vector<Row> rows_;
  std::vector<double> response_;
};

}  // namespace touchstone
