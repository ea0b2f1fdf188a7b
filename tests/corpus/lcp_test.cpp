// Linear complementarity problems that nobody here wrote, in ../shared/data: read by the program's reader and by the
// tests' own, solved as `touchstone problem solve` does, and judged by arithmetic of this file.
#include <gtest/gtest.h>

#include <algorithm>

#include "math/optim/lcp_files.h"
#include "study/lcp_study.h"

namespace touchstone::testing {
namespace {

TEST(LcpCorpus, EveryFileIsSolvedOrHasAReason) {
  const std::filesystem::path folder = shared_data() / "lcp";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no recorded problems at " << folder;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    ++files;
    ASSERT_TRUE(is_lcp_file(path)) << path;
    const LcpProblem problem = read_lcp_file(path);
    const Lcp expected = read_lcp(entry.path());
    EXPECT_EQ(problem.m, expected.m) << path;
    EXPECT_EQ(problem.q, expected.q) << path;
    ProblemRequest request;
    request.solver = "lemke";
    const LcpResult result = solve_lcp(problem, request);
    // Its second unknown must be 1, and then the first w is below zero (tests/math/optim/lemke_test.cpp).
    const bool has_none = entry.path().stem() == "lcp_Pang_isolated_sol_perturbed";
    EXPECT_EQ(result.solved, !has_none) << path << ": " << result.status;
    if (has_none) {
      EXPECT_NE(result.status.find("ray"), std::string::npos) << result.status;
      continue;
    }
    const Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(result.z.data(), expected.q.size()),
                          w = expected.m * z + expected.q;
    EXPECT_LT(z.cwiseMin(w).cwiseAbs().maxCoeff(), 1e-8) << path;
  }
  EXPECT_GE(files, 20u);
}

}  // namespace
}  // namespace touchstone::testing
