#pragma once
// When a free body turns over about its middle axis.
#include <vector>

#include "touchstone/simulation.h"

namespace touchstone::testing {

// Of the body "body": times at which the second component of the body-frame angular velocity changes sign, by linear
// interpolation.
inline std::vector<double> zeros_of_second(Simulation& sim, double until) {
  const BodyId id = sim.find_body("body");
  const auto second = [&] {
    const BodyState s = sim.state(id);
    return (s.placement.orientation.conjugate() * s.angular_velocity).y();
  };
  std::vector<double> zeros;
  double before = second();
  while (sim.time() < until) {
    sim.step();
    const double now = second();
    if (before * now < 0) zeros.push_back(sim.time() - sim.step_size() * now / (now - before));
    before = now;
  }
  return zeros;
}

}  // namespace touchstone::testing
