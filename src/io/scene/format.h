#pragma once
// The scene format as data. One table describes every section and key: the reader checks files against it, and
// docs/scene-format.md and docs/scene.schema.json are generated from it.
#include <cstdint>
#include <string>
#include <vector>

#include "base/option_spec.h"
#include "models/registry.h"
#include "touchstone/description.h"

namespace touchstone {

inline constexpr std::int64_t kSceneFormatVersion = 1;

// The whole file. A kTableList without a table is reserved: it has a name, and no version reads it yet.
const TableSpec& scene_format();
// The [model] section of one model: `name` and the model's own options.
TableSpec model_format(const ModelInfo& model);

// Which keys a kind of shape takes, beside those that all take.
struct ShapeFormat {
  std::string name;
  ShapeKind kind;
  int only_dimension;  // 2 or 3; 0: both
  std::vector<std::string> required, optional;
  std::string help;
};
const std::vector<ShapeFormat>& shape_formats();
// Whether the key belongs to some kinds of shape only.
bool is_shape_parameter(const std::string& key);

// How many numbers a value of this key may have in this dimension; empty if it is a single number.
std::vector<std::size_t> list_lengths(const KeySpec& key, int dimension);
// "above 0 (m)", "between 0 and 1"; "" if there is no limit and no unit.
std::string range_text(const KeySpec& key);

// What `touchstone format --markdown` and `touchstone format --schema` print.
std::string scene_format_markdown();
std::string scene_format_json_schema();

}  // namespace touchstone
