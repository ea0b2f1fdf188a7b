#include "sim/joint_description.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace touchstone {
namespace {

using Faults = std::vector<JointFault>;

// By how much a joint may be off at the start [m, rad]: coordinates that were written with a few digits. The model
// closes what is left in its first step.
constexpr double kStartError = 1e-4;

void add(Faults& out, const char* key, std::string_view what) {
  JointFault& fault = out.emplace_back();
  fault.key = key, fault.what = what;
}

bool has_limits(const JointDescription& d) { return d.lower || d.upper; }
bool moves_along_coordinate(JointKind kind) { return kind == JointKind::kHinge || kind == JointKind::kSlider; }

void number_faults(const JointDescription& d, Faults& out) {
  const std::array<std::pair<const char*, const std::optional<double>*>, 10> numbers{
      {{"length", &d.length},
       {"lower", &d.lower},
       {"upper", &d.upper},
       {"motor_speed", &d.motor_speed},
       {"motor_position", &d.motor_position},
       {"motor_max_force", &d.motor_max_force},
       {"motor_max_speed", &d.motor_max_speed},
       {"motor_response", &d.motor_response},
       {"motor_from", &d.motor_from},
       {"motor_until", &d.motor_until}}};
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
  if (d.kind == JointKind::kDistance) {
    if (d.point) add(out, "point", "is one place: a distance joint has two, point_a and point_b");
    return;
  }
  if (d.point && (d.point_a || d.point_b))
    add(out, "point", "is given beside point_a or point_b; use the one or the others");
  const bool anywhere = d.kind == JointKind::kFixed || d.kind == JointKind::kSlider;
  if (!anywhere && !d.point && !d.point_a && !d.point_b)
    add(out, "point", fmt::format("is missing: {} needs to know where it is", a_joint));
}

void axis_faults(const JointDescription& d, int dimension, const std::string& a_joint, Faults& out) {
  constexpr double kSmallest = 1e-12;      // as for quaternions: below it is a slip
  constexpr double kPerpendicular = 1e-3;  // cosine of the angle between them: axis_b is made exact
  const bool needs = d.kind == JointKind::kSlider || d.kind == JointKind::kUniversal ||
                     (d.kind == JointKind::kHinge && dimension == 3);
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
  if (d.kind != JointKind::kDistance)
    add(out, "length", fmt::format("does not belong to {}", a_joint));
  else if (has_limits(d))
    add(out, "length", "is given beside lower or upper; use the one or the others");
  else if (!(*d.length > 0))
    add(out, "length", "must be positive");
}

void limit_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  if (!has_limits(d)) return;
  const char* given = d.lower ? "lower" : "upper";
  if (!moves_along_coordinate(d.kind) && d.kind != JointKind::kDistance)
    return add(out, given, fmt::format("does not belong to {}: it has no limits", a_joint));
  if (d.lower && d.upper && *d.lower > *d.upper)
    add(out, "lower", fmt::format("must not be above upper, which is {}", *d.upper));
  if (d.kind == JointKind::kHinge)
    for (const auto& [key, value] : {std::pair{"lower", d.lower}, std::pair{"upper", d.upper}})
      if (value && std::abs(*value) > std::numbers::pi) add(out, key, "must lie between -π and π (rad)");
  if (d.kind == JointKind::kDistance) {
    if (d.lower && *d.lower < 0) add(out, "lower", "must not be negative: a length");
    if (d.upper && !(*d.upper > 0)) add(out, "upper", "must be positive: a length");
  }
}

