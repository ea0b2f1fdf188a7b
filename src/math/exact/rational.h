#pragma once
// Exact fractions, on GMP.
#include <boost/multiprecision/gmp.hpp>
#include <string>

namespace touchstone {

// Without expression templates: `auto` and conditional operators then mean numbers.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

// A finite double is a fraction: the conversion is exact.
inline Rational exact(double value) { return Rational(value); }
// The nearest double, or one next to it; numbers beyond its range become infinite.
double rounded(const Rational& value);
// "3", "-2/7".
inline std::string text_of(const Rational& value) { return value.str(); }
// "3", "-2/7", "0.125", "1e-3"; false if it is none of these.
bool parse_rational(const std::string& text, Rational& value);
// The fraction of the least denominator that is at most `denominator` nearest to a number: for data that was meant as
// such.
Rational simplest_near(double value, const Integer& denominator);

}  // namespace touchstone
