// The two Euler methods over all bodies. In 3D four bodies at a time: the formulas stand once, over Lane or double. The
// groups are fixed by the slots, so the result does not depend on how ranges are scheduled.
//
// Angular part of the semi-implicit method, in the principal frame (index b): ω_b = qᵀω, L_b = I·ω_b + h·τ_b, the
// orientation turns by itself from there, q⁺ = q·exp(θ) with θ of free_turn.h, and ω⁺ = q⁺·(I⁻¹·(exp(θ)ᵀ·L_b)): L is
// the same in the world, and so is the energy that the torque left.
#include "dynamics/free_turn.h"
#include "dynamics/integrators.h"
#include "math/lanes.h"

namespace touchstone {
namespace {

constexpr std::size_t kGrain = 256;

template <class S>
struct BodyLanes {
  Vec3Of<S> x, v, w;
  QuatOf<S> q;
  Vec3Of<S> force, torque, inertia, inv_inertia;
  S inv_mass;
};

template <class S>
inline QuatOf<S> renormalised(const QuatOf<S>& q) {
  const S f = 1.5 - 0.5 * squared_norm(q);
  return {f * q.x, f * q.y, f * q.z, f * q.w};
}

template <class S>
inline bool semi_implicit_lanes(BodyLanes<S>& b, double h) {
  const Vec3Of<S> momentum = times(b.inertia, rotate_back(b.q, b.w)) + scaled(rotate_back(b.q, b.torque), h);
  Vec3Of<S> turn;
  QuatOf<S> step;
  if (!free_turn_in_body(momentum, b.inv_inertia, h, turn) || !rotation_step(turn, step)) return false;
  b.v = b.v + scaled(b.force, h * b.inv_mass);
  b.x = b.x + scaled(b.v, h);
  b.q = renormalised(multiply(b.q, step));
  b.w = rotate(b.q, times(b.inv_inertia, rotate_back(step, momentum)));
  return true;
}

template <class S>
inline bool explicit_lanes(BodyLanes<S>& b, double h) {
  const Vec3Of<S> omega = rotate_back(b.q, b.w), turn = scaled(omega, h);
  QuatOf<S> step;
  if (!rotation_step(turn, step)) return false;
  const Vec3Of<S> rate = rotate_back(b.q, b.torque) - cross_product(omega, times(b.inertia, omega));
  b.w = b.w + rotate(b.q, scaled(times(b.inv_inertia, rate), h));
  b.x = b.x + scaled(b.v, h);
  b.v = b.v + scaled(b.force, h * b.inv_mass);
  b.q = renormalised(multiply(b.q, step));
  return true;
}

Vec3Of<double> load(const Vec<3>& v) { return {v[0], v[1], v[2]}; }
void store(const Vec3Of<double>& v, Vec<3>& out) { out = Vec<3>(v.x, v.y, v.z); }

template <class Method>
void one_body(const Bodies<3>& bodies, const std::vector<Wrench<3>>& wrench, double h, State<3>& state, std::size_t i,
              Method method) {
  if (!bodies.dynamic(i)) return;
  const Eigen::Quaterniond& q = state.orientation[i];
  const Wrench<3> f = wrench.empty() ? Wrench<3>{} : wrench[i];
  BodyLanes<double> b{
      load(state.position[i]), load(state.velocity[i]), load(state.angular_velocity[i]), {q.x(), q.y(), q.z(), q.w()},
      load(f.force),           load(f.torque),          load(bodies.inertia[i]),         load(bodies.inv_inertia[i]),
      bodies.inv_mass[i]};
  method(b, h);
  store(b.x, state.position[i]);
  store(b.v, state.velocity[i]);
  store(b.w, state.angular_velocity[i]);
  state.orientation[i] = Eigen::Quaterniond(b.q.w, b.q.x, b.q.y, b.q.z);
}

template <class Method>
bool four_bodies(const Bodies<3>& bodies, const std::vector<Wrench<3>>& wrench, double h, State<3>& state,
                 std::size_t i, Method method) {
  static_assert(sizeof(Vec<3>) == 3 * sizeof(double) && sizeof(Wrench<3>) == 6 * sizeof(double));
  const double* m = bodies.inv_mass.data() + i;
  if (!(m[0] > 0 && m[1] > 0 && m[2] > 0 && m[3] > 0)) return false;
  double *x = state.position[i].data(), *v = state.velocity[i].data(), *w = state.angular_velocity[i].data(),
         *q = state.orientation[i].coeffs().data();
  const Vec3Of<Lane> none{};
  BodyLanes<Lane> b{load3(x),
                    load3(v),
                    load3(w),
                    load4(q),
                    wrench.empty() ? none : load3(wrench[i].force.data(), 6),
                    wrench.empty() ? none : load3(wrench[i].torque.data(), 6),
                    load3(bodies.inertia[i].data()),
                    load3(bodies.inv_inertia[i].data()),
                    Lane{m[0], m[1], m[2], m[3]}};
  if (!method(b, h)) return false;
  store3(b.x, x);
  store3(b.v, v);
  store3(b.w, w);
  store4(b.q, q);
  return true;
}

template <class Method>
void all_bodies(const Bodies<3>& bodies, const std::vector<Wrench<3>>& wrench, double h, State<3>& state,
                const Parallel& parallel, Method method) {
  parallel.for_ranges(bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      if (four_bodies(bodies, wrench, h, state, i, method)) continue;
      for (std::size_t k = 0; k < kLanes; ++k) one_body(bodies, wrench, h, state, i + k, method);
    }
    for (; i < end; ++i) one_body(bodies, wrench, h, state, i, method);
  });
}

}  // namespace

template <>
void semi_implicit_euler(const Bodies<3>& bodies, const std::vector<Wrench<3>>& wrench, double h, State<3>& state,
                         const Parallel& parallel) {
  all_bodies(bodies, wrench, h, state, parallel, [](auto& b, double step) { return semi_implicit_lanes(b, step); });
}

template <>
void explicit_euler(const Bodies<3>& bodies, const std::vector<Wrench<3>>& wrench, double h, State<3>& state,
                    const Parallel& parallel) {
  all_bodies(bodies, wrench, h, state, parallel, [](auto& b, double step) { return explicit_lanes(b, step); });
}

template <>
void semi_implicit_euler(const Bodies<2>& bodies, const std::vector<Wrench<2>>& wrench, double h, State<2>& state,
                         const Parallel& parallel) {
  parallel.for_ranges(bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.dynamic(i)) continue;
      if (!wrench.empty()) {
        state.velocity[i] += h * bodies.inv_mass[i] * wrench[i].force;
        state.angular_velocity[i] += h * bodies.inv_inertia[i].cwiseProduct(wrench[i].torque);
      }
      state.position[i] += h * state.velocity[i];
      state.orientation[i] += h * state.angular_velocity[i][0];
    }
  });
}

template <>
void explicit_euler(const Bodies<2>& bodies, const std::vector<Wrench<2>>& wrench, double h, State<2>& state,
                    const Parallel& parallel) {
  parallel.for_ranges(bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.dynamic(i)) continue;
      state.position[i] += h * state.velocity[i];
      state.orientation[i] += h * state.angular_velocity[i][0];
      if (wrench.empty()) continue;
      state.velocity[i] += h * bodies.inv_mass[i] * wrench[i].force;
      state.angular_velocity[i] += h * bodies.inv_inertia[i].cwiseProduct(wrench[i].torque);
    }
  });
}

}  // namespace touchstone
