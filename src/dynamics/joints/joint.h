#pragma once
// Joints for every model that has constraints: what a joint is, and its scalar constraints ("rows") at a state, each
// with its error C, its Jacobian J and J̇·v. One file a kind gives the rows; nothing here solves anything.
//
// A row says  dC/dt = linear_a·v_a + angular_a·ω_a + linear_b·v_b + angular_b·ω_b  exactly, at any state, not only
// where C = 0; so an impulse λ of the row adds λ·linear_a/m_a to v_a, I_a⁻¹·λ·angular_a to ω_a, and likewise for B.
// Velocities are of the centres of mass and all vectors are in world axes. Parts that belong to the world are zero. The
// impulses of a row keep momentum and angular momentum of the two bodies exactly, also while C is not zero.
//
// Rows come in this order, which is the same at every state, so that the n-th row is the same constraint from step to
// step: equalities (linear before angular), lower limit, upper limit, motor, friction. Equalities are independent of
// each other at every state in which the joint roughly holds. A Newton iteration on C with J converges from any angular
// error below half a turn: the errors have no second zero that a flipped joint could settle in.
//
// What a joint does with a force of its own is no row: springs, dampers and motors with a given force act through
// coordinate_force.h, for every model and integrator alike. Soft rows would have needed a compliance in every solver,
// and would have damped by an amount that depends on the step; a force keeps the energy of a spring to the order of the
// integrator, at the price of a bound on the step, which is checked.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "dynamics/bodies.h"
#include "dynamics/forces.h"
#include "math/expression.h"
#include "math/rotation.h"

namespace touchstone {

// kEquality: C = 0. kLower, kUpper: C >= 0, where C is the distance to the limit, so that both are like the gap of a
// contact and take an impulse >= 0. kMotor: dC/dt = target_speed with a force of at most max_force either way; its C is
// the joint's coordinate and is not to be corrected. kFriction: a motor of speed zero; its work is no motor's.
enum class RowKind : std::uint8_t { kEquality, kLower, kUpper, kMotor, kFriction };
// Rows of a speed with a bounded force.
inline bool drives(RowKind kind) { return kind == RowKind::kMotor || kind == RowKind::kFriction; }

template <int D>
struct JointRow {
  Vec<D> linear_a = Vec<D>::Zero(), linear_b = Vec<D>::Zero();
  AngVec<D> angular_a = AngVec<D>::Zero(), angular_b = AngVec<D>::Zero();
  double error = 0;      // C [m or rad]
  double rate_bias = 0;  // J̇·v: d²C/dt² without accelerations [m/s² or rad/s²]
  RowKind kind = RowKind::kEquality;
  bool angular = false;                                        // C is an angle [rad]; otherwise a length [m]
  double target_speed = 0;                                     // motor [m/s or rad/s]
  double max_force = std::numeric_limits<double>::infinity();  // motor, friction: greatest force or torque [N or N·m]
};

// The most rows a joint has: a hinge or slider with both limits, motor and friction.
template <int D>
inline constexpr int kMaxJointRows = D == 2 ? 6 : 9;

// Where one body is and how it moves: all that a joint needs to know of it. The world is a default one.
template <int D>
struct BodyMotion {
  Vec<D> position = Vec<D>::Zero();
  Rotation<D> orientation = identity_rotation<D>();
  Vec<D> velocity = Vec<D>::Zero();
  AngVec<D> angular_velocity = AngVec<D>::Zero();
};
template <int D>
BodyMotion<D> motion_of_body(const State<D>& state, std::uint32_t body) {
  if (body == kWorldBody) return {};
  return {state.position[body], state.orientation[body], state.velocity[body], state.angular_velocity[body]};
}

// Both sides keep the joint's place and axes: point_a, frame_a from the centre of mass of A in its body axes (in the
// world if A is the world), and the same for B. At the start the two coincide (but for kinds whose points may be
// apart). The joint's axis is x of the frame: the hinge's axis, the slider's direction (fixed to A), the normal of a
// planar joint. The universal joint's axes are x of frame_a and y of frame_b. A bead's curve is given in frame_a, about
// point_a. A target's point_a is the place in the world, and its frame_a the axes that it pulls along in this step.
template <int D>
struct Joint {
  std::string name;
  std::uint32_t serial = 0;  // its place among all joints of the run, also those that are gone
  JointKind kind = JointKind::kBall;
  bool collide = false;
  std::uint32_t body_a = kWorldBody, body_b = kWorldBody;
  Vec<D> point_a = Vec<D>::Zero(), point_b = Vec<D>::Zero();
  Rotation<D> frame_a = identity_rotation<D>(), frame_b = identity_rotation<D>();
  double length = 0;                        // distance joints without limits [m]
  double pitch = 0;                         // screw [m/rad]
  double ratio = 1;                         // gear
  std::shared_ptr<const Expression> curve;  // bead
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double stiffness = 0, damping = 0, rest = 0;  // of the coordinate
  double friction = 0;                          // its greatest force or torque
  double break_force = std::numeric_limits<double>::infinity(), break_torque = break_force;
  bool broken = false;     // it has no rows and no force
  bool has_motor = false;  // its row is there, also while the motor is off
  MotorCommand motor;
  double motor_speed = 0, motor_max_force = 0;                      // of the step at hand: drive_motor()
  Vec<D> pull_speed = Vec<D>::Zero(), pull_force = Vec<D>::Zero();  // the same of a target, along frame_a
  double response = 0;        // of the coordinate's rate to an impulse, at the start of the step; 0 if it has no spring
  bool ignores_pair = false;  // adding it made its two bodies ignore each other
  // The same in the frames as described: where a side goes when its body gets another mass or other axes.
  Vec<D> described_a = Vec<D>::Zero(), described_b = Vec<D>::Zero();
  Rotation<D> described_frame_a = identity_rotation<D>(), described_frame_b = identity_rotation<D>();

