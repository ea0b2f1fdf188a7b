#include "io/scene/format.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/scene/reader.h"

namespace touchstone {
namespace {

std::string file(const std::string& name) {
  std::ifstream stream(TOUCHSTONE_SOURCE_DIR "/" + name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(SceneFormat, TheDocumentIsWhatTheReaderChecks) {
  EXPECT_TRUE(file("docs/scene-format.md") == scene_format_markdown())
      << "docs/scene-format.md is out of date; rewrite it: touchstone format --markdown > docs/scene-format.md";
}

TEST(SceneFormat, TheSchemaIsWhatTheReaderChecks) {
  EXPECT_TRUE(file("docs/scene.schema.json") == scene_format_json_schema())
      << "docs/scene.schema.json is out of date; rewrite it: touchstone format --schema > docs/scene.schema.json";
}

TEST(SceneFormat, TheFirstExampleOfTheDocumentIsAScene) {
  const std::string text = scene_format_markdown();
  const std::size_t begin = text.find("```toml\n") + 8, end = text.find("```", begin);
  const SceneDescription scene = parse_scene(text.substr(begin, end - begin), "example");
  EXPECT_EQ(scene.bodies.size(), 2u);
}

TEST(SceneFormat, TheSchemaHasEveryKeyAndNoOther) {
  const nlohmann::json schema = nlohmann::json::parse(scene_format_json_schema());
  const auto compare = [](const nlohmann::json& object, const TableSpec& table) {
    SCOPED_TRACE(table.title);
    EXPECT_EQ(object.at("additionalProperties"), false);
    EXPECT_EQ(object.at("properties").size(), table.keys.size());
    for (const KeySpec& key : table.keys) {
      EXPECT_TRUE(object.at("properties").contains(key.name)) << key.name;
      const auto required = object.value("required", std::vector<std::string>{});
      EXPECT_EQ(std::find(required.begin(), required.end(), key.name) != required.end(), key.required) << key.name;
    }
  };
  compare(schema, scene_format());
  for (const KeySpec& section : scene_format().keys) {
    if (!section.table || section.name == "model") continue;
    compare(schema.at("definitions").at(section.table->title), *section.table);
    for (const KeySpec& key : section.table->keys)
      if (key.table) compare(schema.at("definitions").at(key.table->title), *key.table);
  }
  EXPECT_EQ(schema.at("definitions").at("model").at("oneOf").size(), registered_models().size());
}

// Everything that a default can change, as text.
std::string dump(const SceneDescription& s) {
  std::ostringstream out;
  out.precision(17);
  const auto place = [&](const Placement& p) {
    out << p.position.transpose() << ' ' << p.orientation.coeffs().transpose() << ' ' << p.angle << '\n';
  };
  out << s.name << ' ' << s.gravity.transpose() << ' ' << s.step << ' ' << s.duration << ' '
      << static_cast<int>(s.integrator) << ' ' << s.seed << '\n'
      << s.model.name << ' ' << s.record.every << s.record.poses << s.record.velocities << s.record.contacts << '\n';
  if (s.table)
    out << static_cast<int>(s.table->law) << ' ' << s.table->gravity << ' ' << s.table->rate << ' '
        << s.table->static_speed << s.table->spin << '\n';
  for (const MaterialDescription& m : s.materials)
    out << m.name << ' ' << m.static_friction << ' ' << m.dynamic_friction << ' ' << m.restitution << ' ' << m.density
        << '\n';
  for (const BodyDescription& b : s.bodies) {
    out << b.name << ' ' << static_cast<int>(b.kind) << ' ' << b.velocity.transpose() << ' '
        << b.angular_velocity.transpose() << ' ' << b.material << ' ' << b.gravity_scale << ' ' << b.linear_drag << ' '
        << b.quadratic_drag << ' ' << b.angular_drag << ' ' << b.table_friction << ' ' << b.surface_velocity.transpose()
        << ' ' << b.groups.size() << b.ignores.size() << b.tags.size() << '\n';
    place(b.placement);
    for (const ShapeDescription& shape : b.shapes) place(shape.placement);
    if (b.motion)
      out << b.motion->velocity.transpose() << b.motion->angular_velocity.transpose() << b.motion->amplitude.transpose()
          << b.motion->angular_amplitude.transpose() << ' ' << b.motion->frequency << ' ' << b.motion->phase << '\n';
  }
  for (const SpringDescription& p : s.springs)
    out << p.body_a << ' ' << p.body_b << ' ' << p.point_a.transpose() << ' ' << p.point_b.transpose() << ' '
        << p.damping << '\n';
  for (const JointDescription& j : s.joints)
    out << j.name << ' ' << j.body_a << ' ' << j.body_b << ' ' << j.collide << '\n';
  return out.str();
}

std::string minimal(int dimension) {
  const std::string d = std::to_string(dimension);
  const std::string shape = dimension == 2 ? "{ kind = 'circle', radius = 1 }" : "{ kind = 'sphere', radius = 1 }";
  return "touchstone = 1\ndimension = " + d + (dimension == 2 ? "\n[table]\n" : "\n") +
         "[[material]]\nname = 'm'\n[[body]]\nname = 'b'\nshape = " + shape +
         "\n[[body]]\nname = 'k'\nkind = 'kinematic'\nmotion = {}\nrepeat = { count = " +
         (dimension == 2 ? "[1, 1]" : "[1, 1, 1]") + ", spacing = " + (dimension == 2 ? "[0, 0]" : "[0, 0, 0]") +
         " }\n[[body]]\nname = 's'\nshape = " + shape +
         "\nscatter = { count = 2, from = " + (dimension == 2 ? "[5, 5], to = [9, 9]" : "[5, 5, 5], to = [9, 9, 9]") +
         " }\n[[spring]]\nbody_b = 'b'\nstiffness = 1\n[[force]]\nbody = 'b'\n[[joint]]\nkind = 'slider'\nbody_b = "
         "'b'\naxis = " +
         (dimension == 2 ? "[1, 0]\n" : "[1, 0, 0]\n");
}

// The default of the document as a value, or "" if it is words.
std::string literal(const KeySpec& key, int dimension) {
  const std::string& text = key.default_text;
  if (key.type == ValueType::kVector && text == "zero") return dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
  if (key.type == ValueType::kAngularVector && text == "zero") return dimension == 2 ? "0" : "[0, 0, 0]";
  if (key.name == "gravity" && key.type == ValueType::kVector) return dimension == 2 ? "[0, -9.81]" : "[0, 0, -9.81]";
  if (key.type == ValueType::kString) return text.find(' ') == std::string::npos ? text : "";
  return text.find_first_not_of("0123456789.-e[], truefals") == std::string::npos ? text : "";
}

// Writes each documented default into the minimal scene: nothing may change.
int check_defaults(const TableSpec& table, const std::string& prefix, int dimension) {
  int checked = 0;
  const std::string text = minimal(dimension), before = dump(parse_scene(text, "s"));
  for (const KeySpec& key : table.keys) {
    const std::string value = literal(key, dimension);
    if (key.required || value.empty() || (key.only_dimension != 0 && key.only_dimension != dimension)) continue;
    if (prefix.empty() && key.table) continue;
    SCOPED_TRACE(prefix + key.name + " = " + value);
    if (prefix.ends_with("shape.") && is_shape_parameter(key.name)) continue;  // of other kinds than this circle
    if ((prefix == "spring.0." || prefix == "joint.0.") && key.name == "body_b") continue;  // they need an end
    EXPECT_EQ(dump(parse_scene(text, "s", {{prefix + key.name, value}})), before);
    ++checked;
  }
  return checked;
}

TEST(SceneFormat, DocumentedDefaultsAreTheReadersDefaults) {
  int checked = 0;
  const std::map<std::string, std::string> body_of{
      {"shape", "body.b."}, {"motion", "body.k."}, {"repeat", "body.k."}, {"scatter", "body.s."}};
  for (const int dimension : {2, 3}) {
    checked += check_defaults(scene_format(), "", dimension);
    for (const KeySpec& section : scene_format().keys) {
      if (!section.table || (section.only_dimension != 0 && section.only_dimension != dimension) ||
          section.name == "material_pair")
        continue;
      const bool list = section.type == ValueType::kTableList;
      checked += check_defaults(*section.table, section.name + (list ? ".0." : "."), dimension);
      for (const KeySpec& key : section.table->keys)
        if (key.table && key.name != "shapes")
          checked += check_defaults(*key.table, body_of.at(key.name) + key.name + '.', dimension);
    }
  }
  EXPECT_GT(checked, 70);
}

}  // namespace
}  // namespace touchstone
