#include "models/penalty_law.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

double damping_of_restitution(double restitution) {
  const double e = std::clamp(restitution, kLeastRestitution, 1.0);
  if (e == 1.0) return 0.0;
  // f < 0 left of the root and > 0 right of it, on (0, 1/e); bisection to the last bit.
  const auto f = [e](double a) { return std::log1p(a) - std::log1p(-a * e) - a * (1 + e); };
  double low = 1e-9, high = 1 / e;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (f(middle) > 0 ? high : low) = middle;
  }
  return low;
}

double PenaltyLaw::damping(double approach_speed, double damping_of_e) const {
  constexpr double kTouch = 1e-6;  // m/s: slower contacts without gravity are not told from rest
  if (approach_speed < rest_speed) return rest_damping;
  return damping_of_e / std::max(approach_speed, kTouch);
}

PenaltyLaw make_penalty_law(double stiffness, double mass, double gravity) {
  PenaltyLaw law;
  law.stiffness = stiffness;
  law.frequency = std::sqrt(stiffness / mass);
  if (gravity > 0) {
    // At rest d = g/ω². The damper k_d·d is critical, 2mω, for k_d/k_p = 2ω/g. An impact slower than 2g/ω goes
    // no deeper than the weight alone presses twice over: that is rest.
    law.rest_speed = 2 * gravity / law.frequency;
    law.rest_damping = 2 * law.frequency / gravity;
  }
  return law;
}

}  // namespace touchstone
