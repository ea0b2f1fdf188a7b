#include "models/penalty_points.h"

namespace touchstone {

template <int D>
void BodyCache<D>::update(const Bodies<D>& bodies, const State<D>& state, const Parallel& parallel) {
  constexpr std::size_t kGrain = 256;
  inv_inertia_.resize(bodies.size());
  skin_.resize(bodies.size());
  parallel.for_ranges(bodies.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      inv_inertia_[i] = rotate_moments(state.orientation[i], bodies.inv_inertia[i]);
      skin_[i] = matrix_of(state.orientation[i]) * bodies.surface_velocity[i];
    }
  });
}

template <int D>
Response BodyCache<D>::response(const Bodies<D>& bodies, const State<D>& state, std::uint32_t body,
                                const Contact<D>& c) const {
  if (!bodies.dynamic(body)) return {};
  const Vec<D> r = c.point - state.position[body];
  const AngVec<D> arm = torque_of(r, c.normal);
  return {bodies.inv_mass[body] + r.squaredNorm() * bodies.inv_inertia[body].maxCoeff(),
          bodies.inv_mass[body] + arm.dot(inv_inertia_[body] * arm)};
}

Vec<2> carried_slip(const Vec<2>& slip, const Vec<2>& normal, const AngVec<2>&, double) {
  return slip - normal * normal.dot(slip);
}
Vec<3> carried_slip(const Vec<3>& slip, const Vec<3>& normal, const Vec<3>& spin, double h) {
  const double length = slip.norm();
  if (length == 0) return slip;
  Vec<3> turned = slip + (0.5 * h * spin.dot(normal)) * cross(normal, slip);
  turned -= normal * normal.dot(turned);
  const double left = turned.norm();
  return left > 0 ? Vec<3>(turned * (length / left)) : Vec<3>(Vec<3>::Zero());
}

template class BodyCache<2>;
template class BodyCache<3>;

}  // namespace touchstone
