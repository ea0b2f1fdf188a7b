#include "recording/frame.h"

#include <algorithm>
#include <limits>

namespace touchstone {
namespace {

void copy3(const Eigen::Vector3d& from, double (&to)[3]) { std::copy_n(from.data(), 3, to); }

FrameContact contact_of(const ContactReport& c, bool judged) {
  FrameContact out;
  out.body_a = c.body_a.index;
  out.body_b = c.body_b.index;
  out.shape_a = c.shape_a;
  out.shape_b = c.shape_b;
  out.key = c.key;
  copy3(c.point, out.point);
  copy3(c.normal, out.normal);
  copy3(c.impulse, out.impulse);
  copy3(c.relative_velocity, out.relative_velocity);
  out.gap = c.gap;
  out.static_friction = c.static_friction;
  out.dynamic_friction = c.dynamic_friction;
  out.restitution = c.restitution;
  out.natural_map = judged ? c.natural_map : std::numeric_limits<double>::quiet_NaN();
  out.sticking = c.sticking;
  return out;
}

FrameJoint joint_of(const JointReport& j) {
  FrameJoint out;
  out.coordinate = j.coordinate, out.coordinate_rate = j.coordinate_rate;
  out.position_error = j.position_error, out.angle_error = j.angle_error;
  copy3(j.point, out.point);
  copy3(j.impulse, out.impulse);
  copy3(j.angular_impulse, out.angular_impulse);
  copy3(j.point_a, out.point_a);
  out.serial = j.serial, out.kind = static_cast<std::uint32_t>(j.kind);
  if (j.body_a) out.body_a = j.body_a->index;
  if (j.body_b) out.body_b = j.body_b->index;
  out.broken = j.broken;
  return out;
}

void put_pose(int dimension, const Placement& p, double* out) {
  std::copy_n(p.position.data(), dimension, out);
  if (dimension == 2) {
    out[2] = p.angle;
    return;
  }
  out[3] = p.orientation.w(), out[4] = p.orientation.x(), out[5] = p.orientation.y(), out[6] = p.orientation.z();
}

void put_velocity(int dimension, const BodyState& s, double* out) {
  std::copy_n(s.velocity.data(), dimension, out);
  if (dimension == 2)
    out[2] = s.angular_velocity.z();
  else
    std::copy_n(s.angular_velocity.data(), 3, out + 3);
}

}  // namespace

void capture_frame(const Simulation& simulation, const RecordDescription& what, Frame& frame) {
  const int dimension = simulation.dimension();
  const std::size_t slots = simulation.slot_count();
  const auto pose = static_cast<std::size_t>(pose_width(dimension)),
             velocity = static_cast<std::size_t>(velocity_width(dimension));
  frame.step = simulation.step_count();
  frame.time = simulation.time();
  frame.hash = simulation.state_hash();
  frame.slots = slots;
  frame.alive.assign(slots, 0);
  frame.poses.assign(what.poses ? slots * pose : 0, 0.0);
  frame.velocities.assign(what.velocities ? slots * velocity : 0, 0.0);
  for (const BodyId id : simulation.bodies()) {
    frame.alive[id.index] = 1;
    if (!what.poses && !what.velocities) continue;
    const BodyState s = simulation.state(id);
    if (what.poses) put_pose(dimension, s.placement, frame.poses.data() + id.index * pose);
    if (what.velocities) put_velocity(dimension, s, frame.velocities.data() + id.index * velocity);
  }
  frame.contacts.clear();
  if (what.contacts)
    for (std::size_t i = 0; i < simulation.contact_count(); ++i)
      frame.contacts.push_back(contact_of(simulation.contact(i), simulation.yardstick()));
  frame.joints.clear();
  for (std::size_t i = 0; i < simulation.joint_count(); ++i) frame.joints.push_back(joint_of(simulation.joint(i)));
  frame.report.clear();
  StepReport report = simulation.report();
  report.measures = simulation.gathered_measures();
  for (const ReportField& field : report_fields()) frame.report.push_back(field.get(report));
}

}  // namespace touchstone
