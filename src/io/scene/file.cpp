#include "touchstone/scene_file.h"

#include <fmt/format.h>

#include "io/scene/build.h"
#include "io/scene/check.h"
#include "io/scene/overrides.h"
#include "io/scene/reader.h"
#include "io/scene/text.h"

namespace touchstone {
namespace {

toml::table parse_tree(const std::string& text, const std::string& path) {
  try {
    return toml::parse(std::string_view(text), std::string_view(path));
  } catch (const toml::parse_error& e) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}:{}:{}: not valid TOML: {}", path, e.source().begin.line,
                                                  e.source().begin.column, e.description()));
  }
}

// A file of another version is not looked into: its other keys mean something else.
void check_version(const toml::table& root, SceneErrors& errors) {
  const toml::node* version = root.get("touchstone");
  if (!version || !version->is_integer() || version->as_integer()->get() == kSceneFormatVersion) return;
  const ScenePath top;
  errors.bad_value(*version, {&top, "touchstone"},
                   fmt::format("this program reads version {} of the format", kSceneFormatVersion));
  errors.throw_if_any();
}

int dimension_of(const toml::table& root) {
  const std::int64_t dimension = root["dimension"].value_exact<std::int64_t>().value_or(0);
  return dimension == 2 || dimension == 3 ? static_cast<int>(dimension) : 0;
}

}  // namespace

SceneDescription parse_scene_text(const std::string& text, const std::string& path,
                                  const std::vector<SceneOverride>& overrides, const SceneLimits& limits) {
  check_scene_text(text, path, limits);
  toml::table root = parse_tree(text, path);
  SceneErrors errors(path);
  apply_overrides(root, overrides, errors);
  check_version(root, errors);
  const int dimension = dimension_of(root);
  check_against_format(root, dimension, errors);
  if (dimension == 0) errors.throw_if_any();  // little else has a meaning
  SceneDescription scene = build_scene(root, dimension, limits, errors);
  errors.throw_if_any();
  return scene;
}

LoadedScene read_scene(const std::string& path, const std::vector<SceneOverride>& overrides,
                       const SceneLimits& limits) {
  LoadedScene loaded;
  loaded.text = read_scene_text(path, limits);
  loaded.scene = parse_scene_text(loaded.text, path, overrides, limits);
  return loaded;
}

SceneDescription load_scene(const std::string& path, const std::vector<SceneOverride>& overrides) {
  return read_scene(path, overrides).scene;
}

SceneDescription parse_scene(const std::string& text, const std::string& path,
                             const std::vector<SceneOverride>& overrides) {
  return parse_scene_text(text, path, overrides, {});
}

}  // namespace touchstone
