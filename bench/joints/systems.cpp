#include "joints/systems.h"

#include <algorithm>
#include <limits>
#include <random>

#include "contact/solvers/equality_system.h"
#include "programs/processor_time.h"

namespace touchstone::bench {
namespace {

constexpr double kTolerance = 1e-12;   // as in a stage of `lagrange`
constexpr double kLong = 0.3;          // [s] of runs of one method
constexpr int kMostRuns = 50;
constexpr double kMostEntries = 2e7;   // of A: beyond them factors are not tried

const char* name_of(EqualityMethod method) {
  return method == EqualityMethod::kCholesky ? "factors" : "conjugate gradients";
}

double entries_of(const ProblemData& data) {
  std::vector<double> on(data.cliques.size(), 0.0);
  for (const RowBlock& b : data.blocks)
    for (const std::uint32_t c : {b.clique_a, b.clique_b})
      if (c != Clique::kNone) on[c] += b.rows;
  double sum = 0;
  for (const double rows : on) sum += 0.5 * rows * rows;
  return sum;
}

MethodRow measure(const ContactProblem& p, EqualitySystem& system, EqualityMethod method, const Eigen::VectorXd& b) {
  MethodRow out;
  out.seconds = std::numeric_limits<double>::infinity();
  Eigen::VectorXd lambda;
  double spent = 0;
  while (out.runs < kMostRuns && (spent < kLong || out.runs < 2)) {
    const double start = processor_time();
    system.load(p, method);
    const EqualityAnswer answer = system.solve(b, kTolerance, 0, lambda);
    const double taken = processor_time() - start;
    spent += taken;
    out.seconds = std::min(out.seconds, taken);
    out.iterations = answer.iterations, out.solved = answer.solved;
    ++out.runs;
  }
  return out;
}

}  // namespace

SystemRow measure_system(const std::string& structure, std::uint32_t rows) {
  const ProblemData data = make_structure(structure, rows);
  const ContactProblem p = data.view();
  SystemRow out;
  out.rows = static_cast<std::uint32_t>(p.rows());
  // What joints can give: J times some velocities.
  std::mt19937 bits(2);
  Eigen::VectorXd v(static_cast<Eigen::Index>(p.velocities())), b, lambda;
  for (double& x : v) x = std::uniform_real_distribution<double>(-1, 1)(bits);
  EqualitySystem gradients, factors, choice;
  gradients.load(p, EqualityMethod::kConjugateGradients);
  gradients.rates(v, b);
  out.cg = measure(p, gradients, EqualityMethod::kConjugateGradients, b);
  out.bicg = measure(p, gradients, EqualityMethod::kBiconjugateGradients, b);
  if (entries_of(data) < kMostEntries) {
    const double start = processor_time();
    factors.load(p, EqualityMethod::kCholesky);
    factors.solve(b, kTolerance, 0, lambda);
    out.analysis = processor_time() - start;
    out.cholesky = measure(p, factors, EqualityMethod::kCholesky, b);
    out.fill = static_cast<double>(factors.factor_entries()) / static_cast<double>(p.rows());
  }
  choice.load(p, EqualityMethod::kAutomatic);
  out.automatic = name_of(choice.method());
  return out;
}

}  // namespace touchstone::bench
