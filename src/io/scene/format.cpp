#include "io/scene/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scene/format_keys.h"

namespace touchstone {
namespace {

using enum ValueType;

// The range [0, 0] is what makes a key reserved.
KeySpec reserved(const char* name) {
  return between(0, 0, number(name, "", "", "Reserved: not supported yet by any model, only 0 is accepted."));
}

void add_surface(TableSpec& table, const char* friction, const char* restitution) {
  table.keys.push_back(at_least(0, number("friction", "", friction, "Coefficient of friction, static and dynamic.")));
  table.keys.push_back(at_least(
      0, number("static_friction", "", "", "With `dynamic_friction`, instead of `friction`; at least as large.")));
  table.keys.push_back(
      at_least(0, number("dynamic_friction", "", "", "With `static_friction`, instead of `friction`.")));
  table.keys.push_back(between(0, 1, number("restitution", "", restitution, "Coefficient of restitution.")));
}

const TableSpec& simulation_format() {
  static const TableSpec table{
      "simulation",
      "How the world is stepped.",
      {
          vector("gravity", "m/s²", "[0, 0, -9.81], in 2D [0, -9.81]", "Acceleration of gravity."),
          above(0, number("step", "s", "0.001", "Size of a time step.")),
          at_least(0, number("duration", "s", "1", "Simulated time of a run.")),
          one_of({"explicit_euler", "semi_implicit_euler", "rk4"},
                 text("integrator", "semi_implicit_euler",
                      "Integrator of the motion; not every model supports every one.")),
          at_least(0, key_of("seed", kInteger, "", "1", "Seed of everything random, such as the jitter of `repeat`.")),
      }};
  return table;
}

const TableSpec& model_name_format() {
  static const TableSpec table{"model",
                               "The contact model, by name, with its own options beside the name. "
                               "Change the name and the same scene runs under another model.",
                               {text("name", "impulse", "Name of the model.")}};
  return table;
}

const TableSpec& collision_format() {
  static const TableSpec table{
      "collision",
      "How contacts are found. The defaults are the fastest; the others are for comparison.",
      {
          one_of({"tree", "sweep_and_prune", "brute_force"},
                 text("broad_phase", "tree",
                      "Method that finds the pairs whose bounds overlap; all methods find the same pairs.")),
          one_of({"auto", "gjk", "sat", "separating_plane", "features"},
                 text("narrow_phase", "auto",
                      "Method that finds where a pair touches: `auto` uses the best routine for each pair of shapes; "
                      "the others force one routine on all pairs that it supports (docs/collision.md).")),
      }};
  return table;
}

const TableSpec& record_format() {
  static const TableSpec table{
      "record",
      "What a recording keeps. Time and state hash are kept for every step.",
      {
          at_least(1, key_of("every", kInteger, "steps", "1", "A frame is recorded every so many steps.")),
          boolean("poses", "true", "Record positions and rotations."),
          boolean("velocities", "true", "Record velocities."),
          boolean("contacts", "true", "Record contact points with their impulses."),
          boolean("yardstick", "true",
                  "Measure every step against the laws of contact and record the measures (docs/yardstick.md)."),
      }};
  return table;
}

const TableSpec& table_format() {
  static const TableSpec table{
      "table",
      "Friction against the table on which a 2D world lies, seen from above. "
      "It acts on bodies that have a `table_friction`.",
      {
          one_of({"coulomb", "viscous"},
                 text("law", "coulomb", "Coulomb: F = μ·m·gravity against the motion. Viscous: F = −μ·m·rate·v.")),
          at_least(0, number("gravity", "m/s²", "9.81", "Coulomb: acceleration into the table.")),
          at_least(0, number("rate", "1/s", "0.1", "Viscous: rate of the decay.")),
          at_least(0, number("static_speed", "m/s", "0.01", "Viscous: below this speed a body is held.")),
          boolean("spin", "true",
                  "Whether it brakes turning, too, as that of a ring with the mass and the inertia of the body."),
      }};
  return table;
}

const TableSpec& material_format() {
  static const TableSpec table = [] {
    TableSpec t{"material",
                "A material. Two materials in contact have the geometric mean of their frictions and the larger "
                "restitution, unless a `[[material_pair]]` says otherwise. The material `default` always exists, "
                "with the defaults below; an entry of that name changes it.",
                {}};
    t.keys.push_back(required(text("name", "", "Unique name.")));
    add_surface(t, "0.5", "0");
    t.keys.push_back(above(0, number("density", "kg/m³, in 2D kg/m²", "1000", "Density of the shapes made of it.")));
    t.keys.push_back(reserved("rolling_friction"));
    t.keys.push_back(reserved("spinning_friction"));
    return t;
  }();
  return table;
}

const TableSpec& material_pair_format() {
  static const TableSpec table = [] {
    TableSpec t{"material_pair",
                "What two materials do in contact, instead of the combination rule. What is not given "
                "follows from the rule.",
                {}};
    t.keys.push_back(required(key_of("materials", kStringList, "", "", "The two names.")));
    add_surface(t, "by the rule", "by the rule");
    return t;
  }();
  return table;
}

const TableSpec& motion_format() {
  static const TableSpec table{
      "motion",
      "Prescribed motion of a kinematic body: position = start + velocity·t + amplitude·(sin(2π·frequency·t + phase) − "
      "sin(phase)), "
      "and the same for the rotation with `angular_velocity` and `angular_amplitude`, which must be parallel.",
      {
          vector("velocity", "m/s", "zero", "Constant velocity."),
          key_of("angular_velocity", kAngularVector, "rad/s", "zero", "Constant angular velocity."),
          vector("amplitude", "m", "zero", "Amplitude of the oscillation."),
          key_of("angular_amplitude", kAngularVector, "rad", "zero", "Amplitude of the turning oscillation."),
          at_least(0, number("frequency", "Hz", "0", "Frequency of both oscillations.")),
          number("phase", "rad", "0", "Phase of both oscillations."),
      }};
  return table;
}

const TableSpec& repeat_format() {
  static const TableSpec table{
      "repeat",
      "Makes a lattice of bodies of one entry, x fastest, then y, then z. The bodies are named NAME_0, NAME_1, ... in "
      "that order.",
      {
          required(between(1, 1e6, key_of("count", kIntegerList, "", "", "Bodies along each axis."))),
          required(vector("spacing", "m", "", "Distance between neighbours along each axis.")),
          at_least(0, number("jitter", "m", "0", "Each coordinate is moved at random by up to this.")),
          at_least(0, number("angle_jitter", "rad", "0",
                             "Each body is turned at random, about world axes, by up to about this.")),
          at_least(0,
                   key_of("seed", kInteger, "", "from simulation.seed and the entry's place", "Seed of the jitter.")),
      }};
  return table;
}

const TableSpec& body_format() {
  static const TableSpec table = [] {
    TableSpec t{"body", "A rigid body.", {}};
    auto& k = t.keys;
    k.push_back(text("name", "body_N by its place", "Unique name."));
    k.push_back(one_of({"dynamic", "kinematic", "static"},
                       text("kind", "dynamic", "Kinematic bodies move as prescribed and feel no force.")));
    k.push_back(vector("position", "m", "zero", "Position of the body's frame."));
    add_rotation(t);
    k.push_back(vector("velocity", "m/s", "zero", "Velocity of the centre of mass."));
    k.push_back(key_of("angular_velocity", kAngularVector, "rad/s", "zero", "Angular velocity, in world axes."));
    k.push_back(section("shape", kTable, &shape_format(), "The shape, if there is one."));
    k.push_back(section("shapes", kTableList, &shape_format(), "The shapes, if there are several."));
    k.push_back(text("material", "default", "Material of the shapes that name none."));
    k.push_back(above(0, number("density", "kg/m³, in 2D kg/m²", "the material's", "Density of all its shapes.")));
    k.push_back(above(
        0, number("mass", "kg", "from the density", "Mass; without `inertia`, the shapes' inertia is scaled to it.")));
    k.push_back(key_of("inertia", kNumberOrList, "kg·m²", "from the shapes",
                       "About the centre of mass, in body axes. 3D: ixx, iyy, izz, or also ixy, ixz, iyz (elements of "
                       "the tensor: ixy = −∫xy dm). Needs `mass`."));
    k.push_back(vector("center_of_mass", "m", "the shapes'", "Centre of mass in the body's frame."));
    k.push_back(number("gravity_scale", "", "1", "Factor on gravity for this body."));
    k.push_back(at_least(0, number("linear_drag", "N·s/m", "0", "F = −c·v.")));
    k.push_back(at_least(0, number("quadratic_drag", "N·s²/m²", "0", "F = −c·|v|·v.")));
    k.push_back(at_least(0, number("angular_drag", "N·m·s", "0", "Torque = −c·ω.")));
    k.push_back(
        only(2, at_least(0, number("table_friction", "", "0", "Coefficient of friction against the `[table]`."))));
    k.push_back(
        vector("surface_velocity", "m/s", "zero", "Velocity of its skin, as of a conveyor belt, in body axes."));
    k.push_back(section("motion", kTable, &motion_format(), "Prescribed motion; kinematic bodies only."));
    k.push_back(key_of("groups", kStringList, "", "[]", "Collision groups it belongs to; a scene has at most 32."));
    k.push_back(key_of("ignores", kStringList, "", "[]", "Groups it does not collide with."));
    k.push_back(key_of("tags", kStringList, "", "[]",
                       "Tags by which controllers and queries find it; a scene has at most 64 different ones."));
    k.push_back(section("repeat", kTable, &repeat_format(), "Makes a lattice of such bodies."));
    k.push_back(section("scatter", kTable, &scatter_format(), "Makes such bodies at random places."));
    k.push_back(each_key(
        "Makes one such body for each body of that earlier entry (which has `repeat`, `scatter` or `each`), "
        "named NAME_0, ...; `position` and the rotation are then in the frame of that body, with which it moves along "
        "at the start."));
    return t;
  }();
  return table;
}

const TableSpec& spring_format() {
  static const TableSpec table{
      "spring",
      "A spring with a damper along its line, between two bodies or a body and the world.",
      {
          text("body_a", "world", "Name of a body, or `world`."),
          text("body_b", "world", "Name of a body, or `world`."),
          vector("point_a", "m", "zero", "Where it is attached, in the frame of body_a."),
          vector("point_b", "m", "zero", "Where it is attached, in the frame of body_b."),
          required(at_least(0, number("stiffness", "N/m", "", "Stiffness."))),
          at_least(0, number("damping", "N·s/m", "0", "Damping along the line.")),
          at_least(0, number("rest_length", "m", "the length at the start", "Length without force.")),
      }};
  return table;
}

const TableSpec& force_format() {
  static const TableSpec table{
      "force",
      "A force and a torque that act on a body all the time, in world axes.",
      {
          required(text("body", "", "Name of a dynamic body.")),
          vector("force", "N", "zero", "Force."),
          key_of("torque", kAngularVector, "N·m", "zero", "Torque about the centre of mass."),
          vector("point", "m", "the centre of mass", "Where the force acts, in the body's frame."),
          at_least(0, number("from", "s", "0", "When it begins.")),
          at_least(0, number("until", "s", "the end", "When it ends.")),
      }};
  return table;
}

}  // namespace

const TableSpec& scene_format() {
  static const TableSpec table{
      "scene",
      "Keys at the top of the file.",
      {
          required(key_of("touchstone", kInteger, "", "", "Version of the format: 1.")),
          text("name", "scene", "Name of the scene."),
          required(between(2, 3, key_of("dimension", kInteger, "", "", "2 or 3."))),
          section("simulation", kTable, &simulation_format(), "How the world is stepped."),
          section("model", kTable, &model_name_format(), "The contact model."),
          section("collision", kTable, &collision_format(), "How contacts are found."),
          section("record", kTable, &record_format(), "What a recording keeps."),
          only(2, section("table", kTable, &table_format(), "Friction of a 2D world seen from above.")),
          section("material", kTableList, &material_format(), "Materials."),
          section("material_pair", kTableList, &material_pair_format(), "Pairs of materials."),
          section("body", kTableList, &body_format(), "Bodies."),
          section("spring", kTableList, &spring_format(), "Springs."),
          section("force", kTableList, &force_format(), "Steady forces."),
          section("joint", kTableList, &joint_format(), "Joints."),
          section("controller", kTableList, &controller_format(), "Controllers."),
      }};
  return table;
}

TableSpec model_format(const ModelInfo& model) {
  TableSpec table = model_name_format();
  table.keys.insert(table.keys.end(), model.options.keys.begin(), model.options.keys.end());
  return table;
}

std::vector<std::size_t> list_lengths(const KeySpec& key, int dimension) {
  const auto per_axis = static_cast<std::size_t>(dimension);
  switch (key.type) {
    case kVector:
    case kVectorList:
    case kIntegerList:
      return {per_axis};
    case kTripleList:
      return {3};
    case kPairList:
      return {2};
    case kAngularVector:
      return dimension == 2 ? std::vector<std::size_t>{} : std::vector<std::size_t>{3};
    case kNumberOrList:
      if (key.name != "inertia") return {4};  // quaternions, and axes with angles
      return dimension == 2 ? std::vector<std::size_t>{} : std::vector<std::size_t>{3, 6};
    default:
      return {};
  }
}

std::string range_text(const KeySpec& key) {
  std::string range;
  const bool low = std::isfinite(key.minimum), high = std::isfinite(key.maximum);
  if (low && high && !key.minimum_excluded)
    range = fmt::format("between {} and {}", key.minimum, key.maximum);
  else if (low && high)
    range = fmt::format("above {} and at most {}", key.minimum, key.maximum);
  else if (low)
    range = fmt::format("{} {}", key.minimum_excluded ? "above" : "at least", key.minimum);
  else if (high)
    range = fmt::format("at most {}", key.maximum);
  if (key.unit.empty()) return range;
  return fmt::format("{}{}({})", range, range.empty() ? "" : " ", key.unit);
}

}  // namespace touchstone
