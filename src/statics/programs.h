#pragma once
// Linear programs of statics, solved in floating point and, where it is asked for, proven in fractions.
#include "math/exact/exact_program.h"

namespace touchstone::statics {

// Numbers of a solution, and the same as fractions if they were proven.
struct Values {
  Eigen::VectorXd rounded;
  std::vector<Rational> exact;  // empty: not proven
  bool is_exact() const { return !exact.empty() || rounded.size() == 0; }
  Eigen::Index size() const { return rounded.size(); }
};
Values exact_values(std::vector<Rational> values);
// "981/200", or the double with 6 digits.
std::string value_text(const Values& values, Eigen::Index i);

struct ProgramSettings {
  bool exact = false;
  std::int64_t max_pivots = 2000;  // exact ones, of one program
  StopFlag stop{};
};

struct Solved {
  LpStatus status = LpStatus::kInaccurate;
  bool exact = false;
  double objective = 0;
  Rational exact_objective;
  Values x, multipliers, ray;
};

// The same program again with other bounds or another objective starts from the last basis.
class ProgramSolver {
 public:
  explicit ProgramSolver(const ProgramSettings& settings) : settings_(settings) {}
  Solved solve(const ExactProgram& program);
  // Throws Error (kInterrupted) if it was stopped.
  LpAnswer solve_rounded(const LinearProgram& program);
  const ProgramSettings& settings() const { return settings_; }

 private:
  ProgramSettings settings_;
  LinearSolver solver_;
};

}  // namespace touchstone::statics
