#include "dynamics/bodies.h"

#include "base/archive.h"

namespace touchstone {

template <int D>
void Bodies<D>::resize(std::size_t n) {
  alive.resize(n, 0);
  name.resize(n);
  radius.resize(n, 0.0);
  kind.resize(n, BodyKind::kStatic);
  inv_mass.resize(n, 0.0);
  inv_inertia.resize(n, AngVec<D>::Zero());
  mass.resize(n, 0.0);
  inertia.resize(n, AngVec<D>::Zero());
  axes.resize(n, identity_rotation<D>());
  center.resize(n, Vec<D>::Zero());
  surface_velocity.resize(n, Vec<D>::Zero());
  gravity_scale.resize(n, 1.0);
  linear_drag.resize(n, 0.0);
  quadratic_drag.resize(n, 0.0);
  angular_drag.resize(n, 0.0);
  table_friction.resize(n, 0.0);
}

template <int D>
void Bodies<D>::reserve(std::size_t n) {
  alive.reserve(n), name.reserve(n), radius.reserve(n), kind.reserve(n);
  inv_mass.reserve(n), inv_inertia.reserve(n), mass.reserve(n), inertia.reserve(n);
}

template <int D>
void State<D>::reserve(std::size_t n) {
  position.reserve(n), orientation.reserve(n), velocity.reserve(n), angular_velocity.reserve(n);
}

template <int D>
void State<D>::resize(std::size_t n) {
  position.resize(n, Vec<D>::Zero());
  orientation.resize(n, identity_rotation<D>());
  velocity.resize(n, Vec<D>::Zero());
  angular_velocity.resize(n, AngVec<D>::Zero());
}

template <int D>
void State<D>::serialize(Archive& ar) {
  ar(position);
  ar(orientation);
  ar(velocity);
  ar(angular_velocity);
  ar(q);
  ar(v);
}

template struct Bodies<2>;
template struct Bodies<3>;
template struct State<2>;
template struct State<3>;

}  // namespace touchstone
