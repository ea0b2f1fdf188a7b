#include "programs/collapse.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "contact/reform/problem_as_qp.h"
#include "programs/processor_time.h"
#include "study/problem_study.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"
#ifdef TOUCHSTONE_IPOPT
#include "programs/ipopt_program.h"
#endif

namespace touchstone::bench {
namespace {

constexpr double kTolerance = 1e-11;  // of model gauss

SceneDescription scene_of(const std::string& bodies) {
  const std::string folder = std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/papers/rote2012/";
  if (bodies == "corners") return load_scene(folder + "diamond_5_corners.toml", {{"model.bodies", "\"corners\""}});
  return load_scene(folder + "diamond_5.toml", {{"model.bodies", "\"" + bodies + "\""}});
}

// Impulses of the last step by contact.
class LastImpulses {
 public:
  std::vector<double> guess(const ContactProblem& p) const {
    std::vector<double> out(p.rows(), 0.0);
    for (const RowBlock& b : p.blocks)
      if (const auto last = impulses_.find(b.key); last != impulses_.end() && last->second.size() == b.rows)
        std::copy(last->second.begin(), last->second.end(), out.begin() + b.first_row);
    return out;
  }
  void keep(const ContactProblem& p, const std::vector<double>& impulses) {
    impulses_.clear();
    for (const RowBlock& b : p.blocks)
      impulses_[b.key].assign(impulses.begin() + b.first_row, impulses.begin() + b.first_row + b.rows);
  }

 private:
  std::map<std::uint64_t, std::vector<double>> impulses_;
};

double objective_of(const QuadraticProgram& p, const Eigen::VectorXd& x) { return 0.5 * x.dot(p.q * x) + p.c.dot(x); }
double primal_residual(const QuadraticProgram& p, const Eigen::VectorXd& x) {
  const Eigen::VectorXd ax = p.a * x;
  return std::max({0.0, (p.lower - ax).maxCoeff(), (ax - p.upper).maxCoeff()}) / (1e-300 + x.cwiseAbs().maxCoeff());
}

// Compared with the cold answer.
void note(const QuadraticProgram& p, const Eigen::VectorXd& best, const Eigen::VectorXd& x, bool solved, double seconds,
          SolverTotals& out) {
  const double least = objective_of(p, best);
  out.seconds += seconds, out.solved += solved;
  out.worst = std::max({out.worst, primal_residual(p, x), (objective_of(p, x) - least) / (1e-300 + std::abs(least))});
}

}  // namespace

CollapseRow run_collapse(const std::string& bodies, std::uint64_t steps) {
  Simulation simulation(scene_of(bodies));
  CollapseRow out;
  out.bodies = bodies;
  const double start = processor_time();
  for (std::uint64_t k = 0; k < steps; ++k) {
    const StepReport& report = simulation.step();
    out.worst_certificate = std::max(out.worst_certificate, report.certificate);
    out.not_converged += report.status == StepStatus::kNotConverged;
  }
  out.seconds = processor_time() - start;
  return out;
}

ProgramTotals run_programs(std::uint64_t steps) {
  std::vector<std::uint64_t> all(steps);
  for (std::uint64_t k = 0; k < steps; ++k) all[k] = k + 1;
  const std::vector<ProblemFile> files = capture_problems(scene_of("reduced"), all);
  ProgramTotals out;
  out.programs = files.size();
  SolverTotals cold{"touchstone, cold", 0, 0, 0, 0}, warm{"touchstone, warm", 0, 0, 0, 0}, ipopt{"Ipopt", 0, 0, 0, 0};
  QuadraticSolver cold_solver, warm_solver;
  ProblemAsQp reform;
  LastImpulses last;
  const QpOptions options{kTolerance, QpOptions{}.max_iterations, {}};
  for (const ProblemFile& file : files) {
    const ContactProblem problem = file.data.view();
    const QuadraticProgram& p = reform.build(problem, 0);
    out.variables = std::max(out.variables, static_cast<std::size_t>(p.variables()));
    out.rows = std::max(out.rows, static_cast<std::size_t>(p.rows()));
    double start = processor_time();
    cold_solver.forget();
    QpAnswer answer = cold_solver.solve(p, options);
    note(p, cold_solver.x(), cold_solver.x(), answer.status == QpStatus::kOptimal, processor_time() - start, cold);
    cold.iterations += answer.iterations;

    const std::vector<double> guess = last.guess(problem);
    start = processor_time();
    warm_solver.forget();  // as the model does
    const std::span<const std::int8_t> active = reform.guess(problem, guess);
    answer = active.empty() ? warm_solver.solve(p, options) : warm_solver.solve(p, options, active);
    note(p, cold_solver.x(), warm_solver.x(), answer.status == QpStatus::kOptimal, processor_time() - start, warm);
    warm.iterations += answer.iterations;
    std::vector<double> impulses(problem.rows());
    reform.read_impulses(problem, warm_solver.multipliers(), impulses);
    last.keep(problem, impulses);
#ifdef TOUCHSTONE_IPOPT
    IpoptProgram given = ipopt_program(p);
    given.tolerance = 1e-8;  // its default
    start = processor_time();
    const IpoptAnswer theirs = solve_by_ipopt(given);
    const double seconds = processor_time() - start;
    const Eigen::Map<const Eigen::VectorXd> x(theirs.x.data(), p.variables());
    note(p, cold_solver.x(), x, theirs.optimal, seconds, ipopt);
    ipopt.iterations += theirs.iterations;
#endif
  }
  out.solvers = {cold, warm};
#ifdef TOUCHSTONE_IPOPT
  out.solvers.push_back(ipopt);
#endif
  return out;
}

}  // namespace touchstone::bench
