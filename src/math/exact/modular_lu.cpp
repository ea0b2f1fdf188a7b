// Purpose: Gaussian elimination modulo a prime on sparse rows, the next pivot in the shortest row and there in the
//   shortest column.
// Source: H. M. Markowitz, Management Science 3 (1957) 255 (the order of pivots).
// Letters: K the matrix; E its row operations (steps), U = E·K: K·x = b by E then U, Kᵀ·y = c by Uᵀ then Eᵀ.
// Fails: never; a matrix whose rank modulo the prime is less than its own is rare, and the caller tries another prime.
#include "math/exact/modular_lu.h"

#include <gmp.h>

#include <algorithm>

namespace touchstone {
namespace {

using Word = ModularLu::Word;
constexpr Word kPrime[ModularLu::kPrimes] = {2147483647, 2147483629, 2147483587, 2147483579};

Word times(Word a, Word b, Word p) { return static_cast<Word>(static_cast<std::uint64_t>(a) * b % p); }
Word minus(Word a, Word b, Word p) { return a >= b ? a - b : a + (p - b); }
Word inverse_of(Word a, Word p) {  // a^(p−2)
  Word out = 1;
  for (Word power = p - 2; power > 0; power >>= 1, a = times(a, a, p))
    if (power & 1) out = times(out, a, p);
  return out;
}
std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void ModularLu::load(const IntegerRows& matrix, std::size_t columns) {
  rows_.assign(matrix.size(), {});
  holders_.assign(columns, {});
  count_.assign(columns, 0);
  row_used_.assign(matrix.size(), 0), column_used_.assign(columns, 0);
  pivots_.clear(), steps_.clear();
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (const IntegerEntry& e : matrix[i]) {
      const Word value = static_cast<Word>(mpz_fdiv_ui(e.value.backend().data(), prime_));
      if (value == 0) continue;
      rows_[i].push_back({e.column, value});
      holders_[at(e.column)].push_back(static_cast<std::int32_t>(i));
      ++count_[at(e.column)];
    }
    std::sort(rows_[i].begin(), rows_[i].end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
  }
}

bool ModularLu::choose(std::int32_t& row, std::int32_t& column) const {
  row = -1;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (row_used_[i] || rows_[i].empty()) continue;
    if (row < 0 || rows_[i].size() < rows_[at(row)].size()) row = static_cast<std::int32_t>(i);
    if (rows_[at(row)].size() == 1) break;
  }
  if (row < 0) return false;
  column = rows_[at(row)].front().column;
  for (const Entry& e : rows_[at(row)])
    if (count_[at(e.column)] < count_[at(column)]) column = e.column;
  return true;
}

// rows_[from] −= factor·rows_[row]; the entry in `column` becomes 0 exactly.
void ModularLu::subtract(std::int32_t from, Word factor, std::int32_t row, std::int32_t column) {
  merged_.clear();
  const std::vector<Entry>&a = rows_[at(from)], &b = rows_[at(row)];
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->column < j->column)) {
      merged_.push_back(*i++);
      continue;
    }
    const bool both = i != a.end() && i->column == j->column;
    const Word value = minus(both ? i->value : 0, times(factor, j->value, prime_), prime_);
    if (value != 0 && j->column != column) {
      merged_.push_back({j->column, value});
      if (!both) holders_[at(j->column)].push_back(from), ++count_[at(j->column)];
    } else if (both) {
      --count_[at(j->column)];
    }
    if (both) ++i;
    ++j;
  }
  rows_[at(from)].swap(merged_);
}

void ModularLu::eliminate(std::int32_t row, std::int32_t column) {
  const auto find = [&](std::int32_t i) {
    const auto& r = rows_[at(i)];
    const auto e =
        std::lower_bound(r.begin(), r.end(), column, [](const Entry& a, std::int32_t c) { return a.column < c; });
    return e != r.end() && e->column == column ? e->value : Word{0};
  };
  const Word inverse = inverse_of(find(row), prime_);
  row_used_[at(row)] = 1, column_used_[at(column)] = 1;
  pivots_.push_back({row, column, inverse, steps_.size()});
  for (const Entry& e : rows_[at(row)]) --count_[at(e.column)];
  std::vector<std::int32_t> others;
  others.swap(holders_[at(column)]);
  for (const std::int32_t i : others) {
    const Word value = row_used_[at(i)] ? 0 : find(i);
    if (value == 0) continue;
    const Word factor = times(value, inverse, prime_);
    steps_.push_back({i, factor});
    subtract(i, factor, row, column);
  }
}

void ModularLu::factor(const IntegerRows& matrix, std::size_t columns, int which_prime) {
  prime_ = kPrime[which_prime];
  load(matrix, columns);
  std::int32_t row = 0, column = 0;
  while (choose(row, column)) eliminate(row, column);
}

void ModularLu::solve(std::vector<Word>& b, std::vector<Word>& x) const {
  for (std::size_t t = 0; t < pivots_.size(); ++t) {
    const Word value = b[at(pivots_[t].row)];
    if (value == 0) continue;
    for (std::size_t s = pivots_[t].first_step; s < last_step(t); ++s) {
      Word& to = b[at(steps_[s].row)];
      to = minus(to, times(steps_[s].factor, value, prime_), prime_);
    }
  }
  x.assign(count_.size(), 0);
  for (std::size_t t = pivots_.size(); t-- > 0;) {
    Word sum = b[at(pivots_[t].row)];
    for (const Entry& e : rows_[at(pivots_[t].row)])
      if (e.column != pivots_[t].column) sum = minus(sum, times(e.value, x[at(e.column)], prime_), prime_);
    x[at(pivots_[t].column)] = times(sum, pivots_[t].inverse, prime_);
  }
}

void ModularLu::solve_transposed(std::vector<Word>& c, std::vector<Word>& y) const {
  y.assign(rows_.size(), 0);
  for (const Pivot& pivot : pivots_) {
    const Word z = times(c[at(pivot.column)], pivot.inverse, prime_);
    y[at(pivot.row)] = z;
    if (z == 0) continue;
    for (const Entry& e : rows_[at(pivot.row)])
      if (e.column != pivot.column) c[at(e.column)] = minus(c[at(e.column)], times(e.value, z, prime_), prime_);
  }
  for (std::size_t t = pivots_.size(); t-- > 0;) {
    Word& to = y[at(pivots_[t].row)];
    for (std::size_t s = pivots_[t].first_step; s < last_step(t); ++s)
      to = minus(to, times(steps_[s].factor, y[at(steps_[s].row)], prime_), prime_);
  }
}

}  // namespace touchstone
