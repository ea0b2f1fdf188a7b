#include "dynamics/forces.h"

#include <cmath>

namespace touchstone {

template <int D>
void WrenchSet<D>::reset(std::size_t bodies) {
  bodies_ = bodies;
  used_.fill(false);
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
    };
    pull(ForceClass::kConservative, spring.stiffness * (e.length - spring.rest_length));
    if (spring.damping > 0) pull(ForceClass::kDrag, spring.damping * e.rate);
  }
}

// A friction force of at most `limit` against v that stops the mass within h at the latest.
template <class V>
V stopping(const V& v, double mass, double limit, double h) {
  const double speed = v.norm();
  if (speed == 0) return V::Zero();
  return -v / speed * std::min(limit, mass * speed / h);
}

template <int D>
void add_table(const Bodies<D>& bodies, const TableDescription& table, double h, const State<D>& state,
               WrenchSet<D>& out) {
  if constexpr (D == 2) {
    std::vector<Wrench<2>>& wrench = out.use(ForceClass::kDrag);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double mu = bodies.table_friction[i];
      if (mu == 0 || !bodies.dynamic(i)) continue;
      const double m = bodies.mass[i], inertia = bodies.inertia[i][0];
      const Vec<2>& v = state.velocity[i];
      const AngVec<2>& w = state.angular_velocity[i];
      if (table.law == TableDescription::Law::kCoulomb) {
        const double limit = mu * m * table.gravity;
        wrench[i].force += stopping(v, m, limit, h);
        wrench[i].torque += stopping(w, inertia, limit * table_radius(m, inertia), h);
      } else {
        const double rate = mu * table.rate;
        const bool held = v.norm() < table.static_speed;
        wrench[i].force += held ? Vec<2>(-m / h * v) : Vec<2>(-m * rate * v);
        wrench[i].torque += -inertia * (std::abs(w[0]) < table.static_speed ? 1 / h : rate) * w;
      }
    }
  }
}

}  // namespace

template <int D>
void evaluate_forces(const Bodies<D>& bodies, const ForceModel<D>& model, double time, double h, const State<D>& state,
                     WrenchSet<D>& out) {
  const std::size_t n = bodies.size();
  std::vector<Wrench<D>>& conservative = out.use(ForceClass::kConservative);
  for (std::size_t i = 0; i < n; ++i) conservative[i].force = bodies.mass[i] * bodies.gravity_scale[i] * model.gravity;
  add_springs(bodies, model, state, out);
  if (model.any_drag) {
    std::vector<Wrench<D>>& drag = out.use(ForceClass::kDrag);
    for (std::size_t i = 0; i < n; ++i) {
      if (!bodies.dynamic(i)) continue;
      const Vec<D>& v = state.velocity[i];
      drag[i].force -= (bodies.linear_drag[i] + bodies.quadratic_drag[i] * v.norm()) * v;
      drag[i].torque -= bodies.angular_drag[i] * state.angular_velocity[i];
    }
  }
  if (model.table) add_table(bodies, *model.table, h, state, out);
  if (model.any_applied) {
    std::vector<Wrench<D>>& external = out.use(ForceClass::kExternal);
    for (std::size_t i = 0; i < n; ++i) {
      external[i].force += model.applied[i].force;
      external[i].torque += model.applied[i].torque;
    }
  }
  if (model.callback) model.callback(time, state, out.use(ForceClass::kExternal));
}

template <int D>
double spring_energy(const ForceModel<D>& model, const State<D>& state) {
  double energy = 0;
  for (const Spring<D>& spring : model.springs) {
    const double stretch = spring_ends(spring, state).length - spring.rest_length;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  return energy;
}

template class WrenchSet<2>;
template class WrenchSet<3>;
template void evaluate_forces(const Bodies<2>&, const ForceModel<2>&, double, double, const State<2>&, WrenchSet<2>&);
template void evaluate_forces(const Bodies<3>&, const ForceModel<3>&, double, double, const State<3>&, WrenchSet<3>&);
template double spring_energy(const ForceModel<2>&, const State<2>&);
template double spring_energy(const ForceModel<3>&, const State<3>&);

}  // namespace touchstone
