// The benchmark of contact problems: what Siconos is given is the problem that our solvers get, and its measure is what
// docs/problems.md says it is. Without Siconos there is nothing to test.
#ifdef TOUCHSTONE_SICONOS
#include "problems/problems.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/problem_yardstick.h"
#include "problems/run.h"
#include "problems/table.h"

namespace touchstone::bench {
namespace {

// A small file as Siconos writes them, in the form of the parsed thing: contacts that press on each other.
NamedProblem small_problem(int dimension) {
  LocalProblem local;
  local.dimension = dimension;
  const int contacts = 3, n = contacts * dimension;
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  for (int i = 0; i < n; ++i) {
    local.q.push_back(i % dimension == 0 ? -1.0 + 0.2 * i : 0.3 * std::sin(i + 1.0));
    for (int k = 0; k < n; ++k)
      if (std::abs(i / dimension - k / dimension) < 2)
        entries.emplace_back(i, k, i == k ? 1.5 : 0.1 * std::cos(1.0 * i * k));
  }
  local.w.resize(n, n);
  local.w.setFromTriplets(entries.begin(), entries.end());
  local.mu = {0.3, 0.1, 0.6};
  NamedProblem out;
  out.name = "small";
  out.file.data = to_problem(local, "small", out.file.notes);
  return out;
}

// r - P_K(r - u - mu |u_t| n) of a contact, squared.
double squared_natural_map(const double* r, const double* u, double mu, int d) {
  double slip = 0, t = 0, sum = 0;
  for (int i = 1; i < d; ++i) slip += u[i] * u[i];
  double z[3] = {};
  for (int i = 0; i < d; ++i) z[i] = r[i] - u[i];
  z[0] -= mu * std::sqrt(slip);
  for (int i = 1; i < d; ++i) t += z[i] * z[i];
  t = std::sqrt(t);
  double projected[3] = {z[0], z[1], z[2]};
  if (t > mu * z[0]) {
    const double along = std::max(0.0, (z[0] + mu * t) / (1 + mu * mu));
    projected[0] = along;
    for (int i = 1; i < d; ++i) projected[i] = t > 0 ? mu * along * z[i] / t : 0.0;
  }
  for (int i = 0; i < d; ++i) sum += (r[i] - projected[i]) * (r[i] - projected[i]);
  return sum;
}

TEST(BenchProblems, SiconosMeasuresTheSameProblem) {
  for (const int d : {2, 3}) {
    const NamedProblem problem = small_problem(d);
    const ContactProblem p = problem.file.data.view();
    const BlockProblem blocks = to_blocks(p);
    const Siconos siconos(blocks);
    std::vector<double> r(p.rows()), momentum(p.velocities(), 0.0), v(p.velocities()), u(p.rows());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::sin(7.0 * static_cast<double>(i) + 1);
    add_momentum(p, r, momentum);
    solve_mass(p, momentum, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += p.free_velocity[i];
    multiply_jacobian(p, v, u);
    double error = 0, rr = 0, uu = 0, qq = 0;
    for (std::size_t i = 0; i < r.size(); ++i) rr += r[i] * r[i], uu += u[i] * u[i], qq += blocks.q[i] * blocks.q[i];
    for (std::size_t c = 0; c < blocks.contacts(); ++c)
      error += squared_natural_map(&r[c * static_cast<std::size_t>(d)], &u[c * static_cast<std::size_t>(d)],
                                   blocks.mu[c], d);
    const double expected = std::sqrt(error / std::max({rr, uu, qq}));
    EXPECT_GT(expected, 1e-3);
    EXPECT_NEAR(siconos.measure(r), expected, 1e-12) << d;
    // The yardstick's norm is against q alone.
    EXPECT_NEAR(judge_problem(p, r, v, 0).natural_map_norm.worst, std::sqrt(error / qq), 1e-12) << d;
  }
}

TEST(BenchProblems, BothAnswersAreJudgedAlike) {
  for (const int d : {2, 3}) {
    SolveOptions options;
    options.repeat = 1;
    const ProblemRow row = run_problem(small_problem(d), options);
    ASSERT_EQ(row.solvers.size(), 2u);
    EXPECT_EQ(row.contacts, 3u);
    for (const SolverRow& s : row.solvers) {
      EXPECT_TRUE(s.solved) << s.solver << " " << s.siconos_measure;
      EXPECT_LE(s.siconos_measure, 1.001e-6) << s.solver;
      EXPECT_LE(s.natural_map, 1e-4) << s.solver;
      EXPECT_GT(s.milliseconds, 0) << s.solver;
    }
    EXPECT_EQ(row.siconos().solver, "siconos");
  }
}

TEST(BenchProblems, TheYardstickCanBeTheJudge) {
  SolveOptions options;
  options.repeat = 1;
  options.tolerance = 1e-8;
  options.judge = JudgedBy::kNaturalMap;
  const ProblemRow row = run_problem(small_problem(3), options);
  for (const SolverRow& s : row.solvers) EXPECT_LE(s.natural_map, 1.001e-8) << s.solver;
}

TEST(BenchProblems, TotalsCountWhatBothHaveSolved) {
  const auto solver = [](const char* name, double ms, bool solved) {
    SolverRow row;
    row.solver = name, row.milliseconds = ms, row.solved = solved;
    return row;
  };
  const std::vector<ProblemRow> rows{{"a", 1, {solver("nsgs", 1, true), solver("siconos", 4, true)}},
                                     {"b", 1, {solver("nsgs", 2, true), solver("siconos", 100, false)}},
                                     {"c", 1, {solver("nsgs", 3, true), solver("siconos", 6, true)}},
                                     {"d", 1, {solver("nsgs", 50, false), solver("siconos", 5, true)}}};
  const std::vector<Totals> totals = totals_of(rows);
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(totals[0].both, 2u);
  EXPECT_EQ(totals[0].milliseconds, 4);
  EXPECT_EQ(totals[0].siconos_milliseconds, 10);
  EXPECT_EQ(totals[0].median_ratio, 0.375);
  EXPECT_EQ(totals[0].solved, 3u);
  EXPECT_EQ(totals[0].siconos_solved, 3u);
}

}  // namespace
}  // namespace touchstone::bench
#endif
