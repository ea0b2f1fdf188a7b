#include "dynamics/forces.h"

#include <cmath>

#include "dynamics/joints/coordinate_force.h"

namespace touchstone {

template <int D>
void WrenchSet<D>::reset(std::size_t bodies) {
  bodies_ = bodies;
  used_.fill(false);
  prescribed_power = 0;
}

template <int D>
std::vector<Wrench<D>>& WrenchSet<D>::use(ForceClass c) {
  const auto i = static_cast<std::size_t>(c);
  if (!used_[i]) {
    parts_[i].assign(bodies_, Wrench<D>{});
    used_[i] = true;
  }
  return parts_[i];
}

template <int D>
const std::vector<Wrench<D>>& WrenchSet<D>::total() {
  std::size_t only = kForceClasses, count = 0;
  for (std::size_t c = 0; c < kForceClasses; ++c)
    if (used_[c]) only = c, ++count;
  if (count == 1) return parts_[only];
  total_.assign(bodies_, Wrench<D>{});
  for (std::size_t c = 0; c < kForceClasses; ++c) {
    if (!used_[c]) continue;
    for (std::size_t i = 0; i < bodies_; ++i) {
      total_[i].force += parts_[c][i].force;
      total_[i].torque += parts_[c][i].torque;
    }
  }
  return total_;
}

namespace {

template <int D>
struct SpringEnds {
  Vec<D> arm_a = Vec<D>::Zero(), arm_b = Vec<D>::Zero();  // from the centres of mass, world axes
  Vec<D> along = Vec<D>::Zero();                          // unit, from a to b
  double length = 0, rate = 0;
};

template <int D>
SpringEnds<D> spring_ends(const Spring<D>& spring, const State<D>& state) {
  SpringEnds<D> e;
  Vec<D> pa = spring.point_a, pb = spring.point_b, va = Vec<D>::Zero(), vb = Vec<D>::Zero();
  if (spring.body_a != kWorldBody) {
    e.arm_a = matrix_of(state.orientation[spring.body_a]) * spring.point_a;
    pa = state.position[spring.body_a] + e.arm_a;
    va = state.point_velocity(spring.body_a, pa);
  }
  if (spring.body_b != kWorldBody) {
    e.arm_b = matrix_of(state.orientation[spring.body_b]) * spring.point_b;
    pb = state.position[spring.body_b] + e.arm_b;
    vb = state.point_velocity(spring.body_b, pb);
  }
  const Vec<D> between = pb - pa;
  e.length = between.norm();
  if (e.length > 0) e.along = between / e.length;
  e.rate = e.along.dot(vb - va);
  return e;
}

template <int D>
void add_springs(const Bodies<D>& bodies, const ForceModel<D>& model, const State<D>& state, WrenchSet<D>& out) {
  for (const Spring<D>& spring : model.springs) {
    const SpringEnds<D> e = spring_ends(spring, state);
    const auto pull = [&](ForceClass c, double tension) {
      std::vector<Wrench<D>>& wrench = out.use(c);
      const Vec<D> f = tension * e.along;
      const auto add = [&](std::uint32_t body, const Vec<D>& arm, const Vec<D>& force) {
        if (body == kWorldBody || !bodies.dynamic(body)) return;
        wrench[body].force += force;
        wrench[body].torque += torque_of(arm, force);
      };
      add(spring.body_a, e.arm_a, f);
      add(spring.body_b, e.arm_b, -f);
      if (c != ForceClass::kConservative) return;
      // A kinematic end that moves loads the spring: that energy comes from outside.
      const auto load = [&](std::uint32_t body, const Vec<D>& arm, const Vec<D>& pulled) {
        if (body == kWorldBody || bodies.dynamic(body)) return;
        out.prescribed_power -= pulled.dot(state.point_velocity(body, state.position[body] + arm));
      };
      load(spring.body_a, e.arm_a, f);
      load(spring.body_b, e.arm_b, -f);
    };
    pull(ForceClass::kConservative, spring.stiffness * (e.length - spring.rest_length));
    if (spring.damping > 0) pull(ForceClass::kDrag, spring.damping * e.rate);
  }
}

template <int D>
void add_drag(const Bodies<D>& bodies, double average_over, const State<D>& state, WrenchSet<D>& out) {
  std::vector<Wrench<D>>& drag = out.use(ForceClass::kDrag);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.dynamic(i)) continue;
    const Vec<D>& v = state.velocity[i];
    const double c = bodies.linear_drag[i] + bodies.quadratic_drag[i] * v.norm();
    drag[i].force -= c * mean_decay(average_over * c * bodies.inv_mass[i]) * v;
    const double turning = bodies.angular_drag[i];
    drag[i].torque -=
        turning * mean_decay(average_over * turning * bodies.inv_inertia[i].maxCoeff()) * state.angular_velocity[i];
  }
}

