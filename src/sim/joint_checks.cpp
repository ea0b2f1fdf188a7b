// What a description of a joint may say, whatever the bodies are, and what a motor may be told.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "sim/joint_description.h"

namespace touchstone {
namespace {

using Faults = std::vector<JointFault>;
using Number = std::optional<double>;

void add(Faults& out, const char* key, std::string_view what) {
  JointFault& fault = out.emplace_back();
  fault.key = key, fault.what = what;
}

bool has_limits(const JointDescription& d) { return d.lower || d.upper; }
// Whose place is two points, or none.
bool has_no_point(JointKind kind) {
  return is_length(kind) || kind == JointKind::kBead || kind == JointKind::kGear || kind == JointKind::kTarget;
}
// Which reactions a kind has at all.
bool passes_torque(JointKind kind) {
  return !is_length(kind) && kind != JointKind::kBead && kind != JointKind::kTarget && kind != JointKind::kBall;
}

void number_faults(const JointDescription& d, Faults& out) {
  const std::array<std::pair<const char*, const Number*>, 19> numbers{{{"length", &d.length},
                                                                       {"pitch", &d.pitch},
                                                                       {"ratio", &d.ratio},
                                                                       {"lower", &d.lower},
                                                                       {"upper", &d.upper},
                                                                       {"stiffness", &d.stiffness},
                                                                       {"damping", &d.damping},
                                                                       {"rest", &d.rest},
                                                                       {"friction", &d.friction},
                                                                       {"motor_speed", &d.motor_speed},
                                                                       {"motor_position", &d.motor_position},
                                                                       {"motor_force", &d.motor_force},
                                                                       {"motor_max_force", &d.motor_max_force},
                                                                       {"motor_max_speed", &d.motor_max_speed},
                                                                       {"motor_response", &d.motor_response},
                                                                       {"motor_from", &d.motor_from},
                                                                       {"motor_until", &d.motor_until},
                                                                       {"break_force", &d.break_force},
                                                                       {"break_torque", &d.break_torque}}};
  for (const auto& [key, value] : numbers)
    if (*value && !std::isfinite(**value)) add(out, key, "must be finite; leave it out if there is none");
}

void vector_faults(const JointDescription& d, int dimension, Faults& out) {
  const std::array<std::pair<const char*, const std::optional<Eigen::Vector3d>*>, 5> vectors{{{"point", &d.point},
                                                                                              {"point_a", &d.point_a},
                                                                                              {"point_b", &d.point_b},
                                                                                              {"axis", &d.axis},
                                                                                              {"axis_b", &d.axis_b}}};
  for (const auto& [key, value] : vectors) {
    if (!*value) continue;
    if (!(*value)->allFinite())
      add(out, key, "must be finite");
    else if (dimension == 2 && (*value)->z() != 0)
      add(out, key, "must have no z component in a 2D scene");
  }
}

void point_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (d.kind == JointKind::kGear) {
    for (const auto& [key, value] : {std::pair{"point", &d.point}, {"point_a", &d.point_a}, {"point_b", &d.point_b}})
      if (*value) add(out, key, "does not belong to a gear joint, which only couples angles; pins hold the wheels");
    return;
  }
  if (has_no_point(d.kind)) {
    if (d.point) add(out, "point", fmt::format("is one place: {} has two, point_a and point_b", a_joint));
    return;
  }
  if (d.point && (d.point_a || d.point_b))
    add(out, "point", "is given beside point_a or point_b; use the one or the others");
  const bool anywhere = d.kind == JointKind::kFixed || d.kind == JointKind::kSlider;
  if (!anywhere && !d.point && !d.point_a && !d.point_b)
    add(out, "point", fmt::format("is missing: {} needs to know where it is", a_joint));
}

bool needs_axis(JointKind kind, int dimension) {
  return kind == JointKind::kSlider || kind == JointKind::kUniversal || kind == JointKind::kCylindrical ||
         kind == JointKind::kPlanar || kind == JointKind::kScrew || (kind == JointKind::kHinge && dimension == 3);
}

void axis_faults(const JointDescription& d, int dimension, const std::string& a_joint, Faults& out) {
  constexpr double kSmallest = 1e-12;      // as for quaternions: below it is a slip
  constexpr double kPerpendicular = 1e-3;  // cosine of the angle between them: axis_b is made exact
  const bool needs = needs_axis(d.kind, dimension);
  const auto zero = [](const Eigen::Vector3d& v) { return !(v.cwiseAbs().maxCoeff() > kSmallest); };
  if (needs && !d.axis)
    add(out, "axis", fmt::format("is missing: {} needs it", a_joint));
  else if (!needs && d.axis)
    add(out, "axis", fmt::format("does not belong to {}", a_joint));
  else if (d.axis && zero(*d.axis))
    add(out, "axis", "must not be zero");
  const bool needs_b = d.kind == JointKind::kUniversal;
  if (needs_b && !d.axis_b)
    add(out, "axis_b", "is missing: a universal joint needs it");
  else if (!needs_b && d.axis_b)
    add(out, "axis_b", fmt::format("does not belong to {}", a_joint));
  else if (d.axis_b && zero(*d.axis_b))
    add(out, "axis_b", "must not be zero");
  else if (d.axis_b && d.axis && !zero(*d.axis) &&
           std::abs(d.axis->stableNormalized().dot(d.axis_b->stableNormalized())) > kPerpendicular)
    add(out, "axis_b", "must be perpendicular to axis");
}

void length_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (!d.length) return;
  if (d.kind != JointKind::kDistance && d.kind != JointKind::kRope)
    add(out, "length", fmt::format("does not belong to {}", a_joint));
  else if (d.kind == JointKind::kDistance && has_limits(d))
    add(out, "length", "is given beside lower or upper; use the one or the others");
  else if (!(*d.length > 0))
    add(out, "length", "must be positive");
}

