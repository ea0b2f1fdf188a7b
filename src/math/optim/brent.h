#pragma once
// Purpose: the minimum of a function of one variable in an interval, without derivatives: parabolas through the best
//   three points, and golden sections where these do not help. For functions with several minima it finds one of them.
// Source: [brent1973] R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 5.
// Letters: a, b the interval; x, w, v the best, second and third best points; e the step before the last.
// Deviations: (1) Evaluations are capped. (2) Values that are not finite count as +∞, and golden sections lead away.
// Fails: never; `converged` is false at the cap, and the best point so far is given.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace touchstone {

struct LineMinimum {
  double x = 0, value = 0;
  int evaluations = 0;
  bool converged = false;
};

// `tolerance` is on x, as a part of the interval's length; below 1e-8 rounding of values decides. `first` is tried
// first and lies within [a, b].
template <class F>
LineMinimum minimise_brent(F&& f, double a, double b, double first, double tolerance = 1e-8, int most = 100) {
  constexpr double kGolden = 0.3819660112501051;
  LineMinimum best;
  const auto value_at = [&](double x) {
    ++best.evaluations;
    const double y = f(x);
    return std::isfinite(y) ? y : std::numeric_limits<double>::infinity();
  };
  const double tol = std::max(tolerance * (b - a), std::numeric_limits<double>::min());
  double x = first, w = x, v = x, fx = value_at(x), fw = fx, fv = fx, d = 0, e = 0;
  while (best.evaluations < most) {
    const double middle = 0.5 * (a + b);
    if (std::abs(x - middle) <= 2 * tol - 0.5 * (b - a)) {
      best.converged = true;
      break;
    }
    double p = 0, q = 0, r = 0;
    if (std::abs(e) > tol && std::isfinite(fw) && std::isfinite(fv)) {  // a parabola through x, w, v
      r = (x - w) * (fx - fv), q = (x - v) * (fx - fw), p = (x - v) * q - (x - w) * r, q = 2 * (q - r);
      if (q > 0) p = -p;
      q = std::abs(q);
      r = std::exchange(e, d);
    }
    if (std::abs(p) < std::abs(0.5 * q * r) && p > q * (a - x) && p < q * (b - x)) {
      d = p / q;
      if (x + d - a < 2 * tol || b - x - d < 2 * tol) d = x < middle ? tol : -tol;
    } else {
      e = x < middle ? b - x : a - x;
      d = kGolden * e;
    }
    const double u = x + (std::abs(d) >= tol ? d : std::copysign(tol, d)), fu = value_at(u);
    if (fu <= fx) {
      (u < x ? b : a) = x;
      v = w, fv = fw, w = x, fw = fx, x = u, fx = fu;
    } else {
      (u < x ? a : b) = u;
      if (fu <= fw || w == x) {
        v = w, fv = fw, w = u, fw = fu;
      } else if (fu <= fv || v == x || v == w) {
        v = u, fv = fu;
      }
    }
  }
  best.x = x, best.value = fx;
  return best;
}

}  // namespace touchstone
