#include "dynamics/joints/joint.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/joints/sides.h"

namespace touchstone {
namespace {

// Of kinds that are there in 2D only, and in 3D only.
int equalities_of_one_dimension(const JointSides<2>& s, JointRow<2>* rows) {
  if (s.joint->kind == JointKind::kBead) return bead_rows(s, rows);
  if (s.joint->kind == JointKind::kGear) return gear_rows(s, rows);
  return 0;
}
int equalities_of_one_dimension(const JointSides<3>& s, JointRow<3>* rows) {
  if (s.joint->kind == JointKind::kUniversal) return universal_rows(s, rows);
  if (s.joint->kind == JointKind::kCylindrical) return cylindrical_rows(s, rows);
  if (s.joint->kind == JointKind::kPlanar) return planar_rows(s, rows);
  if (s.joint->kind == JointKind::kScrew) return screw_rows(s, rows);
  return 0;
}

// Equalities, and the rows of a target, which has no others.
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
    case JointKind::kRope:
    case JointKind::kSpring:
      return 0;  // their only rows are of their coordinate
    case JointKind::kTarget:
      return target_rows(s, rows);
    default:
      return equalities_of_one_dimension(s, rows);
  }
}

template <int D>
JointRow<D> row_of_coordinate(const JointSides<D>& s) {
  const JointKind kind = s.joint->kind;
  return is_angle(kind) ? hinge_coordinate(s) : is_length(kind) ? distance_coordinate(s) : slider_coordinate(s);
}

template <int D>
bool limited(const Joint<D>& joint) {
  return joint.has_lower() || joint.has_upper();
}
// A rod: its length is held.
template <int D>
bool keeps_length(const Joint<D>& joint) {
  return joint.kind == JointKind::kDistance && !limited(joint);
}

// What holds, bounds or drives the coordinate.
template <int D>
int coordinate_rows(const Joint<D>& joint, const JointRow<D>& coordinate, JointRow<D>* rows) {
  int count = 0;
  const auto equal_to = [&](double value) {
    rows[count] = coordinate;
    rows[count++].error -= value;
  };
  if (keeps_length(joint)) {
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
  if (joint.friction > 0) {
    JointRow<D>& row = rows[count++] = coordinate;
    row.kind = RowKind::kFriction;
    row.max_force = joint.friction;
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
    case JointKind::kRope:
      return "rope";
    case JointKind::kSpring:
      return "spring";
    case JointKind::kBead:
      return "bead";
    case JointKind::kGear:
      return "gear";
    case JointKind::kTarget:
      return "target";
    case JointKind::kCylindrical:
      return "cylindrical";
    case JointKind::kPlanar:
      return "planar";
    case JointKind::kScrew:
      return "screw";
  }
  return "unknown";
}

bool is_length(JointKind kind) {
  return kind == JointKind::kDistance || kind == JointKind::kRope || kind == JointKind::kSpring;
}
bool is_angle(JointKind kind) { return kind == JointKind::kHinge || kind == JointKind::kPlanar; }
bool has_coordinate(JointKind kind) {
  return is_length(kind) || is_angle(kind) || kind == JointKind::kSlider || kind == JointKind::kCylindrical ||
         kind == JointKind::kScrew;
}

template <int D>
int joint_rows(const Joint<D>& joint, const BodyMotion<D>& a, const BodyMotion<D>& b, std::span<JointRow<D>> rows) {
  if (joint.broken) return 0;
  const JointSides<D> sides = sides_of(joint, a, b);
  int count = equalities(sides, rows.data());
  if (has_coordinate(joint.kind) && (limited(joint) || joint.has_motor || joint.friction > 0 || keeps_length(joint)))
    count += coordinate_rows(joint, row_of_coordinate(sides), rows.data() + count);
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
  if (joint.broken) return 0;
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
    case JointKind::kRope:
    case JointKind::kSpring:
      return locked;
    case JointKind::kTarget:
      return 0;
    case JointKind::kBead:
    case JointKind::kGear:
      return D == 2 ? 1 : 0;
    case JointKind::kUniversal:
      return D == 2 ? 0 : 4;
    case JointKind::kCylindrical:
      return D == 2 ? 0 : 4 + locked;
    case JointKind::kPlanar:
      return D == 2 ? 0 : 3 + locked;
    case JointKind::kScrew:
      return D == 2 ? 0 : 5 + locked;
  }
  return 0;
}

template <int D>
JointCoordinate joint_coordinate(const Joint<D>& joint, const State<D>& state) {
  if (!has_coordinate(joint.kind)) return {};
  const JointRow<D> row = coordinate_row(joint, state);
  return {row.error, row_rate(row, motion_of_body(state, joint.body_a), motion_of_body(state, joint.body_b))};
}

template <int D>
JointRow<D> coordinate_row(const Joint<D>& joint, const State<D>& state) {
  JointRow<D> row =
      row_of_coordinate(sides_of(joint, motion_of_body(state, joint.body_a), motion_of_body(state, joint.body_b)));
  if (joint.body_a == kWorldBody) row.linear_a.setZero(), row.angular_a.setZero();
  if (joint.body_b == kWorldBody) row.linear_b.setZero(), row.angular_b.setZero();
  return row;
}

template <int D>
double row_response(const JointRow<D>& row, const Joint<D>& joint, const Bodies<D>& bodies, const State<D>& state) {
  const auto side = [&](std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular) {
    if (body == kWorldBody || !bodies.dynamic(body)) return 0.0;
    return bodies.inv_mass[body] * linear.squaredNorm() +
           angular.dot(apply_moments(frame_of(state.orientation[body]), bodies.inv_inertia[body], angular));
  };
  return side(joint.body_a, row.linear_a, row.angular_a) + side(joint.body_b, row.linear_b, row.angular_b);
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
    if (drives(row.kind)) continue;
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
  if (rows.empty()) return {};  // broken: it may have no body any more
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
  template JointRow<D> coordinate_row(const Joint<D>&, const State<D>&);                                        \
  template double row_response(const JointRow<D>&, const Joint<D>&, const Bodies<D>&, const State<D>&);         \
  template JointErrors joint_errors(const Joint<D>&, const State<D>&);                                          \
  template Vec<D> joint_point_a(const Joint<D>&, const State<D>&);                                              \
  template Vec<D> joint_point_b(const Joint<D>&, const State<D>&);                                              \
  template JointImpulse<D> joint_impulse(const Joint<D>&, const State<D>&, std::span<const JointRow<D>>,        \
                                         std::span<const double>);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
