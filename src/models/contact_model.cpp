#include "models/contact_model.h"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/joints/coordinate_force.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Of springs and dampers on the coordinates of joints.
template <int D>
void check_joint_springs(const StepInput<D>& in) {
  if (!in.forces.any_joint_force) return;
  for (const Joint<D>& joint : *in.forces.joints) {
    if (!has_coordinate_force(joint) || in.h < longest_step(joint)) continue;
    throw Error(ErrorKind::kUnstable,
                fmt::format("the spring of joint '{}' needs a step of at most {:.3g} s to stay stable, but the step is "
                            "{:.3g} s; take a smaller step, or a smaller stiffness or damping",
                            joint.name, 0.99 * longest_step(joint), in.h));
  }
}

}  // namespace

template <int D>
void check_spring_step(const StepInput<D>& in) {
  // Both methods are stable for h·ω < 2 (semi-implicit Euler: 2, RK4: 2.8); explicit Euler has no such limit, it always
  // grows.
  constexpr double kStable = 2.0;
  if (in.integrator == Integrator::kExplicitEuler) return;
  check_joint_springs(in);
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
