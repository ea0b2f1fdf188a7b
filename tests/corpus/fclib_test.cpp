// Problems that nobody here wrote (Siconos, FCLIB), beside the repository in ../shared/data: each is solved, and the
// answer is judged by the yardstick and once more by arithmetic of this file alone, on the matrices as they were read.
#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <filesystem>

#include "contact/problem_yardstick.h"
#include "io/problem/siconos_text.h"
#include "recording/fclib_file.h"
#include "study/problem_study.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() { return fs::path(TOUCHSTONE_SOURCE_DIR).parent_path() / "shared/data/fclib"; }
fs::path found_folder() {
  // A worktree may lie one folder deeper.
  const fs::path near = data_folder();
  const fs::path far = fs::path(TOUCHSTONE_SOURCE_DIR).parent_path().parent_path() / "shared/data/fclib";
  return fs::is_directory(near) ? near : far;
}

std::vector<std::string> corpus() {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(found_folder(), error))
    out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  if (out.empty()) out.emplace_back("missing");
  return out;
}

SparseRows triplets(const FclibMatrix& a) {
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  const auto at = [](const auto& v, std::int64_t k) { return v[static_cast<std::size_t>(k)]; };
  if (a.nz >= 0)
    for (std::int32_t k = 0; k < a.nz; ++k) entries.emplace_back(at(a.i, k), at(a.p, k), at(a.x, k));
  else
    for (std::int32_t o = 0; o + 1 < static_cast<std::int32_t>(a.p.size()); ++o)
      for (std::int32_t k = at(a.p, o); k < at(a.p, o + 1); ++k)
        a.nz == -2 ? entries.emplace_back(o, at(a.i, k), at(a.x, k)) : entries.emplace_back(at(a.i, k), o, at(a.x, k));
  SparseRows out(a.m, a.n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// u of impulses, q, the diagonal of W and μ, by matrices as they are in the file.
struct Raw {
  Eigen::VectorXd u, q, diagonal;
  std::vector<double> mu;
  int d = 3;
};
Eigen::VectorXd vector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}
Raw raw_of(const std::string& path, const std::vector<double>& impulses) {
  const Eigen::VectorXd r = vector(impulses);
  Raw out;
  if (!is_hdf5(path) || !read_fclib(path).global) {
    LocalProblem local;
    if (is_hdf5(path)) {
      const FclibData data = read_fclib(path);
      local = {data.dimension, triplets(data.w), data.q, data.mu};
    } else {
      ProblemNotes notes;
      local = std::get<LocalProblem>(parse_siconos_text(path, read_whole_file(path), notes));
    }
    out = {local.w * r + vector(local.q), vector(local.q), local.w.diagonal(), local.mu, local.dimension};
    return out;
  }
  const FclibData data = read_fclib(path);
  const Eigen::SparseMatrix<double> m = triplets(data.mass), h = triplets(data.h);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(m);
  const Eigen::VectorXd free = solver.solve(vector(data.f)), v = solver.solve(Eigen::VectorXd(vector(data.f) + h * r));
  const Eigen::MatrixXd w = h.transpose() * solver.solve(Eigen::MatrixXd(h));
  out = {h.transpose() * v + vector(data.bias), h.transpose() * free + vector(data.bias), w.diagonal(), data.mu,
         data.dimension};
  return out;
}

// The worst natural map over the greatest free velocity: own projection, by cases.
double natural_map(const Raw& raw, const std::vector<double>& impulses) {
  double worst = 0, fastest = 1e-12;
  for (std::size_t c = 0; c < raw.mu.size(); ++c) {
    const Eigen::Index at = static_cast<Eigen::Index>(c) * raw.d;
    const double rho = raw.d / raw.diagonal.segment(at, raw.d).sum(), mu = raw.mu[c];
    const Eigen::VectorXd r = vector(impulses).segment(at, raw.d);
    Eigen::VectorXd z = r - rho * raw.u.segment(at, raw.d);
    z[0] -= rho * mu * raw.u.segment(at + 1, raw.d - 1).norm();
    const double t = z.tail(raw.d - 1).norm();
    Eigen::VectorXd projected = z;
    if (t > mu * z[0]) {
      if (mu * t <= -z[0])
        projected.setZero();
      else {
        projected[0] = (z[0] + mu * t) / (1 + mu * mu);
        projected.tail(raw.d - 1) = mu * projected[0] / t * z.tail(raw.d - 1);
      }
    }
    worst = std::max(worst, (r - projected).norm() / rho);
    fastest = std::max(fastest, raw.q.segment(at, raw.d).norm());
  }
  return worst / fastest;
}

class Fclib : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!fs::is_directory(found_folder()))
      GTEST_SKIP() << "there is no " << data_folder() << ": the corpus is not part of the repository";
  }
  std::string path() const { return (found_folder() / GetParam()).string(); }
};