  bool has_lower() const { return lower > -std::numeric_limits<double>::infinity(); }
  bool has_upper() const { return upper < std::numeric_limits<double>::infinity(); }
  bool has_spring() const { return stiffness > 0 || damping > 0; }
  bool breaks() const { return std::min(break_force, break_torque) < std::numeric_limits<double>::infinity(); }
};

// Kinds whose motion along or about something is measured, limited and driven.
bool has_coordinate(JointKind kind);
// Whose coordinate is the distance of two points.
bool is_length(JointKind kind);
// Whose coordinate is an angle.
bool is_angle(JointKind kind);

// Sets what the motor does in a step from `time` by h.
template <int D>
void drive_motor(Joint<D>& joint, const State<D>& state, double time, double h);
// The same of a target joint, which needs the mass that it pulls.
template <int D>
void drive_target(Joint<D>& joint, const Bodies<D>& bodies, const Vec<D>& gravity, const State<D>& state, double time,
                  double h);

// As scene files call it: "hinge", in 2D "pin"; "fixed", in 2D "weld".
const char* joint_kind_name(JointKind kind, int dimension);

// Fills rows at this state and returns how many; rows.size() >= kMaxJointRows<D>. Equal limits are one equality. Never
// gives a number that is not finite for a finite state, also where a joint is singular: there a direction is chosen.
template <int D>
int joint_rows(const Joint<D>& joint, const BodyMotion<D>& a, const BodyMotion<D>& b, std::span<JointRow<D>> rows);
template <int D>
int joint_rows(const Joint<D>& joint, const State<D>& state, std::span<JointRow<D>> rows);

// How many equalities joint_rows gives; the rest are limits and motors.
template <int D>
int equality_count(const Joint<D>& joint);

// Hinge, planar: the angle of B against A about the axis, zero at the start, in (−π, π]; of a joint with both limits
// within half a turn of their middle, so that passing a limit does not jump to the other. Slider, cylindrical, screw:
// displacement of B's point from A's along the axis of A. Distance, rope, spring: the length. Others: 0.
struct JointCoordinate {
  double value = 0, rate = 0;  // [rad, rad/s] or [m, m/s]
};
template <int D>
JointCoordinate joint_coordinate(const Joint<D>& joint, const State<D>& state);
// Its row, whose error is its value. Only for kinds that have one.
template <int D>
JointRow<D> coordinate_row(const Joint<D>& joint, const State<D>& state);
// J·M⁻¹·Jᵀ of a row [1/kg or 1/(kg·m²)].
template <int D>
double row_response(const JointRow<D>& row, const Joint<D>& joint, const Bodies<D>& bodies, const State<D>& state);

// |C| and |dC/dt| of all equalities together, as the length of a vector: its components are along axes that nobody
// sees. Limits that are passed count if they are farther beyond (dC/dt only where it goes on beyond).
struct JointErrors {
  double position = 0, angle = 0;             // [m], [rad]
  double velocity = 0, angular_velocity = 0;  // [m/s], [rad/s]
};
template <int D>
JointErrors joint_errors(const Joint<D>& joint, const State<D>& state);

// dC/dt of a row.
template <int D>
double row_rate(const JointRow<D>& row, const BodyMotion<D>& a, const BodyMotion<D>& b) {
  return row.linear_a.dot(a.velocity) + row.angular_a.dot(a.angular_velocity) + row.linear_b.dot(b.velocity) +
         row.angular_b.dot(b.angular_velocity);
}

// The joint's place on B (on A) in the world.
template <int D>
Vec<D> joint_point_a(const Joint<D>& joint, const State<D>& state);
template <int D>
Vec<D> joint_point_b(const Joint<D>& joint, const State<D>& state);

// What B received through a joint, about the joint's place on B; A received the opposite.
template <int D>
struct JointImpulse {
  Vec<D> linear = Vec<D>::Zero();         // [N·s]
  AngVec<D> angular = AngVec<D>::Zero();  // [N·m·s]

  template <class Ar>
  void serialize(Ar& ar) {
    ar(linear), ar(angular);
  }
};
// Of the impulses λ that the rows of a joint carried [N·s or N·m·s], at the state that the rows were made at.
template <int D>
JointImpulse<D> joint_impulse(const Joint<D>& joint, const State<D>& state, std::span<const JointRow<D>> rows,
                              std::span<const double> lambda);

}  // namespace touchstone
