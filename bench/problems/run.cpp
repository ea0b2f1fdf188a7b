// Purpose: Solves one problem by Siconos and by solvers of ours from nothing, to the same tolerance in the same
// measure, and takes the median of turns. Source: docs/problems.md, "Against Siconos". Letters: none. Deviations: (1)
// Our solvers stop by their own measure, not by Siconos'. Before anything is timed their tolerance is
//   halved until the answer is within the bound by Siconos' measure, too. (2) Solves shorter than kShortest are
//   repeated within a turn: a clock has its own cost.
// Fails: a solver that does not get there is in the table with how far it got.
#include "problems/run.h"

#include <algorithm>
#include <cmath>

#include "contact/problem_yardstick.h"
#include "contact/solvers/registry.h"
#include "peers/table.h"
#include "touchstone/error.h"

namespace touchstone::bench {
namespace {

constexpr double kShortest = 2e-3;  // s of a turn
constexpr int kMostHalvings = 12;

// One solver on one problem: what a turn is.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual double turn() = 0;  // solves once more from nothing; returns processor time [s]
  SolverRow row;
  std::vector<double> times;
  int solves_of_a_turn = 1;
};

class Ours : public Contender {
 public:
  Ours(const std::string& name, const NamedProblem& problem, const Siconos& judge, const SolveOptions& options)
      : problem_(problem.file.data.view()), options_(options) {
    const SolverInfo* info = find_contact_solver(name);
    if (!info) throw Error(ErrorKind::kBadInput, "there is no solver '" + name + "'");
    solver_ = info->make();
    reference_ = reference_speed(problem_, problem.file.gravity);
    row.solver = name;
    row.given_tolerance = options.tolerance;
    for (int i = 0; i <= kMostHalvings; ++i, row.given_tolerance /= 2) {
      turn();
      judge_answer(judge, problem.file.gravity);
      if (row.siconos_measure <= options.tolerance || solution_.status != SolveStatus::kConverged) break;
    }
  }
  double turn() override {
    const double begin = processor_time();
    solver_->solve(problem_, {row.given_tolerance * reference_, 0}, {}, solution_);
    return processor_time() - begin;
  }

 private:
  void judge_answer(const Siconos& judge, double gravity) {
    row.iterations = solution_.iterations;
    row.natural_map = judge_problem(problem_, solution_.impulses, solution_.velocities, gravity).natural_map.worst;
    row.siconos_measure = judge.measure(solution_.impulses);
    // A hair more: the yardstick sums in another order.
    row.solved = row.siconos_measure <= options_.tolerance && row.natural_map <= (1 + 1e-6) * options_.tolerance;
  }

  ContactProblem problem_;
  const SolveOptions& options_;
  std::unique_ptr<ContactSolver> solver_;
  ContactSolution solution_;
  double reference_ = 0;
};

class Theirs : public Contender {
 public:
  Theirs(Siconos& siconos, const NamedProblem& problem, const SolveOptions& options)
      : siconos_(siconos), options_(options) {
    row.solver = "siconos";
    row.given_tolerance = options.tolerance;
    turn();
    row.iterations = answer_.iterations;
    row.siconos_measure = siconos.measure(answer_.impulses);
    row.solved = row.siconos_measure <= (1 + 1e-6) * options.tolerance;
    judge_answer(problem);
  }
  double turn() override {
    answer_ = siconos_.solve(options_.tolerance, options_.max_iterations);
    return answer_.seconds;
  }

 private:
  void judge_answer(const NamedProblem& problem) {
    const ContactProblem p = problem.file.data.view();
    std::vector<double> momentum(p.velocities(), 0.0), v(p.velocities());
    add_momentum(p, answer_.impulses, momentum);
    solve_mass(p, momentum, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += p.free_velocity[i];
    row.natural_map = judge_problem(p, answer_.impulses, v, problem.file.gravity).natural_map.worst;
  }

  Siconos& siconos_;
  const SolveOptions& options_;
  Siconos::Answer answer_;
};

}  // namespace

ProblemRow run_problem(const NamedProblem& problem, const SolveOptions& options) {
  const BlockProblem blocks = to_blocks(problem.file.data.view());
  Siconos siconos(blocks);
  ProblemRow out{problem.name, blocks.contacts(), {}};
  std::vector<std::unique_ptr<Contender>> all;
  for (const std::string& name : options.solvers)
    all.push_back(std::make_unique<Ours>(name, problem, siconos, options));
  all.push_back(std::make_unique<Theirs>(siconos, problem, options));
  for (const auto& each : all)
    each->solves_of_a_turn =
        static_cast<int>(std::clamp(std::ceil(kShortest / std::max(each->turn(), 1e-9)), 1.0, 1e3));
  for (int turn = 0; turn < options.repeat; ++turn)
    for (const auto& each : all) {
      double time = 0;
      for (int i = 0; i < each->solves_of_a_turn; ++i) time += each->turn();
      each->times.push_back(time / each->solves_of_a_turn);
    }
  for (const auto& each : all) {
    each->row.milliseconds = 1e3 * median(each->times);
    out.solvers.push_back(each->row);
  }
  return out;
}

}  // namespace touchstone::bench
