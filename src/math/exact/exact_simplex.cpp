// Purpose: proves what a basis of a linear program claims, in fractions, and repairs it by pivots where it claims too
//   much: first the sum of violations is made least, then the objective.
// Source: M. Dhiflaoui et al., Certifying and repairing solutions to large LPs, SODA 2003 (the idea); R. G. Bland,
// Math.
//   Oper. Res. 2 (1977) 103 (the rule that ends).
// Letters: x, y, c, a as in the header. Each row i has an activity r_i = a_i·x, a variable with bounds lower, upper;
// its
//   reduced cost is y_i. Basic columns and rows that are not basic form a square matrix K, all that is solved with.
// Deviations: (1) A basis that is singular is made regular by the rows and columns without a pivot. (2) The steepest
//   reduced cost enters as long as the objective falls, Bland's choice after kPatience pivots without.
// Fails: kUnproven when the budget of pivots ends. Nothing is claimed then.
#include <algorithm>
#include <limits>

#include "math/exact/exact_program.h"
#include "math/exact/exact_solve.h"

namespace touchstone {
namespace {

using Vector = std::vector<Rational>;
using Bound = std::optional<Rational>;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr int kPatience = 20;

// A variable is a column (below n) or the activity of row k − n.
class ExactSimplex {
 public:
  ExactSimplex(const ExactProgram& p, const ExactOptions& options) : p_(p), options_(options), n_(p.variables()) {}
  ExactAnswer run(const LpAnswer& guess);

 private:
  enum class Turn : std::uint8_t { kMoved, kDone, kRay, kStopped };
  const Bound& lower(std::size_t k) const { return k < n_ ? p_.x_lower[k] : p_.lower[k - n_]; }
  const Bound& upper(std::size_t k) const { return k < n_ ? p_.x_upper[k] : p_.upper[k - n_]; }
  bool basic(std::size_t k) const { return state_[k] == BasisStatus::kBasic; }
  BasisStatus resting(std::size_t k) const;
  void begin(const LpAnswer& guess);
  bool regular();
  bool compute_point();
  bool compute_multipliers(const Vector& costs, const Vector& row_costs);
  int side_of(std::size_t k) const;  // −1 below its lower bound, +1 above its upper one
  bool find_violations();
  bool multipliers_of_phase(bool first);
  Rational reduced_cost(std::size_t k) const;
  std::size_t entering(bool bland, int& sign) const;
  bool compute_direction(std::size_t enters, int sign);
  Turn step(std::size_t enters, int sign, bool first);
  Turn turn(bool first);
  Turn minimise(bool first);
  void finish(ExactStatus status);

