#pragma once
// What the laws of contact say of one contact: how far its impulse and the velocities around it are from each law.
#include "contact/solve_view.h"

namespace touchstone {

// Slower than this, nothing is told from rest [m/s]: it keeps quotients finite in a world where nothing moves, and the
// rounding of bodies at rest (1e-17) from looking like an error.
inline constexpr double kLeastSpeed = 1e-12;

// A contact that bears across a gap below this part of the smaller body's size is closed.
inline constexpr double kTouchingGap = 1e-4;

// A contact slides, for the angle of its friction, if it is faster than this part of the speed of the solve: below, the
// direction of the slip is the solver's remaining error.
inline constexpr double kSliding = 1e-3;

// A contact and what happened at it, wherever it comes from: a step of a world, or a problem from a file.
template <int D>
struct JudgedContact {
  Vec<D> normal = Vec<D>::Unit(0);
  Vec<D> impulse = Vec<D>::Zero();        // r, on B [N·s]
  Vec<D> velocity = Vec<D>::Zero();       // u of B relative to A after the solve, skin included [m/s]
  Vec<D> free_velocity = Vec<D>::Zero();  // q, the same without contact
  double lawful_normal_velocity = 0;      // u_N as Signorini's condition sees it, with gap and bounce [m/s]
  double correction = 0;                  // what was taken off it, because it only pushes a penetration out [m/s]
  double rho = 1;                         // rows/trace(W_ii) [kg]
  double static_friction = 0, dynamic_friction = 0;
  double open_gap = 0;  // left after the solve [m]
  std::uint32_t body_a = 0, body_b = 0;
};

template <int D>
struct ContactScore {
  std::uint32_t body_a = 0, body_b = 0;
  double natural_map = 0;                   // ‖r − P_K(r − ρû)‖/ρ [m/s]
  double siconos = 0;                       // ‖r − P_K(r − û)‖², with ρ = 1 as Siconos has it
  double free_speed2 = 0;                   // |q|² [m²/s²]
  double impulse2 = 0;                      // |r|² [N²·s²]
  double normal_work = 0;                   // |r_N û_N| [J]
  double pulling = 0;                       // max(0, −r_N) [N·s]
  double closing = 0;                       // max(0, −û_N) [m/s]
  double beyond_cone = 0, cone_radius = 0;  // max(0, |r_T| − μ r_N), μ r_N [N·s]
  double dissipation = 0;                   // μ r_N |u_T| + r_T·u_T [J]
  double friction_angle = 0, slip = 0;      // between r_T and −u_T where it slides [rad]; |u_T| [m/s]
  double complementarity = 0, conic = 0;    // |r·û|, |r·u| [J]
  double open_gap = 0;                      // that is left where r_N > 0 [m]
  double correction = 0;                    // part of u_N that only pushes a penetration out [m/s]
};

// The point of the cone {|x_T| <= μ x_N} that is nearest to x.
template <int D>
Vec<D> project_on_cone(const Vec<D>& x, const Vec<D>& normal, double friction);

// Of B relative to A at the contact, skin included.
template <int D>
Vec<D> relative_velocity(const SolveView<D>& view, std::span<const Twist<D>> twists, const SolvedContact<D>& contact);

// trace(W_ii): how fast unit impulses at the contact, one along each axis, move it, added up [1/kg].
template <int D>
double response_trace(const SolveView<D>& view, const Contact<D>& contact);

template <int D>
ContactScore<D> judge_contact(const JudgedContact<D>& contact);

// judge_contact of a contact of a step.
template <int D>
ContactScore<D> score_contact(const SolveView<D>& view, const SolvedContact<D>& contact);

}  // namespace touchstone
