#include "sim/joint_description.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace touchstone {
namespace {

// By how much a joint may be off at the start [m, rad]: coordinates that were written with a few digits. The model
// closes what is left in its first step.
constexpr double kStartError = 1e-4;

bool has_limits(const JointDescription& d) { return d.lower || d.upper; }

template <int D>
BodyMotion<D> placed(const BodyDescription* body) {
  BodyMotion<D> out;
  if (!body) return out;
  out.position = narrow<D>(body->placement.position);
  if constexpr (D == 2)
    out.orientation = body->placement.angle;
  else
    out.orientation = body->placement.orientation.normalized();
  return out;
}

// The joint's axes in the world at the start.
template <int D>
Rotation<D> frame_at_start(const JointDescription& d) {
  if (!d.axis) return identity_rotation<D>();
  if constexpr (D == 2) {
    return std::atan2(d.axis->y(), d.axis->x());
  } else {
    const Vec<3> x = d.axis->stableNormalized();
    Vec<3> y = x.unitOrthogonal();
    if (d.axis_b) {
      const Vec<3> along = d.axis_b->stableNormalized();
      y = Vec<3>(along - along.dot(x) * x).normalized();
    }
    Mat<3> axes;
    axes << x, y, cross(x, y);
    return Eigen::Quaterniond(axes).normalized();
  }
}

template <int D>
void place_points(const JointDescription& d, const BodyMotion<D>& a, const BodyMotion<D>& b, Joint<D>& joint) {
  const auto out_of = [](const BodyMotion<D>& m, const Eigen::Vector3d& p) -> Vec<D> {
    return m.position + matrix_of(m.orientation) * narrow<D>(p);
  };
  const auto into = [](const BodyMotion<D>& m, const Vec<D>& p) -> Vec<D> {
    return matrix_of(inverse(m.orientation)) * (p - m.position);
  };
  if (d.kind == JointKind::kTarget) {
    joint.described_b = narrow<D>(d.point_b.value_or(Eigen::Vector3d::Zero()));
    joint.described_a = d.point_a ? narrow<D>(*d.point_a) : out_of(b, widen<D>(joint.described_b));
    return;
  }
  if (is_length(d.kind) || d.kind == JointKind::kBead || d.kind == JointKind::kGear || (d.point_a && d.point_b)) {
    joint.described_a = narrow<D>(d.point_a.value_or(Eigen::Vector3d::Zero()));
    joint.described_b = narrow<D>(d.point_b.value_or(Eigen::Vector3d::Zero()));
    return;
  }
  Vec<D> place = joint.body_b == kWorldBody ? a.position : b.position;
  if (d.point) place = narrow<D>(*d.point);
  if (d.point_a) place = out_of(a, *d.point_a);
  if (d.point_b) place = out_of(b, *d.point_b);
  joint.described_a = into(a, place);
  joint.described_b = into(b, place);
}

// What two points in one place make impossible.
template <int D>
std::optional<JointFault> length_fault(const JointDescription& d, const Joint<D>& joint) {
  if (d.kind == JointKind::kDistance && !has_limits(d) && !(joint.length > kStartError))
    return JointFault{"point_b", fmt::format("is where point_a is: a distance joint needs two places; use a {}",
                                             joint_kind_name(D == 2 ? JointKind::kHinge : JointKind::kBall, D))};
  if (d.kind == JointKind::kRope && !(joint.upper > kStartError))
    return JointFault{"point_b", "is where point_a is: give the rope a length, or two places that are apart"};
  return {};
}

// What only the places of the bodies show.
template <int D>
std::optional<JointFault> start_fault(const JointDescription& d, const BodyDescription* a, const BodyDescription* b) {
  const Joint<D> joint = described_joint<D>(d, a, b);
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  const int count = joint_rows<D>(joint, placed<D>(a), placed<D>(b), rows);
  for (const JointRow<D>& row : std::span(rows).first(static_cast<std::size_t>(count))) {
    const bool limit = row.kind == RowKind::kLower || row.kind == RowKind::kUpper;
    const char* unit = row.angular ? "rad" : "m";
    if (limit && d.kind == JointKind::kRope && !(row.error >= -kStartError))
      return JointFault{
          "length", fmt::format("is too short: the points are {:.6g} m apart at the start", joint.upper - row.error)};
    if (limit && !(row.error >= -kStartError))
      return JointFault{row.kind == RowKind::kLower ? "lower" : "upper",
                        fmt::format("is passed by {:.6g} {} at the start", -row.error, unit)};
    if (row.kind != RowKind::kEquality || std::abs(row.error) <= kStartError) continue;
    if (d.kind == JointKind::kDistance)
      return JointFault{
          d.length ? "length" : "point_b",
          fmt::format("does not fit: the points are {:.6g} m apart at the start", joint.length + row.error)};
    if (d.kind == JointKind::kBead)
      return JointFault{d.point_b ? "point_b" : "curve",
                        fmt::format("does not fit: the bead is {:.6g} m off the curve at the start, or the curve has "
                                    "no direction there",
                                    std::abs(row.error))};
    return JointFault{d.point_b ? "point_b" : "point",
                      fmt::format("does not fit: the joint is {:.6g} {} off at the start", std::abs(row.error), unit)};
  }
  return length_fault(d, joint);
}

// What moves along the coordinate, and holds it.
template <int D>
void describe_coordinate(const JointDescription& d, const BodyMotion<D>& a, const BodyMotion<D>& b, Joint<D>& joint) {
  const bool length = is_length(d.kind);
  if (d.lower && !(length && *d.lower == 0)) joint.lower = *d.lower;  // every length is at least zero
  if (d.upper) joint.upper = *d.upper;
  if (length) {
    State<D> start;
    start.resize(2);
    start.position = {a.position, b.position}, start.orientation = {a.orientation, b.orientation};
    const double now = joint_coordinate(joint, start).value;
    joint.rest = now;
    if (d.kind == JointKind::kDistance && !has_limits(d)) joint.length = d.length.value_or(now);
    if (d.kind == JointKind::kRope) joint.upper = d.length.value_or(now);
  }
  joint.stiffness = d.stiffness.value_or(0.0), joint.damping = d.damping.value_or(0.0);
  joint.rest = d.rest.value_or(joint.rest);
  joint.friction = d.friction.value_or(0.0);
}

}  // namespace

