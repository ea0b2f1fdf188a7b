// Proofs in fractions: of right and of wrong bases, of programs that straddle a limit by less than a double resolves,
// and that a proof which was tampered with is refused.
#include "math/exact/exact_program.h"

#include <gtest/gtest.h>

#include "math/exact/exact_solve.h"
#include "math/optim/linear_programs.h"

namespace touchstone::testing {
namespace {

TEST(Rational, ReadsAndWritesNumbers) {
  Rational value;
  for (const auto& [text, truth] : std::vector<std::pair<std::string, Rational>>{{"3", 3},
                                                                                 {"-2/7", Rational(-2, 7)},
                                                                                 {"0.125", Rational(1, 8)},
                                                                                 {"1e-3", Rational(1, 1000)},
                                                                                 {"-.5e1", -5},
                                                                                 {"010", 10},
                                                                                 {"1.5/0.5", 3}}) {
    EXPECT_TRUE(parse_rational(text, value)) << text;
    EXPECT_EQ(value, truth) << text;
  }
  for (const char* text : {"", "x", "1/0", "1e999999999", "--1", "1/2/3", "1.2.3", ".", "1e", "nan", " 1"})
    EXPECT_FALSE(parse_rational(text, value)) << text;
  EXPECT_EQ(text_of(Rational(-2, 4)), "-1/2");
  EXPECT_EQ(exact(0.1) * Integer("36028797018963968"), Rational(Integer("3602879701896397")));
}

TEST(Rational, RoundsToTheNearestDouble) {
  EXPECT_EQ(rounded(Rational(1, 3)), 1.0 / 3);
  EXPECT_EQ(rounded(Rational(2, 3)), 2.0 / 3);
  EXPECT_EQ(rounded(Rational(-1, 10)), -0.1);
  for (const double x : {0.0, 1e-300, -7.25, 1e300}) EXPECT_EQ(rounded(exact(x)), x);
}

TEST(Rational, FindsTheSimplestNearFraction) {
  EXPECT_EQ(simplest_near(1.0 / 3, 1000), Rational(1, 3));
  EXPECT_EQ(simplest_near(3.14159265358979, 10), Rational(22, 7));
  EXPECT_EQ(simplest_near(3.14159265358979, 200), Rational(355, 113));
  EXPECT_EQ(simplest_near(-0.6, 100), Rational(-3, 5));
  EXPECT_EQ(simplest_near(5, 1), 5);
}

// A Hilbert matrix, whose solution no double has a digit of, and its transpose.
TEST(ExactSystem, SolvesWhatRoundingCannot) {
  const std::size_t n = 30;
  ExactSystem::Rows rows(n);
  std::vector<Rational> b(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      rows[i].push_back({static_cast<std::int32_t>(j), Rational(1, i + j + 1)});
      b[i] += Rational(1, i + j + 1) * Rational(j + 1, 7);
    }
  ExactSystem system;
  ASSERT_TRUE(system.load(rows, n));
  for (const auto& x : {system.solve(b, {}), system.solve_transposed(b, {})}) {
    ASSERT_TRUE(x);
    for (std::size_t j = 0; j < n; ++j) EXPECT_EQ((*x)[j], Rational(j + 1, 7));
  }
  for (ExactSystem::Entry& e : rows[3]) e.value = rows[5][static_cast<std::size_t>(e.column)].value * 2;
  EXPECT_FALSE(system.load(rows, n));
  EXPECT_NE(system.has_pivot_in_row(3), system.has_pivot_in_row(5));
}

TEST(ExactProgram, ProvesClpsAnswersAndThoseOfWrongBases) {
  std::mt19937 random(17);
  int seen[3] = {};
  std::int64_t repaired = 0;
  for (int k = 0; k < 600; ++k) {
    const LinearProgram p = random_linear_program(random, 8, 10, k % 3 != 0);
    const ExactProgram program = exact_program(p);
    const ExactAnswer good = solve_exactly(program, {});
    LpAnswer wrong;
    for (Eigen::Index j = 0; j < p.variables(); ++j)
      wrong.columns.push_back(random() % 2 ? BasisStatus::kBasic : BasisStatus::kUpper);
    for (Eigen::Index i = 0; i < p.rows(); ++i)
      wrong.rows.push_back(random() % 2 ? BasisStatus::kBasic : BasisStatus::kLower);
    const ExactAnswer other = solve_exactly(program, wrong, {});
    ASSERT_EQ(good.status, other.status) << k;
    repaired += other.pivots > 0;
    switch (good.status) {
      case ExactStatus::kOptimal:
        EXPECT_EQ(good.objective, other.objective);
        EXPECT_TRUE(verify_optimal(program, good.x, other.multipliers));  // any x with any y
        ++seen[0];
        break;
      case ExactStatus::kInfeasible:
        EXPECT_TRUE(verify_infeasible(program, good.ray));
        ++seen[1];
        break;
      case ExactStatus::kUnbounded:
        EXPECT_TRUE(verify_unbounded(program, other.x, good.ray));
        ++seen[2];
        break;
      default:
        FAIL() << k << text_of(good.status);
    }
  }
  for (const int count : seen) EXPECT_GT(count, 50);
  EXPECT_GT(repaired, 200);
}

TEST(ExactProgram, RefusesProofsThatWereTamperedWith) {
  std::mt19937 random(23);
  int tried = 0;
  for (int k = 0; k < 200; ++k) {
    const ExactProgram program = exact_program(random_linear_program(random, 6, 8, k % 2 != 0));
    const ExactAnswer answer = solve_exactly(program, {});
    if (answer.status == ExactStatus::kInfeasible) {
      std::vector<Rational> ray = answer.ray;
      for (Rational& y : ray) y = -y;
      bool zero = true;
      for (const Rational& y : ray) zero = zero && y == 0;
      EXPECT_EQ(verify_infeasible(program, ray), zero) << k;
      EXPECT_FALSE(verify_optimal(program, std::vector<Rational>(program.variables()), ray));
      ++tried;
    }
    if (answer.status != ExactStatus::kOptimal) continue;
    EXPECT_FALSE(verify_infeasible(program, answer.multipliers));
    for (std::size_t i = 0; i < program.rows(); ++i) {
      std::vector<Rational> y = answer.multipliers;
      y[i] += Rational(1, Integer("1000000000000000000000000"));
      const bool still = verify_optimal(program, answer.x, y);
      bool free = true;  // a row that is at its lower bound, and whose columns are at bounds too, may pull more
      for (std::size_t j = 0; j < program.variables(); ++j)
        for (const ExactEntry& e : program.columns[j])
          if (static_cast<std::size_t>(e.row) == i && answer.columns[j] == BasisStatus::kBasic) free = false;
      EXPECT_FALSE(!free && still) << k;
      ++tried;
    }
  }
  EXPECT_GT(tried, 200);
}

// Two bricks' worth of numbers: x + y >= 1 with x <= 1/3, y <= 2/3 stands, by nothing more, and falls by 1e-30 less.
TEST(ExactProgram, DecidesAtTheLimitItself) {
  for (const int straddle : {-1, 0, 1}) {
    ExactProgram p;
    p.c = {0, 0};
    p.columns = {{{0, 1}}, {{0, 1}}};
    p.lower = {Rational(1)}, p.upper = {std::nullopt};
    p.x_lower = {Rational(0), Rational(0)};
    p.x_upper = {Rational(1, 3), Rational(2, 3) + Rational(straddle, Integer("1000000000000000000000000000000"))};
    const ExactAnswer answer = solve_exactly(p, {});
    EXPECT_EQ(answer.status, straddle < 0 ? ExactStatus::kInfeasible : ExactStatus::kOptimal) << straddle;
  }
}

TEST(ExactProgram, SaysThatTheBudgetEnded) {
  std::mt19937 random(29);
  int unproven = 0;
  for (int k = 0; k < 50; ++k) {
    const ExactProgram program = exact_program(random_linear_program(random, 8, 10, true));
    ExactOptions options;
    options.max_pivots = 0;
    const ExactAnswer answer = solve_exactly(program, LpAnswer{}, options);
    if (answer.status != ExactStatus::kUnproven) continue;
    ++unproven;
    EXPECT_TRUE(answer.x.empty());
    EXPECT_TRUE(answer.ray.empty());
  }
  EXPECT_GT(unproven, 10);
}

TEST(ExactProgram, RoundTripsThroughDoubles) {
  std::mt19937 random(31);
  const LinearProgram p = random_linear_program(random, 8, 10, true);
  const LinearProgram q = rounded_program(exact_program(p));
  EXPECT_EQ(p.c, q.c);
  EXPECT_EQ(p.lower, q.lower);
  EXPECT_EQ(p.x_upper, q.x_upper);
  EXPECT_EQ(Eigen::MatrixXd(p.a), Eigen::MatrixXd(q.a));
}

}  // namespace
}  // namespace touchstone::testing
