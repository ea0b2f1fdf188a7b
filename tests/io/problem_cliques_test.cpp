// Problems of cliques that are no bodies as files: what is read is the problem that was written.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "contact/mixed_cliques.h"
#include "contact/problem_yardstick.h"
#include "contact/solvers/registry.h"
#include "io/problem/problem_file.h"
#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

ContactSolution solved(const ContactProblem& p) {
  ContactSolution out;
  find_contact_solver("newton")->make()->solve(p, {1e-10, 0}, {}, out);
  EXPECT_EQ(out.status, SolveStatus::kConverged) << out.reason;
  return out;
}

// Operators are written as numbers; all else comes back with its bits.
TEST(ProblemCliques, TextKeepsThem) {
  const MixedCliques mixed(2, 0.2, true), numbers(2, 0.2, false);
  ProblemFile file;
  file.origin = "cliques of 6, 7, 13 and 60";
  file.data = mixed.data;
  const std::string text = problem_text(file);
  const ProblemFile back = parse_problem_text("cliques.problem", text);
  EXPECT_TRUE(back.data.operators.empty());
  ASSERT_EQ(back.data.cliques.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(back.data.cliques[i].size, mixed.data.cliques[i].size);
  EXPECT_EQ(back.data.mass, numbers.data.mass);
  EXPECT_EQ(back.data.jacobian, mixed.data.jacobian);
  EXPECT_EQ(back.data.free_velocity, mixed.data.free_velocity);
  EXPECT_EQ(problem_text(back), text);
  const ContactSolution a = solved(mixed.view()), b = solved(back.data.view());
  for (std::size_t i = 0; i < a.velocities.size(); ++i) EXPECT_NEAR(a.velocities[i], b.velocities[i], 1e-9);
}

TEST(ProblemCliques, FclibKeepsTheDelassusMatrix) {
  const MixedCliques mixed(3, 0.2, true, false);
  ProblemFile file;
  file.data = mixed.data;
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("touchstone_cliques_" + std::to_string(getpid()) + ".hdf5");
  const ProblemNotes notes = write_problem(path.string(), file);
  EXPECT_EQ(notes.size(), 1u);  // limits are contacts there
  const ProblemFile back = read_problem(path.string());
  std::filesystem::remove(path);
  const ContactSolution a = solved(mixed.view()), b = solved(back.data.view());
  const StepMeasures judged = judge_problem(back.data.view(), b.impulses, b.velocities, 0);
  EXPECT_LT(judged.natural_map_velocity.worst, 1.01e-10);
  // Contacts stand first in both, in the same order.
  for (std::size_t i = 0; i < 3 * mixed.data.contacts.size(); ++i)
    EXPECT_NEAR(a.impulses[i], b.impulses[i], 1e-8) << "row " << i;
}

TEST(ProblemCliques, OneCliqueOnBothSidesIsRefusedByName) {
  const MixedCliques mixed(1, 0.2, false);
  ProblemFile file;
  file.data = mixed.data;
  std::string text = problem_text(file);
  const std::size_t at = text.find("contact 3 - 1 3 ");  // the third block: clique 1 with itself
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 13, "contact 3 1 1");
  try {
    parse_problem_text("cliques.problem", text);
    FAIL() << "was read";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("the block has clique 1 on both sides; write '- 1' and the sum"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace touchstone::testing
