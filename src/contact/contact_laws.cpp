// Purpose: judges one contact by Signorini's condition, Coulomb's law and both at once (the natural map). Nothing that
//   a solver reports of itself is used.
// Source: [acary2018] for the natural map and Siconos' norm; De Saxcé and Feng for û = u + μ|u_T|n, which makes the two
//   laws one complementarity over the cone: K ∋ r ⟂ û ∈ K*.
// Letters: r impulse on B, u velocity of B relative to A after the solve, q the same without contact, φ gap at the
//   start, n normal from A to B, N and T normal and tangential parts, W_ii response of the contact to itself,
//   ρ = D/trace(W_ii), K cone of friction.
// Deviations: (1) û_N = u_N + max(φ, 0)/h + e·min(u_N⁻, 0): only an approaching contact bounces, and the gap does not
//   close in an impact. (2) Where a penetration is pushed out (φ < 0, r_N > 0), a u_N of up to −φ/h is taken off and
//   reported as `correction`. (3) With two coefficients a contact is judged as what it is nearer to: sliding under μ_d,
//   or sticking under μ_s, where all its slip counts as error. So no tolerance decides what sticks.
//   (4) A contact that bears across a gap of less than kTouchingGap of the smaller body counts as closed: the gap is an
//   error of position, which `open_gap` shows. Divided by a short h it would look like a fast motion.
//   (5) Endless friction has no û. The defect is the distance to the nearer of its two branches: bearing (u = 0,
//   r_N >= 0) and open (r = 0, u_N >= 0). In measures with μ·|u_T| the slip then has no friction to pay for it.
//   (6) In an impact that follows its course the velocities at its ends tell neither restitution nor the direction of
//   friction: a slip may have turned round on the way. What is left to judge is that nothing approaches or pulls, and
//   the cone. Energy is for `impact_gain`.
// Fails: never; of numbers that are not finite the measures are not finite either.
#include "contact/contact_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/penetration.h"
#include "contact/solvers/coulomb_contact.h"

