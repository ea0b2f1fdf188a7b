#include "dynamics/joints/joint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "dynamics/joints/sides.h"

namespace touchstone {
namespace {

template <int D>
int equalities(const JointSides<D>& s, JointRow<D>* rows) {
  switch (s.joint->kind) {
    case JointKind::kBall:
      return ball_rows(s, rows);
    case JointKind::kHinge:
      return hinge_rows(s, rows);
    case JointKind::kSlider:
      return slider_rows(s, rows);
    case JointKind::kFixed:
      return fixed_rows(s, rows);
    case JointKind::kDistance:
      return 0;  // its only row is its coordinate
    case JointKind::kUniversal:
      if constexpr (D == 3) return universal_rows(s, rows);
  }
  return 0;
}

template <int D>
std::optional<JointRow<D>> coordinate_row(const JointSides<D>& s) {
  switch (s.joint->kind) {
    case JointKind::kHinge:
      return hinge_coordinate(s);
    case JointKind::kSlider:
      return slider_coordinate(s);
    case JointKind::kDistance:
      return distance_coordinate(s);
    default:
      return std::nullopt;
  }
}

template <int D>
bool limited(const Joint<D>& joint) {
  return joint.has_lower() || joint.has_upper();
}

// What holds, bounds or drives the coordinate.
template <int D>
int coordinate_rows(const Joint<D>& joint, const JointRow<D>& coordinate, JointRow<D>* rows) {
  int count = 0;
  const auto equal_to = [&](double value) {
    rows[count] = coordinate;
    rows[count++].error -= value;
  };
  if (joint.kind == JointKind::kDistance && !limited(joint)) {
    equal_to(joint.length);
    return count;
  }
  if (joint.lower == joint.upper) {
    equal_to(joint.lower);
    return count;
  }
  if (joint.has_lower()) {
    equal_to(joint.lower);
    rows[count - 1].kind = RowKind::kLower;
  }
  if (joint.has_upper()) {
    JointRow<D>& row = rows[count++] = coordinate;
    row.linear_a = -row.linear_a, row.linear_b = -row.linear_b;
    row.angular_a = -row.angular_a, row.angular_b = -row.angular_b;
    row.error = joint.upper - coordinate.error;
    row.rate_bias = -coordinate.rate_bias;
    row.kind = RowKind::kUpper;
  }
  if (joint.has_motor) {
    JointRow<D>& row = rows[count++] = coordinate;
    row.kind = RowKind::kMotor;
    row.target_speed = joint.motor_speed;
    row.max_force = joint.motor_max_force;
  }
  return count;
}

}  // namespace

const char* joint_kind_name(JointKind kind, int dimension) {
  switch (kind) {
    case JointKind::kBall:
      return "ball";
    case JointKind::kHinge:
      return dimension == 2 ? "pin" : "hinge";
    case JointKind::kSlider:
      return "slider";
    case JointKind::kFixed:
      return dimension == 2 ? "weld" : "fixed";
    case JointKind::kDistance:
      return "distance";
    case JointKind::kUniversal:
      return "universal";
  }
  return "unknown";
}

template <int D>
int joint_rows(const Joint<D>& joint, const BodyMotion<D>& a, const BodyMotion<D>& b, std::span<JointRow<D>> rows) {
  const JointSides<D> sides = sides_of(joint, a, b);
  int count = equalities(sides, rows.data());
  if (limited(joint) || joint.has_motor || joint.kind == JointKind::kDistance)
    count += coordinate_rows(joint, *coordinate_row(sides), rows.data() + count);
  for (JointRow<D>& row : rows.first(static_cast<std::size_t>(count))) {
    if (joint.body_a == kWorldBody) row.linear_a.setZero(), row.angular_a.setZero();
    if (joint.body_b == kWorldBody) row.linear_b.setZero(), row.angular_b.setZero();
  }
  return count;
}

template <int D>
int joint_rows(const Joint<D>& joint, const State<D>& state, std::span<JointRow<D>> rows) {
  return joint_rows(joint, motion_of_body(state, joint.body_a), motion_of_body(state, joint.body_b), rows);
}

template <int D>
int equality_count(const Joint<D>& joint) {
  const int locked = joint.lower == joint.upper ? 1 : 0;
  switch (joint.kind) {
    case JointKind::kBall:
      return D;
    case JointKind::kHinge:
      return (D == 2 ? 2 : 5) + locked;
    case JointKind::kSlider:
      return (D == 2 ? 2 : 5) + locked;
    case JointKind::kFixed:
      return D == 2 ? 3 : 6;
    case JointKind::kDistance:
      return limited(joint) ? locked : 1;
    case JointKind::kUniversal:
      return D == 2 ? 0 : 4;
  }
  return 0;
}

template <int D>
JointCoordinate joint_coordinate(const Joint<D>& joint, const State<D>& state) {
  const BodyMotion<D> a = motion_of_body(state, joint.body_a), b = motion_of_body(state, joint.body_b);
  const std::optional<JointRow<D>> row = coordinate_row(sides_of(joint, a, b));
  if (!row) return {};
  return {row->error, row_rate(*row, a, b)};
}

template <int D>
JointErrors joint_errors(const Joint<D>& joint, const State<D>& state) {
  const BodyMotion<D> a = motion_of_body(state, joint.body_a), b = motion_of_body(state, joint.body_b);
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  const int count = joint_rows<D>(joint, a, b, rows);
  JointErrors out;  // squares at first: the rows of a place are the components of one distance
  JointErrors passed;
  for (const JointRow<D>& row : std::span(rows).first(static_cast<std::size_t>(count))) {
    const double rate = row_rate(row, a, b);
    if (row.kind == RowKind::kMotor) continue;
    if (row.kind == RowKind::kEquality) {
      (row.angular ? out.angle : out.position) += row.error * row.error;
      (row.angular ? out.angular_velocity : out.velocity) += rate * rate;
    } else if (row.error <= 0) {
      double& far = row.angular ? passed.angle : passed.position;
      double& fast = row.angular ? passed.angular_velocity : passed.velocity;
      far = std::max(far, -row.error), fast = std::max(fast, -rate);
    }
  }
  for (double JointErrors::*part :
       {&JointErrors::position, &JointErrors::angle, &JointErrors::velocity, &JointErrors::angular_velocity})
    out.*part = std::max(std::sqrt(out.*part), passed.*part);
  return out;
}

template <int D>
Vec<D> joint_point_a(const Joint<D>& joint, const State<D>& state) {
  const BodyMotion<D> a = motion_of_body(state, joint.body_a);
  return a.position + matrix_of(a.orientation) * joint.point_a;
}
template <int D>
Vec<D> joint_point_b(const Joint<D>& joint, const State<D>& state) {
  const BodyMotion<D> b = motion_of_body(state, joint.body_b);
  return b.position + matrix_of(b.orientation) * joint.point_b;
}

template <int D>
JointImpulse<D> joint_impulse(const Joint<D>& joint, const State<D>& state, std::span<const JointRow<D>> rows,
                              std::span<const double> lambda) {
  // Of the side that is a body; the world received the opposite of what A did.
  const bool on_b = joint.body_b != kWorldBody;
  JointImpulse<D> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.linear += lambda[i] * (on_b ? rows[i].linear_b : rows[i].linear_a);
    out.angular += lambda[i] * (on_b ? rows[i].angular_b : rows[i].angular_a);
  }
  const Vec<D> arm = joint_point_b(joint, state) - state.position[on_b ? joint.body_b : joint.body_a];
  out.angular -= torque_of(arm, out.linear);
  if (!on_b) out.linear = -out.linear, out.angular = -out.angular;
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                               \
  template int joint_rows(const Joint<D>&, const BodyMotion<D>&, const BodyMotion<D>&, std::span<JointRow<D>>); \
  template int joint_rows(const Joint<D>&, const State<D>&, std::span<JointRow<D>>);                            \
  template int equality_count(const Joint<D>&);                                                                 \
  template JointCoordinate joint_coordinate(const Joint<D>&, const State<D>&);                                  \
  template JointErrors joint_errors(const Joint<D>&, const State<D>&);                                          \
  template Vec<D> joint_point_a(const Joint<D>&, const State<D>&);                                              \
  template Vec<D> joint_point_b(const Joint<D>&, const State<D>&);                                              \
  template JointImpulse<D> joint_impulse(const Joint<D>&, const State<D>&, std::span<const JointRow<D>>,        \
                                         std::span<const double>);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