// What one kind alone has.
void own_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  const auto own = [&](const char* key, bool belongs, bool given, const char* missing) {
    if (belongs && !given) add(out, key, fmt::format("is missing: {}", missing));
    if (!belongs && given) add(out, key, fmt::format("does not belong to {}", a_joint));
    return belongs && given;
  };
  if (own("pitch", d.kind == JointKind::kScrew, d.pitch.has_value(), "a screw joint needs it (m/rad)") && *d.pitch == 0)
    add(out, "pitch", "must not be zero; a screw without pitch is a hinge");
  if (own("ratio", d.kind == JointKind::kGear, d.ratio.has_value(),
          "a gear joint needs it (turns of body_b for a turn of body_a)") &&
      *d.ratio == 0)
    add(out, "ratio", "must not be zero");
  if (!own("curve", d.kind == JointKind::kBead, !d.curve.empty(), "a bead joint needs it, such as \"y = x^2\"")) return;
  try {
    const Expression curve(d.curve);
  } catch (const ExpressionError& e) {
    add(out, "curve", fmt::format("is not understood at its column {}: {}", e.column(), e.what()));
  }
}

void limit_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (!has_limits(d)) return;
  const char* given = d.lower ? "lower" : "upper";
  if (d.kind == JointKind::kRope) return add(out, given, "does not belong to a rope joint: its limit is length");
  if (!has_coordinate(d.kind)) return add(out, given, fmt::format("does not belong to {}: it has no limits", a_joint));
  for (JointFault& fault : limits_faults(d.kind, d.lower, d.upper)) out.push_back(std::move(fault));
}

// Whether nothing can move along the coordinate, and why.
const char* held(const JointDescription& d) {
  if (d.kind == JointKind::kDistance && !has_limits(d)) return "the length is held; give lower or upper";
  if (d.lower && d.upper && *d.lower == *d.upper) return "lower and upper are equal";
  return nullptr;
}

void spring_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (d.kind == JointKind::kSpring && !d.stiffness) add(out, "stiffness", "is missing: a spring joint needs it (N/m)");
  for (const auto& [key, value] :
       {std::pair{"stiffness", &d.stiffness}, {"damping", &d.damping}, {"rest", &d.rest}, {"friction", &d.friction}}) {
    if (!*value) continue;
    const std::string_view name = key;
    if (!has_coordinate(d.kind) || d.kind == JointKind::kRope)
      add(out, key, fmt::format("does not belong to {}", a_joint));
    else if (const char* why = held(d))
      add(out, key, fmt::format("has no effect: {}", why));
    else if (name == "rest" ? is_length(d.kind) && **value < 0 : **value < 0)
      add(out, key, name == "rest" ? "must not be negative: a length" : "must not be negative");
    else if (name == "stiffness" && d.kind == JointKind::kSpring && **value == 0)
      add(out, key, "must be positive");
    else if (name == "rest" && !d.stiffness)
      add(out, key, "has no effect without stiffness");
  }
}

