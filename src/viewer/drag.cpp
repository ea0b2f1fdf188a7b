// Purpose: the force with which a person pulls at a point of a body. The point is drawn to its target as if it were a
// particle on a critically damped spring, whatever the body's mass, shape and the lever of the point.
// Letters: K = 1/m − [r]× I⁻¹ [r]×, the inverse mass of the point; a = ω²(target − p) − 2ωu wanted; F = K⁻¹ a.
// Fails: nowhere; K is at least 1/m, so that the force is at most m·a.
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>

#include "viewer/timeline.h"

namespace touchstone::viewer {
namespace {

constexpr double kFrequency = 12.0;    // rad/s: follows a hand within a quarter of a second, sags 7 cm under gravity
constexpr double kMostPerStep = 0.25;  // rad: the force is constant over a step, above 1 the damper would overshoot
constexpr double kMostPull = 1000.0;   // m/s²: a target far away shall not tear the scene apart

Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

Eigen::Matrix3d inverse_inertia(const Simulation& simulation, BodyId body, const Eigen::Matrix3d& R) {
  const Eigen::Matrix3d inertia = simulation.inertia(body);
  if (simulation.dimension() == 3) return R * inertia.inverse() * R.transpose();
  Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
  out(2, 2) = 1.0 / inertia(2, 2);
  return out;
}

}  // namespace

DragForce drag_force(const Simulation& simulation, BodyId body, const Drag& drag) {
  const BodyState s = simulation.state(body);
  const Eigen::Matrix3d R = simulation.dimension() == 3
                                ? s.placement.orientation.toRotationMatrix()
                                : Eigen::AngleAxisd(s.placement.angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  DragForce out;
  out.point = s.placement.position + R * drag.local;
  const Eigen::Vector3d r = out.point - s.center_of_mass;
  const Eigen::Vector3d u = s.velocity + s.angular_velocity.cross(r);
  const double w = std::min(kFrequency, kMostPerStep / simulation.step_size());
  Eigen::Vector3d pull = w * w * (drag.target - out.point);
  if (pull.norm() > kMostPull) pull *= kMostPull / pull.norm();
  const Eigen::Vector3d a = pull - 2 * w * u;
  const Eigen::Matrix3d K =
      Eigen::Matrix3d::Identity() / simulation.mass(body) - skew(r) * inverse_inertia(simulation, body, R) * skew(r);
  out.force = K.llt().solve(a);
  return out;
}

}  // namespace touchstone::viewer
