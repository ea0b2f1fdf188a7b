// Purpose: K·x = b in fractions from solutions modulo a prime p: x = Σ d_k·p^k is built digit by digit, each a cheap
//   solve modulo p, until fractions with small numerators and denominators have the same digits.
// Source: J. D. Dixon, Numer. Math. 40 (1982) 137; the reconstruction: P. S. Wang, SYMSAC '81.
// Letters: K, b, p, d as above; P = p^k; residual r_k = (b − K·Σ d·p^i)/p^k, an integer vector.
// Deviations: (1) All x are tried with the denominator of the first ones, which they mostly share. (2) The answer is
// tried
//   at 4, 8, 16, … digits, and counts if it solves the system exactly: no bound on its size is needed.
// Fails: never but by a stop; Hadamard's bound ends the lifting.
#include "math/exact/exact_solve.h"

#include <gmp.h>

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

using Word = ModularLu::Word;

mpz_t& raw(Integer& a) { return a.backend().data(); }
const mpz_t& raw(const Integer& a) { return a.backend().data(); }
std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
double bits_of(const Integer& a) { return a == 0 ? 0.0 : static_cast<double>(mpz_sizeinbase(raw(a), 2)); }

Integer common_denominator(const std::vector<Rational>& v) {
  Integer out = 1;
  for (const Rational& x : v) mpz_lcm(raw(out), raw(out), mpq_denref(x.backend().data()));
  return out;
}
std::vector<Integer> times(const std::vector<Rational>& v, const Integer& factor) {
  std::vector<Integer> out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = numerator(v[i]) * (factor / denominator(v[i]));
  return out;
}

// n/d with |n|, d <= bound and n = d·t modulo m, by Euclid's algorithm.
bool reconstruct(const Integer& t, const Integer& m, const Integer& bound, Integer& n, Integer& d) {
  Integer last = m, last_d = 0, quotient, rest;
  n = t, d = 1;
  while (n > bound) {
    mpz_tdiv_qr(raw(quotient), raw(rest), raw(last), raw(n));
    last = n, n = rest;
    rest = last_d;
    mpz_submul(raw(rest), raw(quotient), raw(d));
    last_d = d, d = rest;
  }
  if (d < 0) d = -d, n = -n;
  return d != 0 && d <= bound;
}

// Fractions with the digits x modulo m. False if they need more digits.
bool to_fractions(const std::vector<Integer>& x, const Integer& m, std::vector<Integer>& numerators, Integer& common) {
  Integer bound, t, n, d;
  mpz_fdiv_q_2exp(raw(t), raw(m), 1);
  mpz_sqrt(raw(bound), raw(t));
  std::vector<Integer> denominators(x.size());
  common = 1;
  for (std::size_t j = 0; j < x.size(); ++j) {
    mpz_mul(raw(t), raw(x[j]), raw(common));
    mpz_mod(raw(t), raw(t), raw(m));
    if (t <= bound) {
      numerators[j] = t;
    } else if (m - t <= bound) {
      numerators[j] = t - m;
    } else {
      if (!reconstruct(t, m, bound, n, d)) return false;
      numerators[j] = n;
      common *= d;
      if (common > bound) return false;
    }
    denominators[j] = common;
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    if (denominators[j] != common) numerators[j] *= common / denominators[j];
  return true;
}

}  // namespace

bool ExactSystem::load(const Rows& rows, std::size_t columns) {
  k_.assign(rows.size(), {});
  factors_.assign(rows.size(), 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Entry& e : rows[i]) mpz_lcm(raw(factors_[i]), raw(factors_[i]), mpq_denref(e.value.backend().data()));
    for (const Entry& e : rows[i])
      k_[i].push_back({e.column, numerator(e.value) * (factors_[i] / denominator(e.value))});
  }
  for (int prime = 0; prime < ModularLu::kPrimes; ++prime) {
    lu_.factor(k_, columns, prime);
    if (lu_.rank() == std::min(rows.size(), columns)) break;
  }
  return rows.size() == columns && lu_.rank() == columns;
}