void break_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (d.break_force && !(*d.break_force > 0)) add(out, "break_force", "must be positive");
  if (d.break_torque && !(*d.break_torque > 0)) add(out, "break_torque", "must be positive");
  if (d.break_force && d.kind == JointKind::kGear)
    add(out, "break_force", "has no effect: a gear joint passes no force");
  if (d.break_torque && !passes_torque(d.kind))
    add(out, "break_torque", fmt::format("has no effect: {} passes no torque", a_joint));
}

// The first key that a motor has been given, null if none.
const char* motor_key(const JointDescription& d) {
  if (d.motor_speed) return "motor_speed";
  if (d.motor_position) return "motor_position";
  if (!d.motor_waypoints.empty()) return "motor_waypoints";
  if (d.motor_force) return "motor_force";
  if (d.motor_max_force) return "motor_max_force";
  if (d.motor_max_speed) return "motor_max_speed";
  if (d.motor_response) return "motor_response";
  if (d.motor_from) return "motor_from";
  return d.motor_until ? "motor_until" : nullptr;
}

// Of times and positions of a motor; empty: nothing is wrong.
std::string waypoint_fault(const std::vector<std::array<double, 2>>& waypoints) {
  for (std::size_t i = 0; i < waypoints.size(); ++i) {
    if (!std::isfinite(waypoints[i][0]) || !std::isfinite(waypoints[i][1])) return "must be finite";
    if (i > 0 && !(waypoints[i][0] > waypoints[i - 1][0]))
      return fmt::format("must have increasing times, and {} s follows {} s", waypoints[i][0], waypoints[i - 1][0]);
  }
  return {};
}

// The greatest force, and what else all motors share.
void motor_bound_faults(const JointDescription& d, bool needs_most, Faults& out) {
  if (needs_most && !d.motor_max_force)
    add(out, "motor_max_force",
        fmt::format("is missing: a {} needs the greatest {} that it has",
                    d.kind == JointKind::kTarget ? "target" : "motor",
                    is_angle(d.kind) ? "torque (N·m)" : "force (N)"));
  else if (d.motor_max_force && !(*d.motor_max_force > 0))
    add(out, "motor_max_force", "must be positive");
  if (d.motor_max_speed && !(*d.motor_max_speed > 0)) add(out, "motor_max_speed", "must be positive");
  if (d.motor_response && !(*d.motor_response > 0)) add(out, "motor_response", "must be positive");
  if (d.motor_until && !(*d.motor_until > d.motor_from.value_or(0.0)))
    add(out, "motor_until", fmt::format("must be after motor_from, which is {} s", d.motor_from.value_or(0)));
}

void target_faults(const JointDescription& d, Faults& out) {
  const std::string_view given = motor_key(d) ? motor_key(d) : "";
  if (given == "motor_speed" || given == "motor_position" || given == "motor_waypoints" || given == "motor_force")
    add(out, motor_key(d), "does not belong to a target joint: point_a is the place that it pulls to");
  motor_bound_faults(d, true, out);
}

// What a motor is to do: one thing.
void motor_aim_faults(const JointDescription& d, Faults& out) {
  const bool position = d.motor_position || !d.motor_waypoints.empty();
  if (!d.motor_speed && !position && !d.motor_force)
    add(out, "motor_speed",
        "is missing: a motor needs it (0 holds, as a brake), or motor_position, motor_waypoints or motor_force");
  if (d.motor_speed && position)
    add(out, "motor_speed", "is given beside motor_position or motor_waypoints; use one of them");
  if (d.motor_position && !d.motor_waypoints.empty())
    add(out, "motor_position", "is given beside motor_waypoints; use one of them");
  if (!position && d.motor_speed && (d.motor_max_speed || d.motor_response))
    add(out, d.motor_max_speed ? "motor_max_speed" : "motor_response",
        "belongs to a motor with motor_position or motor_waypoints");
  if (d.motor_force && (d.motor_speed || position || d.motor_max_force || d.motor_max_speed || d.motor_response))
    add(out, "motor_force", "is the motor's force itself; use it with motor_from and motor_until only");
}

