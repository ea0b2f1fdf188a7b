// Purpose: Solves one problem by Siconos and by solvers of ours from nothing, until the same measure is within the same
//   tolerance, and takes the median of turns.
// Source: docs/problems.md, "Against Siconos".
// Letters: none.
// Deviations: (1) A solver stops by its own measure, not by the judge's. Before anything is timed each is given the
//   loosest tolerance whose answer the judge accepts, by factors of 4.
//   (2) Solves shorter than kShortest are repeated within a turn: a clock has its own cost.
// Fails: a solver that does not get there is in the table with how far it got.
#include "problems/run.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "contact/problem_yardstick.h"
#include "contact/solvers/registry.h"
#include "peers/table.h"
#include "touchstone/error.h"

namespace touchstone::bench {
namespace {

constexpr double kShortest = 2e-3;             // s of a turn
constexpr int kLoosest = 14, kTightest = -14;  // powers of 2 on the tolerance, by twos

// One solver on one problem.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual void solve() = 0;  // once more from nothing
  SolverRow row;
  std::vector<double> times;
  int solves_of_a_turn = 1;
};

// Processor time of one of `count` solves [s].
double time_of(Contender& contender, int count) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  for (int i = 0; i < count; ++i) contender.solve();
  return (now() - begin) / count;
}

// What both kinds are judged by.
struct Court {
  const NamedProblem& problem;
  const Siconos& siconos;
  const SolveOptions& options;

  void judge(std::span<const double> r, SolverRow& row) const {
    const ContactProblem p = problem.file.data.view();
    std::vector<double> momentum(p.velocities(), 0.0), v(p.velocities());
    add_momentum(p, r, momentum);
    solve_mass(p, momentum, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += p.free_velocity[i];
    row.natural_map = judge_problem(p, r, v, problem.file.gravity).natural_map.worst;
    row.siconos_measure = siconos.measure(r);
    const double measure = options.judge == JudgedBy::kSiconos ? row.siconos_measure : row.natural_map;
    row.solved = measure <= (1 + 1e-6) * options.tolerance;  // a hair: solvers sum in another order
  }
};

class Ours : public Contender {
 public:
  Ours(const std::string& name, const Court& court) : problem_(court.problem.file.data.view()) {
    const SolverInfo* info = find_contact_solver(name);
    if (!info) throw Error(ErrorKind::kBadInput, "there is no solver '" + name + "'");
    solver_ = info->make();
    reference_ = reference_speed(problem_, court.problem.file.gravity);
    row.solver = name;
    for (int power = kLoosest; power >= kTightest && !row.solved; power -= 2) {
      row.given_tolerance = std::ldexp(court.options.tolerance, power);
      solve();
      row.iterations = solution_.iterations;
      court.judge(solution_.impulses, row);
      if (solution_.status != SolveStatus::kConverged) break;
    }
  }
  void solve() override { solver_->solve(problem_, {row.given_tolerance * reference_, 0}, {}, solution_); }

 private:
  ContactProblem problem_;
  std::unique_ptr<ContactSolver> solver_;
  ContactSolution solution_;
  double reference_ = 0;
};

class Theirs : public Contender {
 public:
  Theirs(Siconos& siconos, const Court& court) : siconos_(siconos), max_iterations_(court.options.max_iterations) {
    row.solver = "siconos";
    for (int power = kLoosest; power >= kTightest && !row.solved; power -= 2) {
      row.given_tolerance = std::ldexp(court.options.tolerance, power);
      solve();
      row.iterations = siconos_.iterations();
      court.judge(siconos_.impulses(), row);
      if (siconos_.iterations() >= max_iterations_) break;
    }
  }
  void solve() override { siconos_.solve(row.given_tolerance, max_iterations_); }

 private:
  Siconos& siconos_;
  int max_iterations_;
};

}  // namespace

ProblemRow run_problem(const NamedProblem& problem, const SolveOptions& options) {
  const BlockProblem blocks = to_blocks(problem.file.data.view());
  Siconos siconos(blocks);
  ProblemRow out{problem.name, blocks.contacts(), {}};
  const Court court{problem, siconos, options};
  std::vector<std::unique_ptr<Contender>> all;
  for (const std::string& name : options.solvers) all.push_back(std::make_unique<Ours>(name, court));
  all.push_back(std::make_unique<Theirs>(siconos, court));
  for (const auto& each : all)
    each->solves_of_a_turn = static_cast<int>(std::clamp(std::ceil(kShortest / time_of(*each, 1)), 1.0, 1e3));
  for (int turn = 0; turn < options.repeat; ++turn)
    for (const auto& each : all) each->times.push_back(time_of(*each, each->solves_of_a_turn));
  for (const auto& each : all) {
    each->row.milliseconds = 1e3 * median(each->times);
    out.solvers.push_back(each->row);
  }
  return out;
}

}  // namespace touchstone::bench
