#pragma once
// The force law of a penalty contact, apart from the model that applies it.
//
// Source: [yang2020, penalty], F = −d(k_p − k_d·v_n)/n_c, with d the penetration (our −φ) and v_n the
// separating speed: a spring whose damping grows with depth, so that the force is continuous at touch-down.
// Without gravity a contact that begins at speed v₀ ends at speed e·v₀ if a = k_d·v₀/k_p fulfils
//     a(1+e) = ln((1+a)/(1−a·e)):
// integrate m·w·dw/dd = −d(k_p + k_d·w) from w = v₀ to w = −e·v₀, both at d = 0.

namespace touchstone {

// The a of above; e is clamped to [kLeastRestitution, 1]. 0 for e = 1.
double damping_of_restitution(double restitution);

// e = 0 would need infinite damping. At 0.01 a ball that falls from 1 m bounces 0.1 mm.
inline constexpr double kLeastRestitution = 0.01;

struct PenaltyLaw {
  double stiffness = 0;     // k_p [N/m], of the whole pair
  double frequency = 0;     // √(k_p/m) [rad/s], m the heavier dynamic body's mass
  double rest_speed = 0;    // [m/s] below it a touch-down is rest, not an impact
  double rest_damping = 0;  // k_d/k_p of a contact at rest [s/m]: critical at the static depth
  // k_d/k_p of a contact that begins at this approach speed.
  double damping(double approach_speed, double damping_of_e) const;
};

// gravity: its magnitude; zero switches the notion of rest off.
PenaltyLaw make_penalty_law(double stiffness, double mass, double gravity);

}  // namespace touchstone
