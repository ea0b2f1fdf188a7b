#include "math/sized_block_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace touchstone {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Filled {
  Eigen::MatrixXd dense;
  std::vector<Eigen::Index> first;
};

// Random numbers in the blocks that there are; the diagonal outweighs them.
Filled fill(SizedBlockLu& lu, const std::vector<std::uint32_t>& sizes, const Edges& edges, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  Filled out;
  Eigen::Index n = 0;
  for (const std::uint32_t s : sizes) out.first.push_back(n), n += s;
  out.dense.setZero(n, n);
  lu.clear();
  const auto put = [&](std::uint32_t a, std::uint32_t b, SizedBlockLu::Block block) {
    ASSERT_EQ(block.rows(), sizes[a]);
    ASSERT_EQ(block.cols(), sizes[b]);
    for (Eigen::Index i = 0; i < block.rows(); ++i)
      for (Eigen::Index k = 0; k < block.cols(); ++k)
        block(i, k) = out.dense(out.first[a] + i, out.first[b] + k) = normal(engine) + (a == b && i == k ? 40 : 0);
  };
  for (std::uint32_t a = 0; a < sizes.size(); ++a) put(a, a, lu.diagonal(a));
  for (const auto& [a, b] : edges) put(a, b, lu.block(a, b)), put(b, a, lu.block(b, a));
  return out;
}

TEST(SizedBlockLu, SolvesWhatADenseFactorisationSolves) {
  std::mt19937 engine(3);
  const std::vector<std::uint32_t> sizes{6, 60, 7, 13, 1, 6, 3};
  const Edges edges{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}, {4, 5}, {1, 6}};
  SizedBlockLu lu;
  ASSERT_TRUE(lu.analyse(sizes, edges, 1e9));
  for (int round = 0; round < 2; ++round) {  // the second in the memory of the first
    const Filled a = fill(lu, sizes, edges, engine);
    ASSERT_TRUE(lu.factor());
    Eigen::VectorXd b = Eigen::VectorXd::Random(a.dense.rows()), x = b;
    lu.solve({x.data(), static_cast<std::size_t>(x.size())});
    EXPECT_LT((a.dense * x - b).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(SizedBlockLu, GivesUpWhereItIsTooMuchOrSingular) {
  const std::vector<std::uint32_t> sizes{60, 60, 60};
  const Edges edges{{0, 1}, {1, 2}};
  SizedBlockLu lu;
  // 3·60³/3 for the diagonals and 2·(60³ + 60³/2) for what is beside them.
  EXPECT_FALSE(lu.analyse(sizes, edges, 4 * 60.0 * 60 * 60 - 1));
  EXPECT_TRUE(lu.analyse(sizes, edges, 4 * 60.0 * 60 * 60));
  lu.clear();
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace touchstone
