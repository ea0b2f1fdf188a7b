#include "dynamics/joints/coordinate_force.h"

#include <cmath>
#include <numbers>

namespace touchstone {
namespace {

// From where the spring pulls to; of a turn without both limits the shorter way, so that half a turn has one energy.
template <int D>
double stretch(const Joint<D>& joint, double value) {
  const double off = value - joint.rest;
  const bool turns = is_angle(joint.kind) && !(joint.has_lower() && joint.has_upper());
  return turns ? std::remainder(off, 2 * std::numbers::pi) : off;
}

}  // namespace

template <int D>
bool has_coordinate_force(const Joint<D>& joint) {
  return !joint.broken && (joint.has_spring() || joint.motor.kind == MotorCommand::Kind::kForce);
}

template <int D>
CoordinateForce coordinate_force(const Joint<D>& joint, const JointCoordinate& coordinate, double time) {
  CoordinateForce out;
  out.spring = -joint.stiffness * stretch(joint, coordinate.value);
  out.damper = -joint.damping * coordinate.rate;
  const MotorCommand& m = joint.motor;
  if (m.kind == MotorCommand::Kind::kForce && time >= m.from && time < m.until) out.motor = m.target;
  return out;
}

template <int D>
void add_joint_forces(const Bodies<D>& bodies, const std::vector<Joint<D>>& joints, double time, const State<D>& state,
                      WrenchSet<D>& out) {
  for (const Joint<D>& joint : joints) {
    if (!has_coordinate_force(joint)) continue;
    const JointRow<D> row = coordinate_row(joint, state);
    const BodyMotion<D> a = motion_of_body(state, joint.body_a), b = motion_of_body(state, joint.body_b);
    const CoordinateForce force = coordinate_force(joint, {row.error, row_rate(row, a, b)}, time);
    const auto give = [&](ForceClass c, double size) {
      if (size == 0) return;
      std::vector<Wrench<D>>& wrench = out.use(c);
      const auto add = [&](std::uint32_t body, const BodyMotion<D>& m, const Vec<D>& linear, const AngVec<D>& angular) {
        if (body == kWorldBody) return;
        if (bodies.dynamic(body)) {
          wrench[body].force += size * linear;
          wrench[body].torque += size * angular;
        } else if (c == ForceClass::kConservative) {  // moving the body loads the spring: that energy is from outside
          out.prescribed_power -= size * (linear.dot(m.velocity) + angular.dot(m.angular_velocity));
        }
      };
      add(joint.body_a, a, row.linear_a, row.angular_a);
      add(joint.body_b, b, row.linear_b, row.angular_b);
    };
    give(ForceClass::kConservative, force.spring);
    give(ForceClass::kDrag, force.damper);
    give(ForceClass::kMotor, force.motor);
  }
}

template <int D>
double coordinate_energy(const Joint<D>& joint, const State<D>& state) {
  if (joint.broken || !(joint.stiffness > 0)) return 0;
  const double off = stretch(joint, joint_coordinate(joint, state).value);
  return 0.5 * joint.stiffness * off * off;
}

template <int D>
JointImpulse<D> joint_push(const Joint<D>& joint, const State<D>& state, double time) {
  if (!has_coordinate_force(joint)) return {};
  const JointRow<D> row = coordinate_row(joint, state);
  const BodyMotion<D> a = motion_of_body(state, joint.body_a), b = motion_of_body(state, joint.body_b);
  const double size = coordinate_force(joint, {row.error, row_rate(row, a, b)}, time).sum();
  return joint_impulse<D>(joint, state, std::span(&row, 1), std::span(&size, 1));
}

template <int D>
double longest_step(const Joint<D>& joint) {
  const double c = joint.damping * joint.response, k = joint.stiffness * joint.response;
  if (c <= 0 && k <= 0) return std::numeric_limits<double>::infinity();
  // k·h² + 2·c·h = 4, without the cancellation of small k.
  return 4 / (c + std::sqrt(c * c + 4 * k));
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                         \
  template bool has_coordinate_force(const Joint<D>&);                                                    \
  template CoordinateForce coordinate_force(const Joint<D>&, const JointCoordinate&, double);             \
  template void add_joint_forces(const Bodies<D>&, const std::vector<Joint<D>>&, double, const State<D>&, \
                                 WrenchSet<D>&);                                                          \
  template double coordinate_energy(const Joint<D>&, const State<D>&);                                    \
  template JointImpulse<D> joint_push(const Joint<D>&, const State<D>&, double);                          \
  template double longest_step(const Joint<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