// residual −= K·digit, or Kᵀ·digit.
void ExactSystem::subtract(std::vector<Integer>& residual, const std::vector<Word>& digit, bool transposed) const {
  for (std::size_t i = 0; i < k_.size(); ++i)
    for (const IntegerEntry& e : k_[i]) {
      const Word d = digit[transposed ? i : at(e.column)];
      if (d != 0) mpz_submul_ui(raw(residual[transposed ? at(e.column) : i]), raw(e.value), d);
    }
}

bool ExactSystem::solves(const std::vector<Integer>& numerators, const Integer& denominator,
                         const std::vector<Integer>& b, bool transposed) const {
  std::vector<Integer> left(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) left[i] = b[i] * denominator;
  for (std::size_t i = 0; i < k_.size(); ++i)
    for (const IntegerEntry& e : k_[i])
      mpz_submul(raw(left[transposed ? at(e.column) : i]), raw(e.value),
                 raw(numerators[transposed ? i : at(e.column)]));
  return std::all_of(left.begin(), left.end(), [](const Integer& x) { return x == 0; });
}

// Hadamard: the determinant is at most the product of the rows' lengths, and so is Cramer's numerator with b for a row.
std::size_t ExactSystem::most_digits(const std::vector<Integer>& b) const {
  double bits = 0, most = 0;
  for (const auto& row : k_) {
    double longest = 0;
    for (const IntegerEntry& e : row) longest = std::max(longest, bits_of(e.value));
    bits += longest + 0.5 * std::log2(static_cast<double>(row.size()) + 1);
  }
  for (const Integer& x : b) most = std::max(most, bits_of(x));
  bits += most + std::log2(static_cast<double>(b.size()) + 1);
  return static_cast<std::size_t>((2 * bits + 4) / 30) + 4;
}

std::optional<std::vector<Rational>> ExactSystem::lift(std::vector<Integer> b, bool transposed,
                                                       const StopFlag& stop) const {
  const std::size_t n = b.size(), most = most_digits(b);
  std::vector<Integer> residual = b, x(n), numerators(n);
  std::vector<Word> right(n), digit;
  Integer power = 1, denominator;
  for (std::size_t k = 1, next = 4;; ++k) {
    if (stop.requested()) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) right[i] = static_cast<Word>(mpz_fdiv_ui(raw(residual[i]), lu_.prime()));
    transposed ? lu_.solve_transposed(right, digit) : lu_.solve(right, digit);
    subtract(residual, digit, transposed);
    for (Integer& r : residual) mpz_divexact_ui(raw(r), raw(r), lu_.prime());
    for (std::size_t j = 0; j < n; ++j) mpz_addmul_ui(raw(x[j]), raw(power), digit[j]);
    power *= lu_.prime();
    if (k < next && k < most) continue;
    next = 2 * k;
    if (to_fractions(x, power, numerators, denominator) && solves(numerators, denominator, b, transposed)) break;
    if (k > 2 * most) return std::nullopt;  // the matrix is not the one that was factored
  }
  std::vector<Rational> out(n);
  for (std::size_t j = 0; j < n; ++j) out[j] = Rational(numerators[j], denominator);
  return out;
}

std::optional<std::vector<Rational>> ExactSystem::solve(const std::vector<Rational>& b, const StopFlag& stop) const {
  std::vector<Rational> scaled(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) scaled[i] = b[i] * Rational(factors_[i]);
  const Integer common = common_denominator(scaled);
  auto x = lift(times(scaled, common), false, stop);
  if (x && common != 1)
    for (Rational& value : *x) value /= Rational(common);
  return x;
}

std::optional<std::vector<Rational>> ExactSystem::solve_transposed(const std::vector<Rational>& c,
                                                                   const StopFlag& stop) const {
  const Integer common = common_denominator(c);
  auto y = lift(times(c, common), true, stop);
  if (y)
    for (std::size_t i = 0; i < y->size(); ++i) (*y)[i] *= Rational(factors_[i], common);
  return y;
}

}  // namespace touchstone