TEST_P(Fclib, IsSolvedToTheGate) {
  const ProblemFile file = read_problem(path());
  check_problem(file.data.view());
  const ProblemResult result = solve_problem(file, {});
  EXPECT_TRUE(result.solved) << result.measures.natural_map.worst;
  EXPECT_LE(result.measures.natural_map.worst, 1.001e-8);
  const Raw raw = raw_of(path(), result.solution.impulses);
  EXPECT_NEAR(natural_map(raw, result.solution.impulses), result.measures.natural_map.worst, 1e-12);
  RecordProperty("iterations", std::to_string(result.solution.iterations));
  RecordProperty("natural_map", std::to_string(result.measures.natural_map.worst));
}

// Two orders further, by Newton's method.
TEST_P(Fclib, IsSolvedByNewtonToTheLastGate) {
  const ProblemFile file = read_problem(path());
  ProblemRequest request;
  request.solver = "newton";
  request.tolerance = 1e-10;
  const ProblemResult result = solve_problem(file, request);
  EXPECT_TRUE(result.solved) << result.status;
  EXPECT_LE(result.measures.natural_map.worst, 1.001e-10);
  EXPECT_NEAR(natural_map(raw_of(path(), result.solution.impulses), result.solution.impulses),
              result.measures.natural_map.worst, 1e-12);
  EXPECT_LT(result.solution.iterations, 1000);
  EXPECT_STREQ(result.solution.reason, "");  // no sweeps had to help
}

// An impulse of nothing is an answer to no problem that has one to find; both arithmetics must object alike.
TEST_P(Fclib, WrongAnswersAreSeenByBoth) {
  const ProblemFile file = read_problem(path());
  const ContactProblem p = file.data.view();
  std::vector<double> r(p.rows());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::sin(static_cast<double>(7 * i + 1));
  std::vector<double> momentum(p.velocities(), 0.0), v(p.velocities());
  add_momentum(p, r, momentum);
  solve_mass(p, momentum, v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += p.free_velocity[i];
  const double found = judge_problem(p, r, v, 0).natural_map.worst, expected = natural_map(raw_of(path(), r), r);
  EXPECT_GT(found, 1e-6);
  EXPECT_NEAR(found, expected, 1e-9 * expected);
}

// A stack of boxes comes with the relative velocities that its author found: ours are the same. (The other file that
// has some, spheres in a box, has velocities that its own friction does not allow: docs/problems.md.)
class FclibWithVelocities : public Fclib {};
TEST_P(FclibWithVelocities, AreItsAuthors) {
  const std::vector<double> expected = read_fclib(path()).solution_u;
  const ProblemResult result = solve_problem(read_problem(path()), {});
  const Raw raw = raw_of(path(), result.solution.impulses);
  ASSERT_EQ(raw.u.size(), static_cast<Eigen::Index>(expected.size()));
  EXPECT_GT(vector(expected).cwiseAbs().maxCoeff(), 0.1 * result.reference);
  EXPECT_LT((raw.u - vector(expected)).cwiseAbs().maxCoeff(), 1e-6 * result.reference);
}

INSTANTIATE_TEST_SUITE_P(Corpus, FclibWithVelocities, ::testing::Values("Box_Stacks-i0122-82-5.hdf5"));
INSTANTIATE_TEST_SUITE_P(Corpus, Fclib, ::testing::ValuesIn(corpus()), [](const auto& each) {
  std::string name = each.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace touchstone::testing
