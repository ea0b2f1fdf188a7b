#pragma once
// Speeds that tell an impact from rest.
#include <algorithm>

#include "collision/contact.h"
#include "dynamics/bodies.h"

namespace touchstone {

template <int D>
double closing_speed(const State<D>& state, const Contact<D>& c) {
  return c.normal.dot(state.point_velocity(c.body_a, c.point) - state.point_velocity(c.body_b, c.point));
}

template <int D>
double fastest(const State<D>& state) {
  double most = 0;
  for (const Vec<D>& v : state.velocity) most = std::max(most, v.norm());
  return most;
}

}  // namespace touchstone
