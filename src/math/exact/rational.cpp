#include "math/exact/rational.h"

#include <gmp.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace touchstone {
namespace {

// Digits that one may write out: 1e999999999 is no number to compute with.
constexpr long kMostExponent = 5000;

bool all_digits(const std::string& text) {
  for (const char c : text)
    if (!std::isdigit(static_cast<unsigned char>(c))) return false;
  return true;
}

// [-+]digits[.digits][e[-+]digits]
bool parse_decimal(const std::string& text, Rational& value) {
  std::size_t end = text.find_first_of("eE");
  long exponent = 0;
  if (end != std::string::npos) {
    std::string power = text.substr(end + 1);
    const bool negative = !power.empty() && power[0] == '-';
    if (!power.empty() && (power[0] == '-' || power[0] == '+')) power.erase(0, 1);
    if (power.empty() || power.size() > 6 || !all_digits(power)) return false;
    exponent = (negative ? -1 : 1) * std::strtol(power.c_str(), nullptr, 10);
  } else {
    end = text.size();
  }
  std::string digits = text.substr(0, end);
  const bool negative = !digits.empty() && digits[0] == '-';
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.erase(0, 1);
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  if (digits.empty() || !all_digits(digits) || std::abs(exponent) > kMostExponent) return false;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));  // a leading 0 would mean octal
  const Integer power = boost::multiprecision::pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  value = Rational(Integer(digits));
  if (exponent >= 0)
    value *= Rational(power);
  else
    value /= Rational(power);
  if (negative) value = -value;
  return true;
}

}  // namespace

double rounded(const Rational& value) {
  // mpq_get_d cuts off: the neighbour may be nearer.
  const double below = mpq_get_d(value.backend().data());
  if (!std::isfinite(below)) return below;
  const double next = std::nextafter(below, value < 0 ? -HUGE_VAL : HUGE_VAL);
  if (!std::isfinite(next)) return below;
  const Rational off = abs(value - exact(below)), next_off = abs(exact(next) - value);
  return next_off < off ? next : below;
}

bool parse_rational(const std::string& text, Rational& value) {
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos) return parse_decimal(text, value);
  Rational numerator, denominator;
  if (!parse_decimal(text.substr(0, bar), numerator) || !parse_decimal(text.substr(bar + 1), denominator)) return false;
  if (denominator == 0) return false;
  value = numerator / denominator;
  return true;
}

// By continued fractions: the last convergent whose denominator is small enough, or the best one between it and the
// next.
Rational simplest_near(double value, const Integer& most) {
  const Rational target = exact(value);
  Integer n = numerator(target), d = denominator(target);
  Integer last_n = 0, last_d = 1, now_n = 1, now_d = 0;
  while (d != 0) {
    Integer whole;
    mpz_fdiv_q(whole.backend().data(), n.backend().data(), d.backend().data());
    const Integer next_n = whole * now_n + last_n, next_d = whole * now_d + last_d;
    if (next_d > most) {
      const Integer part = (most - last_d) / now_d;
      const Rational between(part * now_n + last_n, part * now_d + last_d), convergent(now_n, now_d);
      return abs(between - target) < abs(convergent - target) ? between : convergent;
    }
    last_n = now_n, last_d = now_d, now_n = next_n, now_d = next_d;
    const Integer rest = n - whole * d;
    n = d, d = rest;
  }
  return Rational(now_n, now_d);
}

}  // namespace touchstone
