// Purpose: the speed and the greatest force of a motor's row over one step.
// Source: own. A position is approached as a first-order lag, q̇ = (q* − q)/τ: it needs no gain that fits the mass, and
//   with a bounded force it comes to rest where something is in the way.
// Letters: q coordinate, q* target, τ response, h step.
// Deviations: -
// Fails: never. Where the force is too small for the speed that it is to lose, the target is overshot.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/joints/joint.h"

namespace touchstone {
namespace {

// Of a moving target at a time.
double target_at(const MotorCommand& m, double time) {
  if (m.waypoints.empty()) return m.target;
  const auto next = std::find_if(m.waypoints.begin(), m.waypoints.end(), [&](const auto& w) { return w[0] > time; });
  if (next == m.waypoints.begin()) return m.waypoints.front()[1];
  if (next == m.waypoints.end()) return m.waypoints.back()[1];
  const std::array<double, 2>&a = *std::prev(next), &b = *next;
  return a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]);
}

}  // namespace

template <int D>
void drive_motor(Joint<D>& joint, const State<D>& state, double time, double h) {
  const MotorCommand& m = joint.motor;
  const double middle = time + 0.5 * h;  // rounding of the time decides nothing there
  const bool aims = m.kind == MotorCommand::Kind::kSpeed || m.kind == MotorCommand::Kind::kPosition;
  const bool on = aims && middle >= m.from && middle < m.until;
  joint.motor_speed = on ? m.target : 0.0;
  joint.motor_max_force = on ? m.max_force : 0.0;
  if (!on || m.kind == MotorCommand::Kind::kSpeed) return;
  const double now = target_at(m, time);
  double error = now - joint_coordinate(joint, state).value;
  const bool turns = is_angle(joint.kind) && !(joint.has_lower() && joint.has_upper());
  if (turns) error = std::remainder(error, 2 * std::numbers::pi);
  const double speed = (target_at(m, time + h) - now) / h + error / std::max(m.response, h);
  joint.motor_speed = std::clamp(speed, -m.max_speed, m.max_speed);
}

template void drive_motor(Joint<2>&, const State<2>&, double, double);
template void drive_motor(Joint<3>&, const State<3>&, double, double);

}  // namespace touchstone
