#include "models/contact_model.h"

#include <fmt/format.h>

#include <cmath>

#include "touchstone/error.h"

namespace touchstone {

template <int D>
void check_spring_step(const StepInput<D>& in) {
  // Both methods are stable for h·ω < 2 (semi-implicit Euler: 2, RK4: 2.8); explicit Euler has no such limit, it always
  // grows.
  constexpr double kStable = 2.0;
  if (in.integrator == Integrator::kExplicitEuler) return;
  const SpringRate rate = fastest_spring(in.bodies, in.forces);
  if (in.h * std::sqrt(rate.squared) < kStable) return;
  const Spring<D>& spring = in.forces.springs[rate.spring];
  const auto name = [&](std::uint32_t body) {
    return body == kWorldBody ? "the world" : "'" + in.bodies.name[body] + "'";
  };
  throw Error(
      ErrorKind::kUnstable,
      fmt::format(
          "the spring between {} and {} needs a step of at most {:.3g} s to stay stable, but the step is {:.3g} s; "
          "take a smaller step or a smaller stiffness",
          name(spring.body_a), name(spring.body_b), 0.99 * kStable / std::sqrt(rate.squared), in.h));
}

template void check_spring_step(const StepInput<2>&);
template void check_spring_step(const StepInput<3>&);

}  // namespace touchstone
