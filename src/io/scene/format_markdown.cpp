// docs/scene-format.md from the table of the format.
#include <fmt/format.h>

#include <cmath>

#include "io/scene/format.h"
#include "sim/controller_registry.h"

namespace touchstone {
namespace {

using enum ValueType;

constexpr const char* kIntroduction = R"(# The scene format

<!-- Generated: `touchstone format --markdown > docs/scene-format.md`. Do not edit; a test compares it with the reader. -->

A scene is a [TOML](https://toml.io) file. This one drops a ball on the ground:

```toml
touchstone = 1          # version of the format
name = "first scene"
dimension = 3

[simulation]
step = 0.001            # s
duration = 2.0          # s

[[material]]
name = "rubber"
friction = 0.8
restitution = 0.7

[[body]]
name = "ground"
kind = "static"
shape = { kind = "half_space" }

[[body]]
name = "ball"
position = [0.0, 0.0, 1.0]
material = "rubber"
shape = { kind = "sphere", radius = 0.1 }
```

`touchstone validate scene.toml` checks it, `touchstone run scene.toml` runs it, and `--set key=value` changes a key from
outside: `--set simulation.step=1e-4`, `--set model.name=free`, `--set body.ball.position=[0,0,2]`, `--set body.0.mass=3`.
Entries of a list are addressed by name or counted from 0. A value is TOML; what is not TOML is a string. When
`model.name` is set to another model, the options that the file has for its own model are left out.

## Conventions

- SI units throughout; angles in radians, counter-clockwise.
- Axes: z is up in 3D, y in 2D, as far as the default gravity says. A scene is wholly 2D or wholly 3D.
- A **vector** is a list of one number per dimension: `[x, y]` in 2D (z is absent), `[x, y, z]` in 3D.
- An **angular vector** is a number in 2D and a list of three in 3D.
- Quaternions are `[w, x, y, z]`. Capsules and cylinders lie along the last axis of their frame: y in 2D, z in 3D.
- Numbers must be finite. An integer is accepted where a number is asked for.
- Unknown keys are errors. Every mistake is reported at once with file, line, column, key, value and what would be right.
- A file has at most 64 MiB, a scene at most 1,000,000 bodies and 1000 materials.
- Editors that know JSON schemas for TOML (Taplo, Even Better TOML) check a scene that begins with
  `#:schema docs/scene.schema.json`.
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string type_of(const KeySpec& key) {
  switch (key.type) {
    case kBool:
      return "boolean";
    case kInteger:
      return "integer";
    case kNumber:
      return "number";
    case kString:
      return "string";
    case kStringList:
      return "list of strings";
    case kVector:
      return "vector";
    case kAngularVector:
      return "angular vector";
    case kVectorList:
      return "list of vectors";
    case kIntegerList:
      return "integer per axis";
    case kTripleList:
      return "list of 3 integers each";
    case kPairList:
      return "list of 2 numbers each";
    case kNumberRows:
      return "list of numbers in 2D, of rows of numbers in 3D";
    case kTable:
      return "table";
    case kTableList:
      return "list of tables";
    case kNumberOrList:
      break;
  }
  return key.name == "inertia" ? "number in 2D, list of 3 or 6 in 3D" : "list of 4 numbers";
}

std::string default_of(const KeySpec& key) {
  if (key.required) return "**required**";
  if (key.default_text.empty()) return "";
  if (key.type == kString && key.default_text.find(' ') == std::string::npos &&
      key.default_text.find('\'') == std::string::npos)
    return fmt::format("`\"{}\"`", key.default_text);
  const bool literal =
      key.default_text.find_first_not_of("0123456789.-e[], ") == std::string::npos || key.type == kBool;
  return literal ? fmt::format("`{}`", key.default_text) : key.default_text;
}

std::string meaning_of(const KeySpec& key) {
  std::string text = key.help;
  KeySpec bare = key;
  bare.unit.clear();
  const bool reserved = key.minimum == 0 && key.maximum == 0;
  if (const std::string range = range_text(bare); !range.empty() && key.name != "dimension" && !reserved)
    text += fmt::format(" Must be {}.", range);
  if (!key.choices.empty()) text += fmt::format(" One of `{}`.", fmt::join(key.choices, "`, `"));
  if (key.only_dimension != 0) text += fmt::format(" {}D only.", key.only_dimension);
  return escaped(text);
}

std::string rows(const std::vector<KeySpec>& keys) {
  std::string out = "| key | type | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const KeySpec& key : keys)
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, type_of(key), key.unit, default_of(key),
                       meaning_of(key));
  return out;
}

std::string shape_rows() {
  std::string out = "\n| kind | takes | dimension | meaning |\n| --- | --- | --- | --- |\n";
  for (const ShapeFormat& shape : shape_formats()) {
    std::vector<std::string> takes;
    for (const std::string& key : shape.required) takes.push_back(fmt::format("`{}`", key));
    for (const std::string& key : shape.optional) takes.push_back(fmt::format("`{}` (optional)", key));
    const std::string dimension = shape.only_dimension == 0 ? "2D, 3D" : fmt::format("{}D", shape.only_dimension);
    out += fmt::format("| `{}` | {} | {} | {} |\n", shape.name, fmt::join(takes, ", "), dimension, escaped(shape.help));
  }
  out += "\nEvery pair of shapes can touch, except two half-spaces (docs/collision.md).\n";
  return out;
}

std::string model_sections() {
  std::string out;
  for (const ModelInfo& model : registered_models()) {
    out += fmt::format("\n### Options of the model `{}`\n\n{} {}\n", model.name, model.summary, model.options.help);
    if (!model.options.keys.empty()) out += '\n' + rows(model.options.keys);
  }
  return out;
}

std::string controller_sections() {
  std::string out;
  for (const ControllerKind& kind : registered_controllers()) {
    out += fmt::format("\n### Parameters of the controller `{}`\n\n{}\n", kind.name, kind.help);
    if (!kind.parameters.empty()) out += '\n' + rows(parameters_format(kind).keys);
  }
  return out;
}

// The tables inside a section, each once.
std::string inner_sections(const TableSpec& table) {
  std::string out;
  const TableSpec* last = nullptr;
  for (const KeySpec& key : table.keys) {
    if (!key.table || key.table == last) continue;
    last = key.table;
    out += fmt::format("\n### {} of a {}\n\n{}\n\n{}", key.table->title, table.title, key.table->help,
                       rows(key.table->keys));
    if (key.table->title == "shape") out += shape_rows();
  }
  return out;
}

std::string section_text(const KeySpec& key) {
  const bool list = key.type == kTableList;
  std::string out = fmt::format("\n## {}{}{}\n\n", list ? "[[" : "[", key.name, list ? "]]" : "]");
  out += fmt::format("{}\n\n{}", key.table->help, rows(key.table->keys));
  out += inner_sections(*key.table);
  if (key.name == "model") out += model_sections();
  if (key.name == "controller") out += controller_sections();
  return out;
}

}  // namespace

std::string scene_format_markdown() {
  std::string out = kIntroduction;
  std::vector<KeySpec> plain;
  for (const KeySpec& key : scene_format().keys)
    if (key.type != kTable && key.type != kTableList) plain.push_back(key);
  out += fmt::format("\n## Top of the file\n\n{}", rows(plain));
  for (const KeySpec& key : scene_format().keys)
    if (key.type == kTable || key.type == kTableList) out += section_text(key);
  return out;
}

}  // namespace touchstone
