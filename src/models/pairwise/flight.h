#pragma once
// How a body goes on within a step between collisions: a parabola in place and in turning, the latter small.
#include "contact/solve_view.h"

namespace touchstone {

template <int D>
struct Flight {
  double since = 0;       // [s] after the start of the step
  Twist<D> moved;         // until then: displacement [m], rotation vector [rad]
  Twist<D> velocity;      // then
  Twist<D> acceleration;  // all the time

  Flight at(double time) const {
    const double t = time - since;
    Flight out = *this;
    out.since = time;
    out.moved.linear += t * (velocity.linear + 0.5 * t * acceleration.linear);
    out.moved.angular += t * (velocity.angular + 0.5 * t * acceleration.angular);
    out.velocity.linear += t * acceleration.linear;
    out.velocity.angular += t * acceleration.angular;
    return out;
  }
};

}  // namespace touchstone
