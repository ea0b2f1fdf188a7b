#include "io/scene/format_keys.h"

namespace touchstone {

const TableSpec& joint_format() {
  static const TableSpec table{
      "joint",
      "A joint between two bodies, or a body and the world. It holds them as they are at the start, where the angle of "
      "a "
      "hinge and the displacement of a slider are zero. Not every model supports joints. In 3D there are ball, hinge, "
      "slider, fixed, distance and universal joints; in 2D pin, slider, weld and distance. docs/conventions.md has "
      "their "
      "signs and frames.",
      {
          text("name", "joint_N by its place", "Unique name."),
          required(one_of({"ball", "hinge", "pin", "slider", "fixed", "weld", "distance", "universal"},
                          text("kind", "", "What it is."))),
          text("body_a", "world", "Name of a body, or `world`."),
          text("body_b", "world", "Name of a body, or `world`."),
          vector("point", "m", "fixed, weld and slider: the frame of body_b; others need it",
                 "Where it is, in the world at the start. Not for a distance joint."),
          vector("point_a", "m", "by `point`; distance: the frame's origin",
                 "Instead of `point`: its place in the frame of body_a. A distance joint has only these."),
          vector("point_b", "m", "by `point`; distance: the frame's origin",
                 "Instead of `point`: its place in the frame of body_b."),
          vector("axis", "", "hinge, slider and universal need it",
                 "The hinge's axis, the slider's direction, the universal joint's axis on body_a; in world axes at the "
                 "start, of any length."),
          only(3, vector("axis_b", "", "universal needs it",
                         "The universal joint's axis on body_b, perpendicular to `axis`.")),
          above(0, number("length", "m", "as it is at the start", "Distance: the length to be kept.")),
          number("lower", "hinge, pin: rad, others: m", "no limit",
                 "Lower limit of the angle (from −π to π), the displacement, or the length of a distance joint, which "
                 "may then lie between its limits."),
          number("upper", "hinge, pin: rad, others: m", "no limit", "Upper limit."),
          number("motor_speed", "hinge, pin: rad/s, slider: m/s", "no motor",
                 "A motor drives the angle or displacement at this speed; 0 is a brake."),
          number("motor_position", "hinge, pin: rad, slider: m", "no motor",
                 "Instead of `motor_speed`: a motor drives the angle or displacement to this value and holds it there. "
                 "A hinge without limits takes the shorter way."),
          key_of(
              "motor_waypoints", ValueType::kPairList, "s; hinge, pin: rad, slider: m", "no motor",
              "Instead of `motor_position`: values over time, `[[time, value], …]`, with increasing times. In between "
              "the wanted value moves at constant speed; before the first and after the last it stays."),
          above(0, number("motor_max_force", "hinge, pin: N·m, slider: N", "a motor needs it",
                          "The greatest torque or force of the motor; what it cannot move stops it.")),
          above(0, number("motor_max_speed", "hinge, pin: rad/s, slider: m/s", "no limit",
                          "The greatest speed of a motor with `motor_position` or `motor_waypoints`.")),
          above(0, number("motor_response", "s", "usual: 0.05",
                          "The time in which such a motor brings an error down to 37 %: it aims at the speed "
                          "(wanted − actual)/`motor_response`.")),
          number("motor_from", "s", "the start", "The motor is off before this time."),
          number("motor_until", "s", "never", "The motor is off from this time on."),
          boolean("collide", "false", "Whether the two bodies may touch each other."),
          each_key("Makes one such joint for each body of that entry (which has `repeat`, `scatter` or `each`), named "
                   "NAME_0, ... In `body_a` and `body_b`, the name of an entry of several bodies then stands for the "
                   "body of the same number."),
      }};
  return table;
}

}  // namespace touchstone