void motor_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (d.kind == JointKind::kTarget) return target_faults(d, out);
  const char* given = motor_key(d);
  if (!given) return;
  if (!has_coordinate(d.kind) || d.kind == JointKind::kRope)
    return add(out, given, fmt::format("does not belong to {}: it has no motor", a_joint));
  motor_bound_faults(d, !d.motor_force, out);
  motor_aim_faults(d, out);
  if (const std::string what = waypoint_fault(d.motor_waypoints); !what.empty()) add(out, "motor_waypoints", what);
  if (const char* why = held(d)) add(out, given, fmt::format("has no effect: {}", why));
}

bool exists(JointKind kind, int dimension) {
  switch (kind) {
    case JointKind::kBall:
    case JointKind::kUniversal:
    case JointKind::kCylindrical:
    case JointKind::kPlanar:
    case JointKind::kScrew:
      return dimension == 3;
    case JointKind::kBead:
    case JointKind::kGear:
      return dimension == 2;
    default:
      return kind <= kLastJointKind;
  }
}

}  // namespace

std::string joint_kinds_of(int dimension) {
  std::vector<std::string> names;
  for (unsigned k = 0; k <= static_cast<unsigned>(kLastJointKind); ++k)
    if (const auto kind = static_cast<JointKind>(k); exists(kind, dimension))
      names.emplace_back(joint_kind_name(kind, dimension));
  return join_or(names);
}

std::vector<JointFault> description_faults(const JointDescription& d, int dimension) {
  if (!exists(d.kind, dimension))
    return {{"kind", fmt::format("must be {} in {}D", joint_kinds_of(dimension), dimension)}};
  const std::string a_joint = fmt::format("a {} joint", joint_kind_name(d.kind, dimension));
  Faults out;
  number_faults(d, out);
  vector_faults(d, dimension, out);
  if (!out.empty()) return out;  // the rest compares numbers
  point_faults(d, a_joint, out);
  axis_faults(d, dimension, a_joint, out);
  length_faults(d, a_joint, out);
  own_faults(d, a_joint, out);
  limit_faults(d, a_joint, out);
  spring_faults(d, a_joint, out);
  motor_faults(d, a_joint, out);
  break_faults(d, a_joint, out);
  return out;
}

Faults limits_faults(JointKind kind, const Number& lower, const Number& upper) {
  Faults out;
  if (lower && upper && *lower > *upper) add(out, "lower", fmt::format("must not be above upper, which is {}", *upper));
  if (is_angle(kind))
    for (const auto& [key, value] : {std::pair{"lower", lower}, std::pair{"upper", upper}})
      if (value && std::abs(*value) > std::numbers::pi) add(out, key, "must lie between -π and π (rad)");
  if (is_length(kind) && lower && *lower < 0) add(out, "lower", "must not be negative: a length");
  if (is_length(kind) && upper && !(*upper > 0)) add(out, "upper", "must be positive: a length");
  return out;
}

std::string motor_command_fault(const MotorCommand& m, JointKind kind, int dimension) {
  using Kind = MotorCommand::Kind;
  if (kind == JointKind::kTarget && m.kind != Kind::kPosition && m.kind != Kind::kOff)
    return "a target joint takes a command of kind kPosition, and set_target its place";
  if (kind != JointKind::kTarget && (!has_coordinate(kind) || kind == JointKind::kRope))
    return fmt::format("a {} joint has no motor; a {} and a slider have one", joint_kind_name(kind, dimension),
                       joint_kind_name(JointKind::kHinge, dimension));
  if (m.kind == Kind::kOff) return {};
  if (m.kind > Kind::kForce) return "the kind of the command is unknown";
  if (!std::isfinite(m.target)) return fmt::format("the target is {}; it must be finite", m.target);
  if (m.kind != Kind::kForce && (!(m.max_force > 0) || !std::isfinite(m.max_force)))
    return fmt::format("max_force is {}; it must be positive and finite", m.max_force);
  if (!(m.max_speed > 0)) return fmt::format("max_speed is {}; it must be positive", m.max_speed);
  if (!(m.response > 0) || !std::isfinite(m.response))
    return fmt::format("response is {} s; it must be positive and finite", m.response);
  if (std::isnan(m.from) || !(m.until > m.from))
    return fmt::format("until is {} s and from {} s; it must be after it", m.until, m.from);
  if (!m.waypoints.empty() && (m.kind != Kind::kPosition || kind == JointKind::kTarget))
    return "waypoints are positions: they belong to a command of kind kPosition";
  if (const std::string what = waypoint_fault(m.waypoints); !what.empty()) return "waypoints " + what;
  return {};
}

}  // namespace touchstone
