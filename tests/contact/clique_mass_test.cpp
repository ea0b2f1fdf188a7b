// The mass of a clique is the same operator whichever way it is kept.
#include "contact/clique_mass.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "contact/dense_operator.h"

namespace touchstone::testing {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd random_mass(Eigen::Index n) {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n);
  const Eigen::MatrixXd m = a * a.transpose() + static_cast<double>(n) * Eigen::MatrixXd::Identity(n, n);
  return 0.5 * (m + m.transpose());
}

// Three rows, the last with a single entry.
RowMatrix random_rows(Eigen::Index n) {
  RowMatrix j = RowMatrix::Random(3, n);
  j.row(2).setZero();
  j(2, n / 2) = 2;
  return j;
}

TEST(CliqueMass, NumbersAndOperatorsAgree) {
  for (const Eigen::Index n : {1, 3, 6, 7, 13, 60, 200}) {
    const Eigen::MatrixXd m = random_mass(n);
    const RowMatrix mass = m, inverse = m.inverse(), j = random_rows(n);
    const DenseOperator factors(m);
    const auto size = static_cast<std::uint32_t>(n);
    const CliqueMass numbers(size, mass.data(), inverse.data()), operators(factors);
    EXPECT_EQ(operators.size(), size);
    for (const CliqueMass& each : {numbers, operators}) {
      Eigen::VectorXd out(n);
      const Eigen::VectorXd v = j.row(0).transpose();
      each.multiply(v.data(), out.data());
      EXPECT_LT((out - m * v).norm(), 1e-12 * out.norm());
      each.solve(v.data(), out.data());
      EXPECT_LT((m * out - v).norm(), 1e-12 * v.norm());
      RowMatrix response(3, n), back(n, n);
      each.respond(3, j.data(), response.data());
      EXPECT_LT((response * m - j).norm(), 1e-12 * j.norm());
      each.write_mass(back.data());
      EXPECT_EQ(back, mass);
      each.write_inverse(back.data());
      EXPECT_LT((back - inverse).norm(), 1e-12 * inverse.norm());
    }
    Eigen::Matrix<double, 2, 3, Eigen::RowMajor> block;
    const auto count = static_cast<std::size_t>(n);
    factors.inverse_block({j.data() + n, 2 * count}, {j.data(), 3 * count}, {block.data(), 6});
    EXPECT_LT((block - j.bottomRows(2) * inverse * j.transpose()).norm(), 1e-12);
    EXPECT_NEAR(inverse_form(factors, {j.data(), count}), j.row(0) * inverse * j.row(0).transpose(), 1e-12);
    EXPECT_NEAR(quadratic_form(factors, {j.data(), count}), j.row(0) * m * j.row(0).transpose(), 1e-12 * m.norm());
  }
}

// W of some files is not quite symmetric: u_j changes by M⁻¹(j, k) when impulse k does, by either way of a row.
TEST(CliqueMass, AnInverseThatIsNotSymmetricKeepsItsColumns) {
  for (const std::uint32_t n : {3u, 6u, 40u}) {
    const auto size = static_cast<Eigen::Index>(n);
    RowMatrix inverse = random_mass(size).inverse();
    inverse(2, 0) += 0.01;
    const CliqueMass mass(n, inverse.data(), inverse.data());
    RowMatrix units = RowMatrix::Zero(3, size), response(3, size);
    units.leftCols(3).setIdentity();
    mass.respond(3, units.data(), response.data());
    EXPECT_LT((response - inverse.leftCols(3).transpose()).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace touchstone::testing