std::optional<JointFault> joined_bodies_fault(JointKind kind, const BodyDescription* a, const BodyDescription* b) {
  if (a == b) return JointFault{"body_b", "must be another body than body_a, and one of the two not the world"};
  if (kind == JointKind::kTarget && a)
    return JointFault{"body_a", "must be the world: a target is a place in it; body_b is pulled there"};
  if (kind == JointKind::kGear && (!a || !b))
    return JointFault{a ? "body_b" : "body_a",
                      "must be a body: a gear couples the turns of two; to hold one, use a weld"};
  const auto moves = [](const BodyDescription* body) { return body && body->kind == BodyKind::kDynamic; };
  if (!moves(a) && !moves(b)) return JointFault{"body_b", "is not dynamic, nor is body_a: the joint has no effect"};
  return {};
}

std::optional<JointFault> joint_fault(const JointDescription& d, int dimension, const BodyDescription* a,
                                      const BodyDescription* b) {
  if (auto fault = joined_bodies_fault(d.kind, a, b)) return fault;
  if (const std::vector<JointFault> faults = description_faults(d, dimension); !faults.empty()) return faults.front();
  return dimension == 2 ? start_fault<2>(d, a, b) : start_fault<3>(d, a, b);
}

MotorCommand described_motor(const JointDescription& d) {
  MotorCommand out;
  const bool position = d.motor_position || !d.motor_waypoints.empty() || d.kind == JointKind::kTarget;
  if (!d.motor_speed && !position && !d.motor_force) return out;
  out.kind = position        ? MotorCommand::Kind::kPosition
             : d.motor_force ? MotorCommand::Kind::kForce
                             : MotorCommand::Kind::kSpeed;
  out.target = position ? d.motor_position.value_or(0.0) : d.motor_force ? *d.motor_force : *d.motor_speed;
  out.max_force = d.motor_max_force.value_or(0.0);
  out.max_speed = d.motor_max_speed.value_or(out.max_speed);
  out.response = d.motor_response.value_or(out.response);
  out.from = d.motor_from.value_or(out.from);
  out.until = d.motor_until.value_or(out.until);
  out.waypoints = d.motor_waypoints;
  return out;
}

template <int D>
Joint<D> described_joint(const JointDescription& d, const BodyDescription* a, const BodyDescription* b) {
  Joint<D> joint;
  joint.name = d.name;
  joint.kind = d.kind;
  joint.collide = d.collide;
  if (a) joint.body_a = 0;
  if (b) joint.body_b = 1;
  const BodyMotion<D> at_a = placed<D>(a), at_b = placed<D>(b);
  place_points(d, at_a, at_b, joint);
  const Rotation<D> frame = frame_at_start<D>(d);
  joint.described_frame_a = compose(inverse(at_a.orientation), frame);
  joint.described_frame_b = compose(inverse(at_b.orientation), frame);
  if (d.kind == JointKind::kBead) joint.described_frame_a = identity_rotation<D>();  // of the curve's x and y
  joint.point_a = joint.described_a, joint.point_b = joint.described_b;
  joint.frame_a = joint.described_frame_a, joint.frame_b = joint.described_frame_b;
  joint.pitch = d.pitch.value_or(0.0), joint.ratio = d.ratio.value_or(1.0);
  if (d.kind == JointKind::kBead) joint.curve = std::make_shared<const Expression>(d.curve);
  describe_coordinate(d, at_a, at_b, joint);
  joint.break_force = d.break_force.value_or(joint.break_force);
  joint.break_torque = d.break_torque.value_or(joint.break_torque);
  joint.motor = described_motor(d);
  joint.has_motor = has_motor_row(joint.motor);
  return joint;
}

template Joint<2> described_joint(const JointDescription&, const BodyDescription*, const BodyDescription*);
template Joint<3> described_joint(const JointDescription&, const BodyDescription*, const BodyDescription*);

}  // namespace touchstone
