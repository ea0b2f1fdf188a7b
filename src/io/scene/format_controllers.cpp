// Controllers, and the keys that make many bodies of one entry.
#include "io/scene/format_keys.h"

namespace touchstone {

using enum ValueType;

const TableSpec& scatter_format() {
  static const TableSpec table{
      "scatter",
      "Puts bodies of one entry at random places of a box, named NAME_0, NAME_1, ... Each is apart from the bodies of "
      "earlier entries and from the others by more than `gap`.",
      {
          required(between(0, 1e6, key_of("count", kInteger, "", "", "Bodies."))),
          required(vector("from", "m", "", "Lowest corner of the box, to which `position` is added.")),
          required(vector("to", "m", "", "Highest corner of the box.")),
          at_least(0, number("gap", "m", "0", "Least distance from other bodies at the start.")),
          at_least(0, number("angle_jitter", "rad", "0",
                             "Each body is turned at random, about world axes, by up to about this.")),
          at_least(0, number("velocity_jitter", "m/s", "0",
                             "Up to this is added at random to each component of the velocity.")),
          at_least(0, number("angular_velocity_jitter", "rad/s", "0", "The same for the angular velocity.")),
          at_least(0,
                   key_of("seed", kInteger, "", "from simulation.seed and the entry's place", "Seed of the places.")),
      }};
  return table;
}

KeySpec each_key(const char* help) { return text("each", "", help); }

const TableSpec& controller_format() {
  static const TableSpec table{
      "controller",
      "A controller that is called before each step and commands forces, motors, joints and more (docs/agents.md). "
      "Controllers are called in the order of the file.",
      {
          text("name", "controller_N by its place", "Unique name."),
          required(text("kind", "", "Name of a registered kind, see below.")),
          text("body", "no body", "The body that it belongs to."),
          each_key("Makes one such controller for each body of that entry (which has `repeat`, `scatter` or `each`), "
                   "named NAME_0, ... In `body` and in `parameters`, the name of an entry of several bodies or joints "
                   "then stands for the one of the same number."),
          section("parameters", kTable, nullptr, "Parameters of the kind, listed below."),
      }};
  return table;
}

}  // namespace touchstone
