// The sparse LU against a dense one.
#include "math/block_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace touchstone {
namespace {

TEST(BlockLu, AgreesWithADenseFactorisation) {
  constexpr int N = 3;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> real(-1, 1);
  for (const std::size_t n : {1, 2, 7, 30}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t k = i + 1; k < n; ++k)
        if (k == i + 1 || real(random) > 0.8) edges.emplace_back(i, k);
    BlockLu<N> sparse;
    ASSERT_TRUE(sparse.analyse(n, edges, 1e9));
    sparse.clear();
    const Eigen::Index size = N * static_cast<Eigen::Index>(n);
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
    const auto make = [&] { return BlockLu<N>::Block(BlockLu<N>::Block::NullaryExpr([&] { return real(random); })); };
    for (std::size_t i = 0; i < n; ++i) {
      sparse.diagonal(i) = make() + 20 * BlockLu<N>::Block::Identity();
      dense.block<N, N>(N * static_cast<Eigen::Index>(i), N * static_cast<Eigen::Index>(i)) = sparse.diagonal(i);
    }
    for (const auto& [a, b] : edges) {
      sparse.block(a, b) = make(), sparse.block(b, a) = make();  // not symmetric
      dense.block<N, N>(N * a, N * b) = sparse.block(a, b), dense.block<N, N>(N * b, N * a) = sparse.block(b, a);
    }
    std::vector<BlockLu<N>::Vector> x(n);
    Eigen::VectorXd right(size);
    for (std::size_t i = 0; i < n; ++i) right.segment<N>(N * static_cast<Eigen::Index>(i)) = x[i] = make().col(0);
    ASSERT_TRUE(sparse.factor());
    sparse.solve(x);
    const Eigen::VectorXd expected = dense.fullPivLu().solve(right);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_LT((x[i] - expected.segment<N>(N * static_cast<Eigen::Index>(i))).norm(), 1e-13);
  }
}

TEST(BlockLu, ASingularBlockIsRefused) {
  BlockLu<3> lu;
  ASSERT_TRUE(lu.analyse(1, {}, 10));
  lu.clear();
  EXPECT_FALSE(lu.factor());
  lu.clear();
  lu.diagonal(0).setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace touchstone
