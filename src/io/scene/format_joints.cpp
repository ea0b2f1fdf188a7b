#include "io/scene/format_keys.h"

namespace touchstone {

const TableSpec& joint_format() {
  static const TableSpec table{
      "joint",
      "A joint between two bodies, or a body and the world. It holds them as they are at the start, where its "
      "coordinate "
      "is zero: an angle (hinge, pin, planar: in rad) or a displacement (slider, cylindrical, screw: in m). The "
      "coordinate of distance, rope and spring is their length. Not every model supports joints. In 3D there are ball, "
      "hinge, slider, fixed, distance, universal, rope, spring, target, cylindrical, planar and screw; in 2D pin, "
      "slider, "
      "weld, distance, rope, spring, bead, gear and target. docs/conventions.md has their signs and frames.",
      {
          text("name", "joint_N by its place", "Unique name."),
          required(one_of({"ball", "hinge", "pin", "slider", "fixed", "weld", "distance", "universal", "rope", "spring",
                           "bead", "gear", "target", "cylindrical", "planar", "screw"},
                          text("kind", "", "What it is."))),
          text("body_a", "world", "Name of a body, or `world`."),
          text("body_b", "world", "Name of a body, or `world`."),
          vector("point", "m", "fixed, weld and slider: the frame of body_b; others need it",
                 "Where it is, in the world at the start. Not for distance, rope, spring, bead, gear and target."),
          vector(
              "point_a", "m", "by `point`; distance, rope, spring, bead: the frame's origin; target: where it is",
              "Instead of `point`: its place in the frame of body_a. Distance, rope and spring have only these. Bead: "
              "the origin of the curve's x and y. Target: the place in the world that body_b is pulled to."),
          vector("point_b", "m", "by `point`; distance, rope, spring, bead, target: the frame's origin",
                 "Instead of `point`: its place in the frame of body_b. Bead: the point that stays on the curve."),
          vector("axis", "", "hinge, slider, universal, cylindrical, planar and screw need it",
                 "The axis of a hinge or screw, the direction of a slider, the normal of a planar joint, the universal "
                 "joint's axis on body_a; in world axes at the start, of any length."),
          only(3, vector("axis_b", "", "universal needs it",
                         "The universal joint's axis on body_b, perpendicular to `axis`.")),
          above(0, number("length", "m", "as it is at the start",
                          "Distance: the length to be kept. Rope: the greatest length.")),
          only(3, number("pitch", "m/rad", "screw needs it",
                         "Screw: how far body_b moves along the axis for a turn about it; right-handed if positive.")),
          only(2, number("ratio", "", "gear needs it",
                         "Gear: turns of body_b for a turn of body_a; negative for wheels that mesh outside.")),
          only(2,
               text("curve", "bead needs it",
                    "Bead: the curve in the frame of body_a, an equation in x and y (m) such as `y = x^2/2`, with + - "
                    "* / ^, sin, cos, tan, exp, log, sqrt and pi.")),
          number("lower", "rad or m", "no limit",
                 "Lower limit of the coordinate: an angle (from −π to π), a displacement, or the length of a distance "
                 "joint, which may then lie between its limits."),
          number("upper", "rad or m", "no limit", "Upper limit."),
          at_least(0, number("stiffness", "N·m/rad or N/m", "no spring",
                             "A spring that pulls the coordinate to `rest`. The step must be short enough for it.")),
          at_least(0, number("damping", "N·m·s/rad or N·s/m", "0", "A damper of the coordinate.")),
          number("rest", "rad or m", "the coordinate at the start", "Where the spring pulls to."),
          at_least(0, number("friction", "N·m or N", "0",
                             "Dry friction: the greatest torque or force against motion of the coordinate.")),
          number("motor_speed", "rad/s or m/s", "no motor",
                 "A motor drives the coordinate at this speed; 0 is a brake."),
          number("motor_position", "rad or m", "no motor",
                 "Instead of `motor_speed`: a motor drives the coordinate to this value and holds it there. A hinge "
                 "without limits takes the shorter way."),
          key_of(
              "motor_waypoints", ValueType::kPairList, "s; rad or m", "no motor",
              "Instead of `motor_position`: values over time, `[[time, value], …]`, with increasing times. In between "
              "the wanted value moves at constant speed; before the first and after the last it stays."),
          number("motor_force", "N·m or N", "no motor",
                 "Instead of `motor_speed`: a constant torque or force on the coordinate."),
          above(0, number("motor_max_force", "N·m or N", "a motor and a target need it",
                          "The greatest torque or force of the motor; what it cannot move stops it. Target: the "
                          "greatest force.")),
          above(0, number("motor_max_speed", "rad/s or m/s", "no limit",
                          "The greatest speed of a target, or of a motor with `motor_position` or `motor_waypoints`.")),
          above(0, number("motor_response", "s", "usual: 0.05",
                          "The time in which a target, or such a motor, brings an error down to 37 %: it aims at the "
                          "speed (wanted − actual)/`motor_response`.")),
          number("motor_from", "s", "the start", "The motor is off before this time."),
          number("motor_until", "s", "never", "The motor is off from this time on."),
          above(0, number("break_force", "N", "never",
                          "The joint breaks after a step in which its mean force was greater.")),
          above(0, number("break_torque", "N·m", "never",
                          "The joint breaks after a step in which its mean torque, about its place, was greater.")),
          boolean("collide", "false", "Whether the two bodies may touch each other."),
          each_key("Makes one such joint for each body of that entry (which has `repeat`, `scatter` or `each`), named "
                   "NAME_0, ... In `body_a` and `body_b`, the name of an entry of several bodies then stands for the "
                   "body of the same number."),
      }};
  return table;
}

}  // namespace touchstone
