#pragma once
// Solutions of sparse linear systems in fractions. See exact_solve.cpp.
#include <optional>
#include <vector>

#include "base/stop.h"
#include "math/exact/modular_lu.h"

namespace touchstone {

class ExactSystem {
 public:
  struct Entry {
    std::int32_t column = 0;
    Rational value;
  };
  using Rows = std::vector<std::vector<Entry>>;

  // A matrix, which may be rectangular. True if it is square and of full rank. If it is not, the ranks below tell what
  // to leave out.
  bool load(const Rows& rows, std::size_t columns);
  bool has_pivot_in_row(std::size_t row) const { return lu_.has_pivot_in_row(row); }
  bool has_pivot_in_column(std::size_t column) const { return lu_.has_pivot_in_column(column); }

  // x of K·x = b, y of Kᵀ·y = c, of a matrix that load() was true for. Empty if a stop was requested.
  std::optional<std::vector<Rational>> solve(const std::vector<Rational>& b, const StopFlag& stop) const;
  std::optional<std::vector<Rational>> solve_transposed(const std::vector<Rational>& c, const StopFlag& stop) const;

 private:
  std::optional<std::vector<Rational>> lift(std::vector<Integer> b, bool transposed, const StopFlag& stop) const;
  void subtract(std::vector<Integer>& residual, const std::vector<ModularLu::Word>& digit, bool transposed) const;
  bool solves(const std::vector<Integer>& numerators, const Integer& denominator, const std::vector<Integer>& b,
              bool transposed) const;
  std::size_t most_digits(const std::vector<Integer>& b) const;

  ModularLu lu_;
  IntegerRows k_;                 // rows times factors_
  std::vector<Integer> factors_;  // that make a row's fractions integers
};

}  // namespace touchstone
