// Damaged contact problems: ours, Siconos' text, linear complementarity problems, FCLIB's HDF5. What is read is solved
// by one solver or another, a few iterations long.
#include "study/problem_study.h"

#include <gtest/gtest.h>

#include "attack/attack.h"
#include "contact/solvers/registry.h"
#include "study/lcp_study.h"
#include "touchstone/touchstone.h"

namespace touchstone::attack {
namespace {

constexpr const char* kScene = R"(touchstone = 1
dimension = 3
[simulation]
step = 0.002
[[material]]
name = "default"
friction = 0.4
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "low"
position = [0, 0, 0.1]
velocity = [1, 0, 0]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
[[body]]
name = "high"
position = [0.02, 0, 0.3]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
[[joint]]
kind = "ball"
body_a = "low"
body_b = "high"
point = [0, 0, 0.2]
)";

const std::vector<std::string> kSiconos{
    "2\n1\n0\n2\n2\n2 2\n 4 1\n 1 3\n-1 0.5\n0.25\n0\n",
    "2\n2\n1\n4\n4\n3\n2\n2\n2 4\n2 4\n3\n3\n0 1 3\n0 0 1\n"
    "0\n 4\n 1\n 1\n 3\n1\n 7\n 8\n 9\n 10\n2\n 5\n 2\n 2\n 6\n -1 0.5 -2 0.125\n 0.25 0.5\n",
    "3\n1\n0\n3\n3\n3 3\n2 0 0\n0 2 0\n0 0 2\n-1 0.5 0\n0.3\n"};
const std::string kComplementarity = "2\n0\n2\n2\n2 2\n 1 3\n 2 4\n-5 -6\n\nA remark.\n";

std::vector<ProblemFile> small_problems() {
  const std::vector<std::uint64_t> steps{1, 2};
  return capture_problems(parse_scene(kScene, "attack.toml"), steps);
}

ProblemRequest any_request(Mutator& m) {
  ProblemRequest request;
  request.solver = m.pick(contact_solvers()).name;
  request.max_iterations = 30;
  request.use_guess = m.chance(2);
  return request;
}

void solve(const std::string& path, const ProblemRequest& request) {
  if (is_lcp_file(path)) {
    ProblemRequest lemke = request;
    lemke.solver = "lemke";
    const LcpResult r = solve_lcp(read_lcp_file(path), lemke);
    for (const double z : r.z) EXPECT_TRUE(std::isfinite(z));
    return;
  }
  const ProblemResult r = solve_problem(read_problem(path), request);
  for (const double impulse : r.solution.impulses) EXPECT_TRUE(std::isfinite(impulse)) << request.solver;
}

TEST(Attack, ProblemsAsText) {
  const Folder folder;
  std::vector<std::string> seeds = kSiconos;
  seeds.push_back(kComplementarity);
  for (const ProblemFile& file : small_problems())
    for (int i = 0; i < 2; ++i) seeds.push_back(problem_text(file));
  run_cases("problems as text", {}, [&](Mutator& m) {
    const std::string text = m.damage(m.pick(seeds), m.pick(seeds));
    show(text);
    const std::string path = folder.write("problem.dat", text);
    const ProblemRequest request = any_request(m);
    survives([&] { solve(path, request); }, {"problem.dat"});
  });
}

TEST(Attack, ProblemsAsHdf5) {
  const Folder folder;
  std::vector<std::string> seeds;
  for (const ProblemFile& file : small_problems()) {
    write_problem(folder.path("seed.hdf5"), file);
    seeds.push_back(read_bytes(folder.path("seed.hdf5")));
  }
  run_cases("problems as HDF5", {}, [&](Mutator& m) {
    const std::string path = folder.write("problem.hdf5", m.damage_bytes(m.pick(seeds)));
    const ProblemRequest request = any_request(m);
    survives([&] { solve(path, request); }, {"problem.hdf5"});
  });
}

}  // namespace
}  // namespace touchstone::attack
