#include "dynamics/integrators.h"

#include "dynamics/free_turn.h"

namespace touchstone {
namespace {

constexpr std::size_t kGrain = 256;

template <int D>
AngVec<D> omega_of(const Bodies<D>& bodies, std::size_t i, const Rotation<D>& R, const AngVec<D>& momentum) {
  return apply_moments(frame_of(R), bodies.inv_inertia[i], momentum);
}

// Work of a class over a step in which the force was held: the kinetic energy it gave is F·(v₀+v₁)/2·h.
template <int D>
void add_held_work(const Bodies<D>& bodies, const WrenchSet<D>& wrenches, const State<D>& before, const State<D>& after,
                   double h, WorkByClass& work) {
  work[ForceClass::kExternal] += h * wrenches.prescribed_power;
  for (std::size_t c = 1; c < kForceClasses; ++c) {
    if (!wrenches.used(static_cast<ForceClass>(c))) continue;
    const auto& wrench = wrenches.of(static_cast<ForceClass>(c));
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies.dynamic(i)) continue;
      sum += wrench[i].force.dot(before.velocity[i] + after.velocity[i]) +
             wrench[i].torque.dot(before.angular_velocity[i] + after.angular_velocity[i]);
    }
    work[c] += 0.5 * h * sum;
  }
}

template <int D>
void add_stage_work(const Bodies<D>& bodies, const WrenchSet<D>& wrenches, const State<D>& stage, double weight,
                    WorkByClass& work) {
  work[ForceClass::kExternal] += weight * wrenches.prescribed_power;
  for (std::size_t c = 1; c < kForceClasses; ++c) {
    if (!wrenches.used(static_cast<ForceClass>(c))) continue;
    const auto& wrench = wrenches.of(static_cast<ForceClass>(c));
    double power = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.dynamic(i))
        power += wrench[i].force.dot(stage.velocity[i]) + wrench[i].torque.dot(stage.angular_velocity[i]);
    work[c] += weight * power;
  }
}

template <int D>
void rk4(const Bodies<D>& bodies, double time, double h, ForceSource<D>& source, State<D>& state,
         IntegratorWorkspace<D>& ws, const Parallel& parallel, WorkByClass& work) {
  using Slope = typename IntegratorWorkspace<D>::Slope;
  const std::size_t n = bodies.size();
  ws.start = state;
  ws.momentum.resize(n);
  ws.slope.resize(n);
  ws.sum.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    ws.momentum[i] = apply_moments(frame_of(state.orientation[i]), bodies.inertia[i], state.angular_velocity[i]);
    ws.sum[i] = {Vec<D>::Zero(), Vec<D>::Zero(), AngVec<D>::Zero(), AngVec<D>::Zero()};
  }
  // Sets `state` to the start advanced along `direction` by `factor`.
  const auto place = [&](const std::vector<Slope>& direction, double factor) {
    parallel.for_ranges(n, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (!bodies.dynamic(i)) continue;
        state.position[i] = ws.start.position[i] + factor * direction[i].x;
        state.velocity[i] = ws.start.velocity[i] + factor * direction[i].v;
        state.orientation[i] = rotate_by(AngVec<D>(factor * direction[i].r), ws.start.orientation[i]);
        state.angular_velocity[i] =
            omega_of(bodies, i, state.orientation[i], AngVec<D>(ws.momentum[i] + factor * direction[i].l));
      }
    });
  };
  constexpr double kNode[4] = {0.0, 0.5, 0.5, 1.0}, kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int stage = 0; stage < 4; ++stage) {
    const double t = time + kNode[stage] * h;
    if (stage > 0) {
      place(ws.slope, kNode[stage] * h);
      source.set_kinematic(t, state);
      source.hold(state);
    }
    ws.wrenches.reset(n);
    source.evaluate(t, stage, kNode[stage] * h, state, ws.wrenches);
    const auto& wrench = ws.wrenches.total();
    add_stage_work(bodies, ws.wrenches, state, kWeight[stage] * h, work);
    parallel.for_ranges(n, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const AngVec<D> turned = stage > 0 ? AngVec<D>(kNode[stage] * h * ws.slope[i].r) : AngVec<D>(AngVec<D>::Zero());
        const Slope k{state.velocity[i], bodies.inv_mass[i] * wrench[i].force,
                      dexpinv(turned, state.angular_velocity[i]), wrench[i].torque};
        ws.sum[i].x += kWeight[stage] * k.x;
        ws.sum[i].v += kWeight[stage] * k.v;
        ws.sum[i].r += kWeight[stage] * k.r;
        ws.sum[i].l += kWeight[stage] * k.l;
        ws.slope[i] = k;
      }
    });
  }
  place(ws.sum, h);
}

}  // namespace

template <int D>
void integrate(Integrator method, const Bodies<D>& bodies, double time, double h, ForceSource<D>& source,
               State<D>& state, IntegratorWorkspace<D>& ws, const Parallel& parallel, WorkByClass& work) {
  if (method == Integrator::kRk4) {
    rk4(bodies, time, h, source, state, ws, parallel, work);
  } else {
    ws.wrenches.reset(bodies.size());
    source.evaluate(time, 0, 0.0, state, ws.wrenches);
    const auto& wrench = ws.wrenches.total();
    const bool works = ws.wrenches.used(ForceClass::kDrag) || ws.wrenches.used(ForceClass::kExternal) ||
                       ws.wrenches.used(ForceClass::kContact) || ws.wrenches.used(ForceClass::kMotor) ||
                       ws.wrenches.prescribed_power != 0;
    if (works) {
      ws.start.velocity = state.velocity;
      ws.start.angular_velocity = state.angular_velocity;
    }
    if (method == Integrator::kExplicitEuler)
      explicit_euler(bodies, wrench, h, state, parallel);
    else
      semi_implicit_euler(bodies, wrench, h, state, parallel);
    if (works) add_held_work(bodies, ws.wrenches, ws.start, state, h, work);
  }
  source.set_kinematic(time + h, state);
}

template <int D>
void coast(const Bodies<D>& bodies, double h, State<D>& state, const Parallel& parallel) {
  parallel.for_ranges(bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.dynamic(i)) continue;
      const AngVec<D> turn =
          free_turn(state.orientation[i], bodies.inertia[i], bodies.inv_inertia[i], state.angular_velocity[i], h);
      coast_body(bodies, i, h, turn, state);
    }
  });
}

template void coast(const Bodies<2>&, double, State<2>&, const Parallel&);
template void coast(const Bodies<3>&, double, State<3>&, const Parallel&);
template void integrate(Integrator, const Bodies<2>&, double, double, ForceSource<2>&, State<2>&,
                        IntegratorWorkspace<2>&, const Parallel&, WorkByClass&);
template void integrate(Integrator, const Bodies<3>&, double, double, ForceSource<3>&, State<3>&,
                        IntegratorWorkspace<3>&, const Parallel&, WorkByClass&);

}  // namespace touchstone