// The first key that a motor has been given, null if none.
const char* motor_key(const JointDescription& d) {
  if (d.motor_speed) return "motor_speed";
  if (d.motor_position) return "motor_position";
  if (!d.motor_waypoints.empty()) return "motor_waypoints";
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

void motor_faults(const JointDescription& d, const std::string& a_joint, Faults& out) {
  const char* given = motor_key(d);
  if (!given) return;
  if (!moves_along_coordinate(d.kind))
    return add(out, given, fmt::format("does not belong to {}: it has no motor", a_joint));
  if (!d.motor_max_force)
    add(out, "motor_max_force",
        fmt::format("is missing: a motor needs the greatest {} that it has",
                    d.kind == JointKind::kHinge ? "torque (N·m)" : "force (N)"));
  else if (!(*d.motor_max_force > 0))
    add(out, "motor_max_force", "must be positive");
  const bool position = d.motor_position || !d.motor_waypoints.empty();
  if (!d.motor_speed && !position)
    add(out, "motor_speed", "is missing: a motor needs it (0 holds, as a brake), or motor_position or motor_waypoints");
  if (d.motor_speed && position)
    add(out, "motor_speed", "is given beside motor_position or motor_waypoints; use one of them");
  if (d.motor_position && !d.motor_waypoints.empty())
    add(out, "motor_position", "is given beside motor_waypoints; use one of them");
  if (!position && d.motor_speed && (d.motor_max_speed || d.motor_response))
    add(out, d.motor_max_speed ? "motor_max_speed" : "motor_response",
        "belongs to a motor with motor_position or motor_waypoints");
  if (d.motor_max_speed && !(*d.motor_max_speed > 0)) add(out, "motor_max_speed", "must be positive");
  if (d.motor_response && !(*d.motor_response > 0)) add(out, "motor_response", "must be positive");
  if (const std::string what = waypoint_fault(d.motor_waypoints); !what.empty()) add(out, "motor_waypoints", what);
  if (d.motor_until && !(*d.motor_until > d.motor_from.value_or(0.0)))
    add(out, "motor_until", fmt::format("must be after motor_from, which is {} s", d.motor_from.value_or(0)));
  if ((d.motor_speed || position) && d.lower && d.upper && *d.lower == *d.upper)
    add(out, given, "has no effect: lower and upper are equal");
}

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
  if (d.kind == JointKind::kDistance || (d.point_a && d.point_b)) {
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

// What only the places of the bodies show.
template <int D>
std::optional<JointFault> start_fault(const JointDescription& d, const BodyDescription* a, const BodyDescription* b) {
  const Joint<D> joint = described_joint<D>(d, a, b);
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  const int count = joint_rows<D>(joint, placed<D>(a), placed<D>(b), rows);
  for (const JointRow<D>& row : std::span(rows).first(static_cast<std::size_t>(count))) {
    const bool limit = row.kind == RowKind::kLower || row.kind == RowKind::kUpper;
    const char* unit = row.angular ? "rad" : "m";
    if (limit && !(row.error >= -kStartError))
      return JointFault{row.kind == RowKind::kLower ? "lower" : "upper",
                        fmt::format("is passed by {:.6g} {} at the start", -row.error, unit)};
    if (row.kind != RowKind::kEquality || std::abs(row.error) <= kStartError) continue;
    if (d.kind == JointKind::kDistance)
      return JointFault{
          d.length ? "length" : "point_b",
          fmt::format("does not fit: the points are {:.6g} m apart at the start", joint.length + row.error)};
    return JointFault{d.point_b ? "point_b" : "point",
                      fmt::format("does not fit: the joint is {:.6g} {} off at the start", std::abs(row.error), unit)};
  }
  if (d.kind == JointKind::kDistance && !has_limits(d) && !(joint.length > kStartError))
    return JointFault{"point_b", fmt::format("is where point_a is: a distance joint needs two places; use a {}",
                                             joint_kind_name(D == 2 ? JointKind::kHinge : JointKind::kBall, D))};
  return {};
}

bool exists(JointKind kind, int dimension) {
  return kind <= JointKind::kUniversal &&
         (dimension == 3 || (kind != JointKind::kBall && kind != JointKind::kUniversal));
}

}  // namespace

std::vector<JointFault> description_faults(const JointDescription& d, int dimension) {
  if (!exists(d.kind, dimension))
    return {{"kind", fmt::format("must be {}", dimension == 2 ? "pin, slider, weld or distance in 2D"
                                                              : "one of the kinds of joints")}};
  const std::string a_joint = fmt::format("a {} joint", joint_kind_name(d.kind, dimension));
  Faults out;
  number_faults(d, out);
  vector_faults(d, dimension, out);
  if (!out.empty()) return out;  // the rest compares numbers
  point_faults(d, a_joint, out);
  axis_faults(d, dimension, a_joint, out);
  length_faults(d, a_joint, out);
  limit_faults(d, a_joint, out);
  motor_faults(d, a_joint, out);
  return out;
}

std::optional<JointFault> joined_bodies_fault(const BodyDescription* a, const BodyDescription* b) {
  if (a == b) return JointFault{"body_b", "must be another body than body_a, and one of the two not the world"};
  const auto moves = [](const BodyDescription* body) { return body && body->kind == BodyKind::kDynamic; };
  if (!moves(a) && !moves(b)) return JointFault{"body_b", "is not dynamic, nor is body_a: the joint has no effect"};
  return {};
}

std::optional<JointFault> joint_fault(const JointDescription& d, int dimension, const BodyDescription* a,
                                      const BodyDescription* b) {
  if (auto fault = joined_bodies_fault(a, b)) return fault;
  if (const Faults faults = description_faults(d, dimension); !faults.empty()) return faults.front();
  return dimension == 2 ? start_fault<2>(d, a, b) : start_fault<3>(d, a, b);
}

MotorCommand described_motor(const JointDescription& d) {
  MotorCommand out;
  const bool position = d.motor_position || !d.motor_waypoints.empty();
  if (!d.motor_speed && !position) return out;
  out.kind = position ? MotorCommand::Kind::kPosition : MotorCommand::Kind::kSpeed;
  out.target = position ? d.motor_position.value_or(0.0) : *d.motor_speed;
  out.max_force = d.motor_max_force.value_or(0.0);
  out.max_speed = d.motor_max_speed.value_or(out.max_speed);
  out.response = d.motor_response.value_or(out.response);
  out.from = d.motor_from.value_or(out.from);
  out.until = d.motor_until.value_or(out.until);
  out.waypoints = d.motor_waypoints;
  return out;
}

std::string motor_command_fault(const MotorCommand& m, JointKind kind, int dimension) {
  if (!moves_along_coordinate(kind))
    return fmt::format("a {} joint has no motor; a {} and a slider have one", joint_kind_name(kind, dimension),
                       joint_kind_name(JointKind::kHinge, dimension));
  if (m.kind == MotorCommand::Kind::kOff) return {};
  if (m.kind > MotorCommand::Kind::kPosition) return "the kind of the command is unknown";
  if (!std::isfinite(m.target)) return fmt::format("the target is {}; it must be finite", m.target);
  if (!(m.max_force > 0) || !std::isfinite(m.max_force))
    return fmt::format("max_force is {}; it must be positive and finite", m.max_force);
  if (!(m.max_speed > 0)) return fmt::format("max_speed is {}; it must be positive", m.max_speed);
  if (!(m.response > 0) || !std::isfinite(m.response))
    return fmt::format("response is {} s; it must be positive and finite", m.response);
  if (std::isnan(m.from) || !(m.until > m.from))
    return fmt::format("until is {} s and from {} s; it must be after it", m.until, m.from);
  if (!m.waypoints.empty() && m.kind == MotorCommand::Kind::kSpeed)
    return "waypoints are positions: they belong to a command of kind kPosition";
  if (const std::string what = waypoint_fault(m.waypoints); !what.empty()) return "waypoints " + what;
  return {};
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
  joint.point_a = joint.described_a, joint.point_b = joint.described_b;
  joint.frame_a = joint.described_frame_a, joint.frame_b = joint.described_frame_b;
  const bool length = d.kind == JointKind::kDistance;
  if (d.lower && !(length && *d.lower == 0)) joint.lower = *d.lower;  // every length is at least zero
  if (d.upper) joint.upper = *d.upper;
  if (length && !has_limits(d)) {
    std::array<JointRow<D>, kMaxJointRows<D>> rows;
    joint_rows<D>(joint, at_a, at_b, rows);
    joint.length = d.length.value_or(rows[0].error);
  }
  joint.motor = described_motor(d);
  joint.has_motor = joint.motor.kind != MotorCommand::Kind::kOff;
  return joint;
}

template Joint<2> described_joint(const JointDescription&, const BodyDescription*, const BodyDescription*);
template Joint<3> described_joint(const JointDescription&, const BodyDescription*, const BodyDescription*);

}  // namespace touchstone
