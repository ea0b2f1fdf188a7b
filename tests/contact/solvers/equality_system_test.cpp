// J·M⁻¹·Jᵀ·λ = b by factors, conjugate and biconjugate gradients.
#include "contact/solvers/equality_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <memory>
#include <random>

namespace touchstone {
namespace {

// Bodies of `size` numbers; joints of `rows` rows between neighbours, and some more.
struct Chain {
  ProblemData data;
  std::mt19937 bits{3};
  double random() { return std::uniform_real_distribution<double>(-1, 1)(bits); }

  explicit Chain(std::uint32_t bodies, std::uint32_t size = 3, std::uint32_t rows = 2) {
    data.clear();
    data.h = 1;
    for (std::uint32_t i = 0; i < bodies; ++i) {
      const Clique c = data.add_clique(size);
      Eigen::MatrixXd half(size, size);
      for (Eigen::Index k = 0; k < half.size(); ++k) half.data()[k] = random();
      const Eigen::MatrixXd mass = half * half.transpose() + Eigen::MatrixXd::Identity(size, size);
      const Eigen::MatrixXd inverse = mass.inverse();
      for (std::uint32_t k = 0; k < size * size; ++k)
        data.mass[c.mass + k] = mass.data()[k], data.inverse_mass[c.mass + k] = inverse.data()[k];
    }
    for (std::uint32_t i = 0; i < bodies; ++i) join(i == 0 ? Clique::kNone : i - 1, i, rows);
  }
  void join(std::uint32_t a, std::uint32_t b, std::uint32_t rows) {
    const RowBlock block = data.add_block(BlockKind::kEquality, rows, a, b);
    for (const auto& [clique, first] : {std::pair(a, block.jacobian_a), std::pair(b, block.jacobian_b)})
      for (std::uint32_t k = 0; clique != Clique::kNone && k < rows * data.cliques[clique].size; ++k)
        data.jacobian[first + k] = random();
  }
  // The last block once more, the same or another multiple of it.
  void repeat_last() {
    const RowBlock last = data.blocks.back();
    const RowBlock more = data.add_block(BlockKind::kEquality, last.rows, last.clique_a, last.clique_b);
    const auto copy = [&](std::uint32_t clique, std::uint32_t from, std::uint32_t to) {
      for (std::uint32_t k = 0; clique != Clique::kNone && k < last.rows * data.cliques[clique].size; ++k)
        data.jacobian[to + k] = 2 * data.jacobian[from + k];
    };
    copy(last.clique_a, last.jacobian_a, more.jacobian_a), copy(last.clique_b, last.jacobian_b, more.jacobian_b);
  }
  Eigen::MatrixXd dense() const {
    const ContactProblem p = data.view();
    const auto n = static_cast<Eigen::Index>(p.rows());
    Eigen::MatrixXd out(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      std::vector<double> r(p.rows(), 0.0), momentum(p.velocities(), 0.0), v(p.velocities()), u(p.rows());
      r[static_cast<std::size_t>(j)] = 1;
      add_momentum(p, r, momentum);
      solve_mass(p, momentum, v);
      multiply_jacobian(p, v, u);
      out.col(j) = Eigen::Map<Eigen::VectorXd>(u.data(), n);
    }
    return out;
  }
};

constexpr EqualityMethod kMethods[] = {EqualityMethod::kCholesky, EqualityMethod::kConjugateGradients,
                                       EqualityMethod::kBiconjugateGradients, EqualityMethod::kAutomatic};

TEST(EqualitySystem, MethodsAgreeWithDenseFactors) {
  for (std::uint32_t n = 1; n < 20; ++n) {
    Chain chain(n, n % 2 ? 3 : 6, 1 + (n / 2) % 2);  // fewer rows than a body has freedoms
    if (n > 4) chain.join(0, n - 1, 1), chain.join(1, 3, 1), chain.join(1, 3, 1);  // loops, and two joints of one pair
    const Eigen::MatrixXd a = chain.dense();
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(a.rows(), [&](Eigen::Index) { return chain.random(); });
    const Eigen::VectorXd exact = a.fullPivLu().solve(b);
    for (const EqualityMethod method : kMethods) {
      EqualitySystem system;
      Eigen::VectorXd lambda;
      for (int twice = 0; twice < 2; ++twice) {  // the second time with a known pattern
        system.load(chain.data.view(), method);
        const EqualityAnswer answer = system.solve(b, 1e-12, 0, lambda);
        EXPECT_TRUE(answer.solved) << n << " " << static_cast<int>(method) << " " << answer.residual;
        EXPECT_LT((a * lambda - b).norm(), 1e-11 * b.norm()) << n;
        EXPECT_LT((lambda - exact).norm(), 1e-8 * exact.norm()) << n;
      }
    }
  }
}

// The same constraint twice: many λ are right, and all move the bodies alike.
TEST(EqualitySystem, RedundantJointsMoveBodiesAlike) {
  for (std::uint32_t n = 1; n < 12; ++n) {
    Chain chain(n), redundant(n);
    redundant.repeat_last();
    const Eigen::MatrixXd a = redundant.dense();
    const Eigen::VectorXd once = Eigen::VectorXd::LinSpaced(chain.dense().rows(), -1, 2);
    Eigen::VectorXd b(a.rows());
    b << once, 2 * once.tail(2);
    EqualitySystem plain;
    Eigen::VectorXd lambda, v, w;
    plain.load(chain.data.view(), EqualityMethod::kCholesky);
    plain.solve(once, 1e-12, 0, lambda);
    plain.respond(lambda, v);
    for (const EqualityMethod method : kMethods) {
      EqualitySystem system;
      system.load(redundant.data.view(), method);
      const EqualityAnswer answer = system.solve(b, 1e-11, 0, lambda);
      EXPECT_TRUE(answer.solved) << n << " " << static_cast<int>(method) << " " << answer.residual;
      EXPECT_FALSE(answer.contradictory);
      system.respond(lambda, w);
      EXPECT_LT((w - v).norm(), 1e-8 * v.norm()) << n;
    }
    b[a.rows() - 1] += 1;  // the two ask for different things
    for (const EqualityMethod method : kMethods) {
      EqualitySystem system;
      system.load(redundant.data.view(), method);
      const EqualityAnswer answer = system.solve(b, 1e-11, 0, lambda);
      EXPECT_TRUE(answer.contradictory) << n << " " << static_cast<int>(method);
      EXPECT_TRUE(lambda.allFinite());
    }
  }
}

TEST(EqualitySystem, NothingIsAnEmptyAnswer) {
  ProblemData data;
  data.clear();
  data.add_clique(3);
  EqualitySystem system;
  system.load(data.view(), EqualityMethod::kAutomatic);
  Eigen::VectorXd lambda;
  EXPECT_TRUE(system.solve(Eigen::VectorXd(0), 1e-12, 0, lambda).solved);
  EXPECT_EQ(lambda.size(), 0);
}

// A chain is factored with a fixed number of entries and multiplications a row, whatever its length; a tree too.
TEST(EqualitySystem, ChainsAndTreesAreSolvedInLinearTime) {
  const auto exponent_of = [](const auto& count) { return std::log(count(10'000) / count(100)) / std::log(100.0); };
  const auto links = [](std::uint32_t joints) { return Chain(joints / 2); };
  const auto tree = [](std::uint32_t joints) {
    Chain out(1);
    for (std::uint32_t i = 1; i < joints / 2; ++i) {
      const Clique c = out.data.add_clique(3);
      for (std::uint32_t k = 0; k < 3; ++k) out.data.mass[c.mass + 4 * k] = out.data.inverse_mass[c.mass + 4 * k] = 1;
      out.join((i - 1) / 2, i, 2);
    }
    return out;
  };
  const auto check = [&](const auto& make) {
    const auto system_of = [&](std::uint32_t rows) {
      const Chain chain = make(rows);
      auto system = std::make_unique<EqualitySystem>();
      system->load(chain.data.view(), EqualityMethod::kAutomatic);
      EXPECT_EQ(system->method(), EqualityMethod::kCholesky);
      EXPECT_EQ(system->rows(), static_cast<Eigen::Index>(rows));
      return system;
    };
    EXPECT_LE(exponent_of([&](std::uint32_t rows) { return static_cast<double>(system_of(rows)->factor_entries()); }),
              1.1);
    EXPECT_LE(
        exponent_of([&](std::uint32_t rows) { return static_cast<double>(system_of(rows)->factor_operations()); }),
        1.1);
    EXPECT_LT(system_of(10'000)->factor_entries(), 10u * 10'000);
  };
  check(links), check(tree);
}

// All joints on one body would make a dense matrix: none is formed.
TEST(EqualitySystem, AHubIsSolvedWithoutAMatrix) {
  Chain hub(1);
  for (std::uint32_t i = 1; i < 2000; ++i) {
    const Clique c = hub.data.add_clique(3);
    for (std::uint32_t k = 0; k < 3; ++k) hub.data.mass[c.mass + 4 * k] = hub.data.inverse_mass[c.mass + 4 * k] = 1;
    hub.join(0, i, 2);
  }
  EqualitySystem system;
  system.load(hub.data.view(), EqualityMethod::kAutomatic);
  EXPECT_EQ(system.method(), EqualityMethod::kConjugateGradients);
  EXPECT_EQ(system.factor_entries(), 0u);
  const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(system.rows(), [&](Eigen::Index) { return hub.random(); });
  Eigen::VectorXd lambda, v, u;
  // Rounding of A·λ: |A| is 1,400 (the hub's rows add up), |λ| up to 6,000 where a joint's two rows are nearly the same;
  // their product times 2e-16 is 5e-11 of |b|.
  EXPECT_TRUE(system.solve(b, 1e-11, 0, lambda).solved);
  system.respond(lambda, v), system.rates(v, u);
  EXPECT_LT((u - b).norm(), 1e-10 * b.norm());
}

}  // namespace
}  // namespace touchstone
