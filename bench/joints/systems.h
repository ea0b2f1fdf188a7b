#pragma once
// One system of equations J·M⁻¹·Jᵀ·λ = b by each linear method.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "joints/structures.h"

namespace touchstone::bench {

struct MethodRow {
  int runs = 0;        // 0: too large for it
  double seconds = 0;  // of numbers and solution, where the pattern is known
  std::int64_t iterations = 0;
  bool solved = true;
};

struct SystemRow {
  std::uint32_t rows = 0;
  double fill = 0;      // entries of L a row
  double analysis = 0;  // of a new pattern, with the first solution [s]
  MethodRow cholesky, cg, bicg;
  std::string automatic;
};

SystemRow measure_system(const std::string& structure, std::uint32_t rows);

// Of time over rows, from the logarithms by least squares.
template <class Row, class Time>
double exponent_of(const std::vector<Row>& rows, const Time& time) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Row& r : rows) {
    if (!(time(r) > 0) || r.rows == 0) continue;
    const double a = std::log(static_cast<double>(r.rows)), b = std::log(time(r));
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace touchstone::bench