template <int D>
void add_steady(const Bodies<D>& bodies, const std::vector<SteadyForce<D>>& steady, double time, const State<D>& state,
                WrenchSet<D>& out) {
  for (const SteadyForce<D>& s : steady) {
    if (time < s.from || time >= s.until || !bodies.dynamic(s.body)) continue;
    Wrench<D>& wrench = out.use(ForceClass::kExternal)[s.body];
    wrench.force += s.force;
    wrench.torque += s.torque + torque_of(Vec<D>(matrix_of(state.orientation[s.body]) * s.point), s.force);
  }
}

// A friction force of at most `limit` against v that stops the mass within h at the latest.
template <class V>
V stopping(const V& v, double mass, double limit, double h) {
  const double speed = v.norm();
  if (speed == 0) return V::Zero();
  return -v / speed * std::min(limit, mass * speed / h);
}

}  // namespace

template <int D>
void evaluate_forces(const Bodies<D>& bodies, const ForceModel<D>& model, double time, double average_over,
                     const State<D>& state, WrenchSet<D>& out, Evaluation evaluation) {
  const std::size_t n = bodies.size();
  std::vector<Wrench<D>>& conservative = out.use(ForceClass::kConservative);
  for (std::size_t i = 0; i < n; ++i) conservative[i].force = bodies.mass[i] * bodies.gravity_scale[i] * model.gravity;
  add_springs(bodies, model, state, out);
  if (model.any_joint_force) add_joint_forces(bodies, *model.joints, time, state, out);
  if (model.any_drag) add_drag(bodies, average_over, state, out);
  add_steady(bodies, model.steady, time, state, out);
  if (model.any_applied) {
    std::vector<Wrench<D>>& external = out.use(ForceClass::kExternal);
    for (std::size_t i = 0; i < n; ++i) {
      external[i].force += model.applied[i].force;
      external[i].torque += model.applied[i].torque;
    }
  }
  if (model.user) model.user->add(evaluation, time, state, out.use(ForceClass::kExternal));
}

template <int D>
void add_table_friction(const Bodies<D>& bodies, const TableDescription& table, double h, const State<D>& state,
                        WrenchSet<D>& out) {
  if constexpr (D == 2) {
    const std::vector<Wrench<2>>& others = out.total();
    std::vector<Wrench<2>>& wrench = out.use(ForceClass::kDrag);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double mu = bodies.table_friction[i];
      if (mu == 0 || !bodies.dynamic(i)) continue;
      const double m = bodies.mass[i], inertia = bodies.inertia[i][0], radius = table_radius(m, inertia);
      // The velocity that the other forces alone would give: what friction has to stop.
      const Vec<2> v = state.velocity[i] + h / m * others[i].force;
      const AngVec<2> w = state.angular_velocity[i] + h / inertia * others[i].torque;
      if (table.law == TableDescription::Law::kCoulomb) {
        const double limit = mu * m * table.gravity;
        wrench[i].force += stopping(v, m, limit, h);
        if (table.spin) wrench[i].torque += stopping(w, inertia, limit * radius, h);
      } else {
        const double rate = mu * table.rate, slow = mean_decay(rate * h);
        wrench[i].force +=
            v.norm() < table.static_speed ? Vec<2>(-m / h * v) : Vec<2>(-m * rate * slow * state.velocity[i]);
        if (!table.spin) continue;
        const bool held = std::abs(w[0]) * radius < table.static_speed;
        wrench[i].torque +=
            held ? AngVec<2>(-inertia / h * w) : AngVec<2>(-inertia * rate * slow * state.angular_velocity[i]);
      }
    }
  }
}

template <int D>
SpringRate fastest_spring(const Bodies<D>& bodies, const ForceModel<D>& model) {
  SpringRate out;
  const auto response = [&](std::uint32_t body, const Vec<D>& arm) {
    return body == kWorldBody || !bodies.dynamic(body)
               ? 0.0
               : bodies.inv_mass[body] + arm.squaredNorm() * bodies.inv_inertia[body].maxCoeff();
  };
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    const Spring<D>& s = model.springs[i];
    const double squared = s.stiffness * (response(s.body_a, s.point_a) + response(s.body_b, s.point_b));
    if (squared > out.squared) out = {squared, i};
  }
  return out;
}

double mean_decay(double x) { return x > 1e-8 ? -std::expm1(-x) / x : 1.0; }

template <int D>
double spring_energy(const ForceModel<D>& model, const State<D>& state) {
  double energy = 0;
  for (const Spring<D>& spring : model.springs) {
    const double stretch = spring_ends(spring, state).length - spring.rest_length;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  if (model.any_joint_force)
    for (const Joint<D>& joint : *model.joints) energy += coordinate_energy(joint, state);
  return energy;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                      \
  template class WrenchSet<D>;                                                                                         \
  template void evaluate_forces(const Bodies<D>&, const ForceModel<D>&, double, double, const State<D>&,               \
                                WrenchSet<D>&, Evaluation);                                                            \
  template void add_table_friction(const Bodies<D>&, const TableDescription&, double, const State<D>&, WrenchSet<D>&); \
  template SpringRate fastest_spring(const Bodies<D>&, const ForceModel<D>&);                                          \
  template double spring_energy(const ForceModel<D>&, const State<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