namespace touchstone {
namespace {

// Impulse and velocity of a contact, apart in normal and tangential parts.
template <int D>
struct Parts {
  Vec<D> r, u, r_T, u_T;  // u: with gap, bounce and correction taken into its normal part
  double r_N, u_N, slip, friction_size;
};

// The part of the normal velocity that the law sees, and what was taken off as correction.
template <int D>
double lawful_normal_velocity(const SolveView<D>& view, const SolvedContact<D>& c, double u_N, double r_N,
                              double& correction) {
  if (view.impact && c.course) return r_N > 0 ? std::min(0.0, u_N) : u_N;
  const double e = std::clamp(c.restitution, 0.0, c.material.restitution);
  if (e > 0) u_N += e * std::min(0.0, c.contact.normal.dot(relative_velocity(view, view.before, c)));
  if (view.impact || !(view.h > 0)) return u_N;
  const double closes = c.contact.gap / view.h;
  if (closes > 0) {
    const double v = u_N + closes;
    const bool touches =
        r_N > 0 && c.contact.gap <= kTouchingGap * length_of(view.bodies, c.contact.body_a, c.contact.body_b);
    return touches ? v - std::clamp(v, 0.0, closes) : v;
  }
  if (r_N > 0) correction = std::clamp(u_N, 0.0, -closes);
  return u_N - correction;
}

// Above zero; NaN stays NaN, which std::max would drop.
double positive_part(double x) { return x <= 0 ? 0.0 : x; }

template <int D>
double squared_defect(const Parts<D>& p, const Vec<D>& n, double mu, double rho) {
  if (mu >= kEndlessFriction) {
    const double pulling = std::min(0.0, p.r_N), closing = rho * std::min(0.0, p.u_N);
    return std::min(p.u.squaredNorm() * rho * rho + pulling * pulling, p.r.squaredNorm() + closing * closing);
  }
  const Vec<D> with_cone = p.u + (mu * p.slip) * n;  // û of De Saxcé
  return (p.r - project_on_cone(Vec<D>(p.r - rho * with_cone), n, mu)).squaredNorm();
}

// Friction that the contact is judged by, and how far it is from its laws then.
template <int D>
double choose_friction(const Parts<D>& p, const JudgedContact<D>& c, double& natural_map) {
  const Vec<D>& n = c.normal;
  const double rho = c.rho;
  const double sliding = c.dynamic_friction;
  const double sticking = c.static_friction;
  natural_map = std::sqrt(squared_defect(p, n, sliding, rho)) / rho;
  if (!(sticking > sliding) || natural_map <= p.slip) return sliding;
  const double as_sticking = std::max(std::sqrt(squared_defect(p, n, sticking, rho)) / rho, p.slip);
  if (!(as_sticking < natural_map)) return sliding;
  natural_map = as_sticking;
  return sticking;
}

template <int D>
double angle_of(const Parts<D>& p) {
  if (!(p.slip > 0) || !(p.friction_size > 0)) return 0;
  const Vec<D> a = p.r_T / p.friction_size, b = p.u_T / p.slip;
  return 2 * std::atan2((a + b).norm(), (a - b).norm());
}

template <int D>
const Mechanism<D>* mechanism_of(const SolveView<D>& view, std::uint32_t body) {
  for (const SolvedMechanism<D>& m : view.mechanisms)
    for (const std::uint32_t one : m.mechanism->bodies())
      if (one == body) return m.mechanism;
  return nullptr;
}

// What a mechanism adds to the trace; with both sides of the contact their rows come together.
template <int D>
double mechanism_trace(const SolveView<D>& view, const Contact<D>& c, const Mechanism<D>& m, bool a, bool b) {
  double trace = 0;
  FewNumbers row(m.mass().size());
  for (int i = 0; i < D; ++i) {
    std::fill(row.all().begin(), row.all().end(), 0.0);
    const auto add = [&](std::uint32_t body, const Vec<D>& direction) {
      const Vec<D> arm = c.point - view.state.position[body];
      m.add_row(body, direction, AngVec<D>(torque_of(arm, direction)), row.all());
    };
    if (a) add(c.body_a, Vec<D>(-Vec<D>::Unit(i)));
    if (b) add(c.body_b, Vec<D>::Unit(i));
    trace += inverse_form(m.mass(), row.all());
  }
  return trace;
}

template <int D>
double gap_left(const SolveView<D>& view, const Contact<D>& c, double u_N) {
  return std::max(0.0, view.impact ? c.gap : c.gap + view.h * std::min(0.0, u_N));
}

}  // namespace

template <int D>
Vec<D> project_on_cone(const Vec<D>& x, const Vec<D>& n, double mu) {
  const double x_N = n.dot(x);
  const Vec<D> x_T = x - x_N * n;
  const double t = x_T.norm();
  if (x_N >= 0 && t <= mu * x_N) return x;
  if (mu * t <= -x_N) return Vec<D>::Zero();
  const double s = (x_N + mu * t) / (1 + mu * mu);
  return t > 0 ? Vec<D>(s * n + (mu * s / t) * x_T) : Vec<D>(s * n);
}

template <int D>
Vec<D> relative_velocity(const SolveView<D>& view, std::span<const Twist<D>> twists, const SolvedContact<D>& c) {
  const auto at = [&](std::uint32_t body) -> Vec<D> {
    return twists[body].linear + cross(twists[body].angular, Vec<D>(c.contact.point - view.state.position[body]));
  };
  return at(c.contact.body_b) - at(c.contact.body_a) + c.surface_velocity;
}

template <int D>
double response_trace(const SolveView<D>& view, const Contact<D>& c) {
  double trace = 0;
  const Mechanism<D>*const of_a = mechanism_of(view, c.body_a), *const of_b = mechanism_of(view, c.body_b);
  for (const std::uint32_t body : {c.body_a, c.body_b}) {
    if (!view.bodies.dynamic(body) || (body == c.body_a ? of_a : of_b)) continue;
    const Vec<D> arm = c.point - view.state.position[body];
    const AngVec<D>& inv = view.bodies.inv_inertia[body];
    trace += D * view.bodies.inv_mass[body] + inv.sum() * arm.squaredNorm();
    if constexpr (D == 3) {
      const Vec<3> local = view.state.orientation[body].conjugate() * arm;
      trace -= inv.dot(local.cwiseAbs2());
    }
  }
  for (const Mechanism<D>* m : {of_a, of_a == of_b ? nullptr : of_b})
    if (m) trace += mechanism_trace(view, c, *m, of_a == m, of_b == m);
  return trace;
}

template <int D>
ContactScore<D> judge_contact(const JudgedContact<D>& c) {
  const Vec<D>& n = c.normal;
  ContactScore<D> score;
  Parts<D> p;
  p.r = c.impulse;
  p.r_N = n.dot(c.impulse);
  p.u_N = c.lawful_normal_velocity;
  p.r_T = c.impulse - p.r_N * n;
  p.u_T = c.velocity - n.dot(c.velocity) * n;
  p.u = p.u_T + p.u_N * n;
  p.slip = p.u_T.norm();
  p.friction_size = p.r_T.norm();
  const double mu = choose_friction(p, c, score.natural_map);
  if (!p.r.allFinite() || !p.u.allFinite()) score.natural_map = std::numeric_limits<double>::infinity();
  const double bearing = positive_part(p.r_N);
  const double payable = mu < kEndlessFriction ? mu : 0.0;  // deviation 5

  score.body_a = c.body_a, score.body_b = c.body_b;
  score.siconos = squared_defect(p, n, mu, 1.0);
  score.free_speed2 = c.free_velocity.squaredNorm();
  score.impulse2 = p.r.squaredNorm();
  score.normal_work = std::abs(p.r_N * p.u_N);
  score.pulling = positive_part(-p.r_N);
  score.closing = positive_part(-p.u_N);
  score.cone_radius = std::min(mu, kEndlessFriction) * bearing;
  score.beyond_cone = positive_part(p.friction_size - score.cone_radius);
  score.dissipation = positive_part(payable * bearing * p.slip + p.r_T.dot(p.u_T));
  if (p.slip * p.slip > kSliding * kSliding * score.free_speed2) score.friction_angle = angle_of(p);
  score.slip = p.slip;
  score.conic = std::abs(p.r.dot(p.u));
  score.complementarity = std::abs(p.r.dot(p.u) + payable * p.slip * p.r_N);
  score.correction = c.correction;
  if (p.r_N > 0) score.open_gap = c.open_gap;
  return score;
}

template <int D>
ContactScore<D> score_contact(const SolveView<D>& view, const SolvedContact<D>& c) {
  JudgedContact<D> judged;
  judged.normal = c.contact.normal;
  judged.impulse = c.impulse;
  judged.velocity = relative_velocity(view, view.after, c) + c.return_velocity;
  judged.free_velocity = relative_velocity(view, view.impact ? view.before : view.free, c);
  const double u_N = judged.normal.dot(judged.velocity);
  judged.lawful_normal_velocity = lawful_normal_velocity(view, c, u_N, judged.normal.dot(c.impulse), judged.correction);
  judged.correction = std::max(judged.correction, c.return_velocity.norm());
  if (view.impact && c.course) judged.velocity = u_N * judged.normal;
  const double trace = response_trace(view, c.contact);
  judged.rho = trace > 0 ? D / trace : 1.0;
  judged.static_friction = c.material.static_friction;
  judged.dynamic_friction = c.material.dynamic_friction;
  judged.open_gap = gap_left(view, c.contact, u_N);
  judged.body_a = c.contact.body_a, judged.body_b = c.contact.body_b;
  return judge_contact(judged);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                             \
  template Vec<D> project_on_cone<D>(const Vec<D>&, const Vec<D>&, double);                                   \
  template Vec<D> relative_velocity(const SolveView<D>&, std::span<const Twist<D>>, const SolvedContact<D>&); \
  template double response_trace(const SolveView<D>&, const Contact<D>&);                                     \
  template ContactScore<D> judge_contact(const JudgedContact<D>&);                                            \
  template ContactScore<D> score_contact(const SolveView<D>&, const SolvedContact<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
