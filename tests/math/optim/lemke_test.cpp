// Lemke's method against enumeration, known answers, and problems that others have kept because they are hard.
#include "math/optim/lemke.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "math/optim/lcp_files.h"

namespace touchstone::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Result {
  LcpAnswer answer;
  VectorXd z;
};
Result solve(const Lcp& p, LemkeOptions options = {}) {
  Lemke lemke;
  Result r{{}, VectorXd::Constant(p.q.size(), 7)};
  r.answer = lemke.solve(p.m, p.q, options, r.z);
  return r;
}
Lcp make(int n, const std::vector<double>& by_rows, const std::vector<double>& q) {
  Lcp p{MatrixXd(n, n), Eigen::Map<const VectorXd>(q.data(), n)};
  for (int i = 0; i < n * n; ++i) p.m(i / n, i % n) = by_rows[static_cast<std::size_t>(i)];
  return p;
}
double size_of(const Lcp& p) { return 1 + p.q.cwiseAbs().maxCoeff() + p.m.cwiseAbs().maxCoeff(); }

TEST(Lemke, ProblemsByHand) {
  const Result one = solve(make(2, {2, 1, 1, 2}, {-5, -6}));
  EXPECT_EQ(one.answer.status, LcpStatus::kSolved);
  EXPECT_LT((one.z - Eigen::Vector2d(4.0 / 3, 7.0 / 3)).norm(), 1e-14);
  const Result zero = solve(make(2, {-1, 0, 0, -1}, {1, 0}));
  EXPECT_EQ(zero.answer.pivots, 0);
  EXPECT_TRUE(zero.z.isZero(0));
  const Result half = solve(make(2, {2, 1, 1, 2}, {-1, 3}));
  EXPECT_LT((half.z - Eigen::Vector2d(0.5, 0)).norm(), 1e-14);
  const Result none = solve({MatrixXd(0, 0), VectorXd(0)});
  EXPECT_EQ(none.answer.status, LcpStatus::kSolved);
}

TEST(Lemke, AProblemWithoutAnswerEndsOnARay) {
  const Result r = solve(make(2, {0, 1, -1, 0}, {1, -1}));  // −z_0 − 1 >= 0 cannot be
  EXPECT_EQ(r.answer.status, LcpStatus::kRay);
  EXPECT_TRUE(r.z.allFinite());
  EXPECT_GT(r.answer.residual, 0.1);
}

TEST(Lemke, NumbersThatAreNotFiniteAreNamed) {
  Lcp p = make(2, {2, 1, 1, 2}, {-5, -6});
  p.m(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(p).answer.status, LcpStatus::kNotFinite);
  p = make(2, {2, 1, 1, 2}, {-5, -std::numeric_limits<double>::infinity()});
  EXPECT_EQ(solve(p).answer.status, LcpStatus::kNotFinite);
  EXPECT_TRUE(solve(p).z.isZero(0));
}

// Not symmetric, positive definite: a P-matrix, whose problems have exactly one answer.
TEST(Lemke, PMatricesAgreeWithEnumeration) {
  std::mt19937 engine(1);
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + k % 9;
    const MatrixXd b = random_matrix(engine, n, n), skew = random_matrix(engine, n, n);
    const Lcp p{b * b.transpose() + 0.01 * MatrixXd::Identity(n, n) + skew - skew.transpose(),
                random_matrix(engine, n, 1)};
    const std::vector<VectorXd> expected = all_answers(p);
    ASSERT_FALSE(expected.empty());
    const Result r = solve(p);
    ASSERT_EQ(r.answer.status, LcpStatus::kSolved) << k << ": " << text_of(r.answer.status);
    EXPECT_LT((r.z - expected[0]).norm(), 1e-9 * (1 + expected[0].norm())) << k;
  }
}

// Rank 2 to n, half of them with a q for which an answer was made first: z and w are then known to exist.
TEST(Lemke, SemidefiniteProblemsOfAnyRank) {
  std::mt19937 engine(2);
  for (int k = 0; k < 400; ++k) {
    const int n = 3 + k % 40, rank = std::max(1, n / (2 + k % 3));
    const MatrixXd b = random_matrix(engine, n, rank), m = b * b.transpose();
    VectorXd z = random_matrix(engine, n, 1).cwiseMax(0.0), w = VectorXd::Zero(n);
    for (int i = 0; i < n; ++i)
      if (z[i] == 0 && i % 3) w[i] = 0.5 + 0.1 * i;  // a third of the zeros is degenerate
    const Lcp p{m, w - m * z};
    const Result r = solve(p);
    ASSERT_EQ(r.answer.status, LcpStatus::kSolved) << k << ": " << text_of(r.answer.status) << r.answer.residual;
    EXPECT_LT(lcp_residual(p.m, p.q, r.z), 1e-9 * size_of(p)) << k;
    EXPECT_LT((m * r.z - m * z).norm(), 1e-7 * size_of(p)) << k;  // unique, though z is not
  }
}

