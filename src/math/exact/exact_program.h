#pragma once
// Linear programs with fractions for data, and proofs about them that no rounding enters: an optimum with its
// multipliers, a contradiction of rows, or a direction without end. A basis of a simplex method in floating point is
// the guess; see exact_program.cpp.
#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "math/exact/rational.h"
#include "math/optim/linear_program.h"

namespace touchstone {

struct ExactEntry {
  std::int32_t row = 0;
  Rational value;
};
// Least cᵀ·x under lower <= a·x <= upper, x_lower <= x <= x_upper; an absent bound is infinite.
struct ExactProgram {
  using Bounds = std::vector<std::optional<Rational>>;
  std::vector<Rational> c;
  std::vector<std::vector<ExactEntry>> columns;  // of a, a column a variable, each row at most once
  Bounds lower, upper, x_lower, x_upper;

  std::size_t variables() const { return c.size(); }
  std::size_t rows() const { return lower.size(); }
};
// The program that the doubles say; they must be finite, but for bounds.
ExactProgram exact_program(const LinearProgram& program);
// The nearest doubles.
LinearProgram rounded_program(const ExactProgram& program);

enum class ExactStatus : std::uint8_t {
  kOptimal,
  kInfeasible,
  kUnbounded,
  kUnproven,  // the budget of pivots was spent; nothing is claimed
  kStopped,
};
const char* text_of(ExactStatus status);

struct ExactOptions {
  std::int64_t max_pivots = 2000;  // exact pivots that repair a basis
  StopFlag stop{};                 // checked once a pivot
};

struct ExactAnswer {
  ExactStatus status = ExactStatus::kUnproven;
  std::int64_t pivots = 0;                       // 0: the basis of the guess was exactly right
  Rational objective;                            // kOptimal
  std::vector<Rational> x;                       // kOptimal, kUnbounded: a feasible point
  std::vector<Rational> multipliers;             // kOptimal: y of rows; signs as in LpAnswer
  std::vector<Rational> ray;                     // kInfeasible: y of rows; kUnbounded: a direction
  std::vector<BasisStatus> columns, row_states;  // the basis that proves it
};

// Solves a program exactly from the basis of an answer in floating point; the wrong basis only costs pivots. What it
// returns has passed the verification below.
ExactAnswer solve_exactly(const ExactProgram& program, const LpAnswer& guess, const ExactOptions& options);
// The same from Clp's answer to the rounded program.
ExactAnswer solve_exactly(const ExactProgram& program, const ExactOptions& options);

// By multiplication and comparison alone.
bool verify_feasible(const ExactProgram& program, const std::vector<Rational>& x);
bool verify_optimal(const ExactProgram& program, const std::vector<Rational>& x, const std::vector<Rational>& y);
bool verify_infeasible(const ExactProgram& program, const std::vector<Rational>& y);
bool verify_unbounded(const ExactProgram& program, const std::vector<Rational>& x, const std::vector<Rational>& d);

}  // namespace touchstone