  const ExactProgram& p_;
  const ExactOptions& options_;
  std::size_t n_;
  std::vector<BasisStatus> state_;
  std::vector<std::size_t> rows_, columns_;  // of K
  std::vector<std::int32_t> row_place_, column_place_;
  ExactSystem system_;
  Vector value_, costs_, y_, direction_;  // value_ and direction_ of columns and activities
  Vector row_costs_;                      // −1, 0, +1 of violated activities
  int idle_ = 0;
  ExactAnswer answer_;
};

BasisStatus ExactSimplex::resting(std::size_t k) const {
  if (lower(k) && upper(k) && *lower(k) == *upper(k)) return BasisStatus::kFixed;
  return lower(k) ? BasisStatus::kLower : upper(k) ? BasisStatus::kUpper : BasisStatus::kFree;
}

void ExactSimplex::begin(const LpAnswer& guess) {
  state_.assign(n_ + p_.rows(), BasisStatus::kBasic);
  const bool usable = guess.columns.size() == n_ && guess.rows.size() == p_.rows();
  for (std::size_t k = 0; k < state_.size(); ++k) {
    BasisStatus state = k < n_ ? BasisStatus::kFree : BasisStatus::kBasic;
    if (usable) state = k < n_ ? guess.columns[k] : guess.rows[k - n_];
    const bool at_lower = state == BasisStatus::kLower && lower(k), at_upper = state == BasisStatus::kUpper && upper(k);
    state_[k] = state == BasisStatus::kBasic || ((at_lower || at_upper) && resting(k) != BasisStatus::kFixed)
                    ? state
                    : resting(k);
  }
}

// Chooses K, and loads it. Rows and columns without a pivot change between basic and not: deviation (1).
bool ExactSimplex::regular() {
  for (int attempt = 0; attempt < 3; ++attempt) {
    rows_.clear(), columns_.clear();
    row_place_.assign(p_.rows(), -1), column_place_.assign(n_, -1);
    for (std::size_t i = 0; i < p_.rows(); ++i)
      if (!basic(n_ + i)) row_place_[i] = static_cast<std::int32_t>(rows_.size()), rows_.push_back(i);
    for (std::size_t j = 0; j < n_; ++j)
      if (basic(j)) column_place_[j] = static_cast<std::int32_t>(columns_.size()), columns_.push_back(j);
    ExactSystem::Rows k(rows_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (const ExactEntry& e : p_.columns[columns_[c]]) {
        const std::int32_t row = row_place_[static_cast<std::size_t>(e.row)];
        if (row >= 0) k[static_cast<std::size_t>(row)].push_back({static_cast<std::int32_t>(c), e.value});
      }
    if (system_.load(k, columns_.size())) return true;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!system_.has_pivot_in_row(r)) state_[n_ + rows_[r]] = BasisStatus::kBasic;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!system_.has_pivot_in_column(c)) state_[columns_[c]] = resting(columns_[c]);
  }
  return false;
}

// value_ of all variables in the basis. False on a stop.
bool ExactSimplex::compute_point() {
  value_.assign(n_ + p_.rows(), Rational());
  Vector right(rows_.size());
  for (std::size_t k = 0; k < value_.size(); ++k) {
    if (basic(k) || state_[k] == BasisStatus::kFree) continue;
    value_[k] = state_[k] == BasisStatus::kUpper ? *upper(k) : *lower(k);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) right[r] = value_[n_ + rows_[r]];
  for (std::size_t j = 0; j < n_; ++j) {
    if (basic(j) || value_[j] == 0) continue;
    for (const ExactEntry& e : p_.columns[j]) {
      const std::int32_t row = row_place_[static_cast<std::size_t>(e.row)];
      if (row >= 0) right[static_cast<std::size_t>(row)] -= e.value * value_[j];
    }
  }
  const auto x = system_.solve(right, options_.stop);
  if (!x) return false;
  for (std::size_t c = 0; c < columns_.size(); ++c) value_[columns_[c]] = (*x)[c];
  for (std::size_t j = 0; j < n_; ++j) {
    if (value_[j] == 0) continue;
    for (const ExactEntry& e : p_.columns[j]) {
      const std::size_t i = static_cast<std::size_t>(e.row);
      if (basic(n_ + i)) value_[n_ + i] += e.value * value_[j];
    }
  }
  return true;
}

int ExactSimplex::side_of(std::size_t k) const {
  if (!basic(k)) return 0;
  return lower(k) && value_[k] < *lower(k) ? -1 : upper(k) && value_[k] > *upper(k) ? 1 : 0;
}

// Costs of the first phase: the slope of the sum of violations. True if there are any.
bool ExactSimplex::find_violations() {
  costs_.assign(n_, Rational()), row_costs_.assign(p_.rows(), Rational());
  bool any = false;
  for (std::size_t k = 0; k < state_.size(); ++k) {
    const int side = side_of(k);
    if (side == 0) continue;
    (k < n_ ? costs_[k] : row_costs_[k - n_]) = side;
    any = true;
  }
  return any;
}

// y_ with the reduced costs of basic variables 0. The cost of a basic activity belongs to its row's multiplier: y =
// −cost.
bool ExactSimplex::compute_multipliers(const Vector& costs, const Vector& row_costs) {
  y_.assign(p_.rows(), Rational());
  for (std::size_t i = 0; i < p_.rows(); ++i)
    if (basic(n_ + i)) y_[i] = -row_costs[i];
  Vector right(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    right[c] = costs[columns_[c]];
    for (const ExactEntry& e : p_.columns[columns_[c]]) right[c] -= e.value * y_[static_cast<std::size_t>(e.row)];
  }
  const auto y = system_.solve_transposed(right, options_.stop);
  if (!y) return false;
  for (std::size_t r = 0; r < rows_.size(); ++r) y_[rows_[r]] = (*y)[r];
  return true;
}

bool ExactSimplex::multipliers_of_phase(bool first) {
  if (!first) costs_ = p_.c, row_costs_.assign(p_.rows(), Rational());
  return compute_multipliers(costs_, row_costs_);
}

Rational ExactSimplex::reduced_cost(std::size_t k) const {
  if (k >= n_) return y_[k - n_];
  Rational out = costs_[k];
  for (const ExactEntry& e : p_.columns[k]) {
    const Rational& y = y_[static_cast<std::size_t>(e.row)];
    if (y != 0) out -= e.value * y;
  }
  return out;
}

// The variable whose change by `sign` lowers the objective; kNone at an optimum.
std::size_t ExactSimplex::entering(bool bland, int& sign) const {
  std::size_t best = kNone;
  Rational steepest;
  for (std::size_t k = 0; k < state_.size(); ++k) {
    if (basic(k) || state_[k] == BasisStatus::kFixed) continue;
    const Rational d = reduced_cost(k);
    const bool up = d < 0 && state_[k] != BasisStatus::kUpper, down = d > 0 && state_[k] != BasisStatus::kLower;
    if (!up && !down) continue;
    if (best != kNone && abs(d) <= steepest) continue;
    best = k, steepest = abs(d), sign = up ? 1 : -1;
    if (bland) break;
  }
  return best;
}

// direction_ of all variables as one that is not basic changes by `sign`. False on a stop.
bool ExactSimplex::compute_direction(std::size_t enters, int sign) {
  direction_.assign(n_ + p_.rows(), Rational());
  direction_[enters] = sign;
  Vector right(rows_.size());
  if (enters >= n_) {
    right[static_cast<std::size_t>(row_place_[enters - n_])] = sign;
  } else {
    for (const ExactEntry& e : p_.columns[enters]) {
      const std::int32_t row = row_place_[static_cast<std::size_t>(e.row)];
      if (row >= 0) right[static_cast<std::size_t>(row)] -= e.value * sign;
    }
  }
  const auto x = system_.solve(right, options_.stop);
  if (!x) return false;
  for (std::size_t c = 0; c < columns_.size(); ++c) direction_[columns_[c]] = (*x)[c];
  for (std::size_t j = 0; j < n_; ++j) {
    if (direction_[j] == 0) continue;
    for (const ExactEntry& e : p_.columns[j]) {
      const std::size_t i = static_cast<std::size_t>(e.row);
      if (basic(n_ + i)) direction_[n_ + i] += e.value * direction_[j];
    }
  }
  return true;
}

// To the first bound that a basic variable, or the entering one, meets. One that violates a bound may go as far as
// that.
ExactSimplex::Turn ExactSimplex::step(std::size_t enters, int sign, bool first) {
  std::size_t leaves = kNone;
  Rational longest;
  bool to_upper = false;
  const auto meet = [&](std::size_t k, const Bound& bound, bool is_upper) {
    if (!bound) return;
    const Rational length = (*bound - value_[k]) / direction_[k];
    if (leaves != kNone && length >= longest) return;
    leaves = k, longest = length, to_upper = is_upper;
  };
  for (std::size_t k = 0; k < state_.size(); ++k) {
    if (direction_[k] == 0 || !basic(k)) continue;
    const bool up = direction_[k] > 0;
    const int side = side_of(k);
    if (side == 0) meet(k, up ? upper(k) : lower(k), up);
    if (side < 0 && up) meet(k, lower(k), false);
    if (side > 0 && !up) meet(k, upper(k), true);
  }
  const Bound& other = sign > 0 ? upper(enters) : lower(enters);
  if (other && state_[enters] != BasisStatus::kFree) {
    const Rational length = abs(*other - value_[enters]);
    if (leaves == kNone || length < longest) leaves = enters, longest = length, to_upper = sign > 0;
  }
  if (leaves == kNone) return first ? Turn::kStopped : Turn::kRay;
  idle_ = longest == 0 ? idle_ + 1 : 0;
  if (leaves != enters) state_[enters] = BasisStatus::kBasic;
  state_[leaves] = resting(leaves) == BasisStatus::kFixed ? BasisStatus::kFixed
                   : to_upper                             ? BasisStatus::kUpper
                                                          : BasisStatus::kLower;
  return Turn::kMoved;
}

// One pivot from the point value_.
ExactSimplex::Turn ExactSimplex::turn(bool first) {
  if (!multipliers_of_phase(first)) return Turn::kStopped;
  int sign = 0;
  const std::size_t enters = entering(idle_ >= kPatience, sign);
  if (enters == kNone) return Turn::kDone;
  if (answer_.pivots >= options_.max_pivots) return Turn::kStopped;
  ++answer_.pivots;
  if (!compute_direction(enters, sign)) return Turn::kStopped;
  return step(enters, sign, first);
}

// Until no variable improves the phase's objective. The first phase ends as soon as nothing is violated.
ExactSimplex::Turn ExactSimplex::minimise(bool first) {
  for (;;) {
    if (options_.stop.requested() || !regular() || !compute_point()) return Turn::kStopped;
    if (first && !find_violations()) return Turn::kDone;
    const Turn result = turn(first);
    if (result == Turn::kDone && first) return Turn::kRay;
    if (result != Turn::kMoved) return result;
  }
}

void ExactSimplex::finish(ExactStatus status) {
  answer_.columns.assign(state_.begin(), state_.begin() + static_cast<std::ptrdiff_t>(n_));
  answer_.row_states.assign(state_.begin() + static_cast<std::ptrdiff_t>(n_), state_.end());
  const Vector x(value_.begin(), value_.begin() + static_cast<std::ptrdiff_t>(std::min(n_, value_.size())));
  bool proven = false;
  if (status == ExactStatus::kInfeasible) {
    proven = verify_infeasible(p_, y_);
    if (proven) answer_.ray = y_;
  } else if (status == ExactStatus::kUnbounded) {
    const Vector d(direction_.begin(), direction_.begin() + static_cast<std::ptrdiff_t>(n_));
    proven = verify_unbounded(p_, x, d);
    if (proven) answer_.x = x, answer_.ray = d;
  } else if (status == ExactStatus::kOptimal) {
    proven = verify_optimal(p_, x, y_);
    if (proven) answer_.x = x, answer_.multipliers = y_;
    for (std::size_t j = 0; proven && j < n_; ++j) answer_.objective += p_.c[j] * x[j];
  }
  answer_.status = proven ? status : ExactStatus::kUnproven;
}

ExactAnswer ExactSimplex::run(const LpAnswer& guess) {
  for (std::size_t k = 0; k < n_ + p_.rows(); ++k) {
    if (!lower(k) || !upper(k) || *lower(k) <= *upper(k)) continue;
    answer_.status = ExactStatus::kInfeasible;  // a proof of its own
    answer_.ray.assign(p_.rows(), Rational());
    if (k >= n_) answer_.ray[k - n_] = 1;
    return answer_;
  }
  begin(guess);
  Turn result = minimise(true);
  if (result == Turn::kRay) {
    finish(ExactStatus::kInfeasible);
    return answer_;
  }
  idle_ = 0;
  if (result == Turn::kDone) result = minimise(false);
  if (result == Turn::kDone) finish(ExactStatus::kOptimal);
  if (result == Turn::kRay) finish(ExactStatus::kUnbounded);
  if (options_.stop.requested()) answer_.status = ExactStatus::kStopped;
  return answer_;
}

}  // namespace

ExactAnswer solve_exactly(const ExactProgram& program, const LpAnswer& guess, const ExactOptions& options) {
  return ExactSimplex(program, options).run(guess);
}

ExactAnswer solve_exactly(const ExactProgram& program, const ExactOptions& options) {
  LpOptions lp;
  lp.stop = options.stop;
  return solve_exactly(program, LinearSolver().solve(rounded_program(program), lp), options);
}

}  // namespace touchstone