// Whatever the matrix: if it says solved, it is. If enumeration finds nothing, it does not say so.
TEST(Lemke, SaysSolvedOnlyWhereItIs) {
  std::mt19937 engine(3);
  int solved = 0, rays = 0;
  for (int k = 0; k < 500; ++k) {
    const int n = 2 + k % 5;
    const Lcp p{random_matrix(engine, n, n), random_matrix(engine, n, 1)};
    const Result r = solve(p);
    EXPECT_TRUE(r.z.allFinite());
    if (r.answer.status == LcpStatus::kSolved) {
      ++solved;
      EXPECT_LT(lcp_residual(p.m, p.q, r.z), 1e-7 * size_of(p) * (1 + r.z.maxCoeff())) << k;
    } else {
      ++rays;
      EXPECT_GT(r.answer.residual, 1e-9);
    }
    if (all_answers(p).empty()) {
      EXPECT_NE(r.answer.status, LcpStatus::kSolved) << k;
    }
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(rays, 50);
}

// Ties at the start and on the way: taking the first row leads round and round.
TEST(Lemke, TheLexicographicRuleEndsWhatGoesRound) {
  const Lcp cases[] = {make(4, {1, -2, 1, 1, 1, -1, 0, -1, 2, 0, 2, -1, 1, 2, -2, 1}, {-1, -1, -1, -1}),
                       make(4, {1, -1, -2, 2, 1, 2, 1, 2, 2, 1, -1, -1, 2, -2, 2, 1}, {-1, -1, -1, -1})};
  for (const Lcp& p : cases) {
    EXPECT_EQ(solve(p, {.tries = 1, .lexicographic = false}).answer.status, LcpStatus::kPivotLimit);
    const Result r = solve(p, {.tries = 1});
    EXPECT_EQ(r.answer.status, LcpStatus::kSolved) << text_of(r.answer.status);
    EXPECT_LT(r.answer.pivots, 20);
    EXPECT_LT(lcp_residual(p.m, p.q, r.z), 1e-14);
  }
}

TEST(Lemke, SizesAndUnitsDoNotMatter) {
  std::mt19937 engine(4);
  for (int k = 0; k < 50; ++k) {
    const int n = 8;
    const MatrixXd b = random_matrix(engine, n, n);
    Lcp p{b * b.transpose() + 0.1 * MatrixXd::Identity(n, n), random_matrix(engine, n, 1)};
    const VectorXd z = solve(p).z;
    VectorXd s(n);
    for (int i = 0; i < n; ++i) s[i] = std::pow(10.0, (i * 5) % 13 - 6);
    p.m = s.asDiagonal() * p.m * s.asDiagonal();
    p.q = 1e4 * s.cwiseProduct(p.q);
    const Result r = solve(p);
    EXPECT_EQ(r.answer.status, LcpStatus::kSolved);
    EXPECT_LT((s.cwiseProduct(r.z) / 1e4 - z).norm(), 1e-10 * z.norm()) << k;
  }
}

TEST(Lemke, ManyCopiesOfOneRow) {
  for (const int n : {1, 8, 64}) {
    const Lcp p{MatrixXd::Ones(n, n), -VectorXd::Ones(n)};
    const Result r = solve(p);
    EXPECT_EQ(r.answer.status, LcpStatus::kSolved) << n;
    EXPECT_NEAR(r.z.sum(), 1, 1e-13);
  }
}

// Recorded problems; all but those of the table are solved.
TEST(LemkeCorpus, EveryRecordedProblemIsSolvedOrTheReasonIsKnown) {
  const std::filesystem::path folder = shared_data() / "lcp";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no recorded problems at " << folder;
  // M = [0 −1 −1; 1 0 0; −1 0 0], q = (−1e-4, −1, 1): z_1 must be 1, and then w_1 = −z_2 − z_3 − 1e-4 < 0. No answer.
  const std::map<std::string, LcpStatus> unsolved{{"lcp_Pang_isolated_sol_perturbed", LcpStatus::kRay}};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 20u);
  for (const std::filesystem::path& file : files) {
    const Lcp p = read_lcp(file);
    const Result r = solve(p);
    const std::string name = file.stem().string();
    RecordProperty(name, text_of(r.answer.status));
    const auto known = unsolved.find(name);
    EXPECT_EQ(r.answer.status, known == unsolved.end() ? LcpStatus::kSolved : known->second)
        << name << ": " << text_of(r.answer.status);
    if (r.answer.status == LcpStatus::kSolved) {
      EXPECT_LT(lcp_residual(p.m, p.q, r.z), 1e-8) << name;
    }
  }
}

}  // namespace
}  // namespace touchstone::testing
