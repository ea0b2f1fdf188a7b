#pragma once
// Sparse elimination modulo a prime: the rank of an integer matrix, with the rows and columns that show it, and
// solutions modulo the prime, from which exact ones are lifted (exact_solve.h). See modular_lu.cpp.
#include <cstdint>
#include <vector>

#include "math/exact/rational.h"

namespace touchstone {

struct IntegerEntry {
  std::int32_t column = 0;
  Integer value;
};
using IntegerRows = std::vector<std::vector<IntegerEntry>>;  // a matrix, each column at most once in a row

class ModularLu {
 public:
  using Word = std::uint32_t;
  static constexpr int kPrimes = 4;

  // Modulo one of a few primes below 2³¹. The matrix may be rectangular.
  void factor(const IntegerRows& matrix, std::size_t columns, int which_prime);
  Word prime() const { return prime_; }
  std::size_t rank() const { return pivots_.size(); }
  bool has_pivot_in_row(std::size_t row) const { return row_used_[row] != 0; }
  bool has_pivot_in_column(std::size_t column) const { return column_used_[column] != 0; }
  // Of a square matrix of full rank: x of K·x = b, y of Kᵀ·y = c. b and c are destroyed.
  void solve(std::vector<Word>& b, std::vector<Word>& x) const;
  void solve_transposed(std::vector<Word>& c, std::vector<Word>& y) const;

 private:
  struct Entry {
    std::int32_t column;
    Word value;
  };
  struct Step {  // row r of the matrix less factor times the pivot's row
    std::int32_t row;
    Word factor;
  };
  struct Pivot {
    std::int32_t row, column;
    Word inverse;
    std::size_t first_step;  // in steps_, to that of the next pivot
  };
  void load(const IntegerRows& matrix, std::size_t columns);
  bool choose(std::int32_t& row, std::int32_t& column) const;
  void eliminate(std::int32_t row, std::int32_t column);
  void subtract(std::int32_t from, Word factor, std::int32_t row, std::int32_t column);
  std::size_t last_step(std::size_t pivot) const {
    return pivot + 1 < pivots_.size() ? pivots_[pivot + 1].first_step : steps_.size();
  }

  Word prime_ = 2;
  std::vector<std::vector<Entry>> rows_;            // ascending by column; of the pivots, at the end
  std::vector<std::vector<std::int32_t>> holders_;  // rows that have, or had, an entry in a column
  std::vector<std::int32_t> count_;                 // entries of a column in rows without a pivot
  std::vector<std::uint8_t> row_used_, column_used_;
  std::vector<Pivot> pivots_;
  std::vector<Step> steps_;
  std::vector<Entry> merged_;
};

}  // namespace touchstone
