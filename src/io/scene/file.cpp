#include "touchstone/scene_file.h"

#include <fmt/format.h>

#include "io/scene/build.h"
#include "io/scene/check.h"
#include "io/scene/meshes.h"
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

LoadedScene load_scene_text(const std::string& text, const std::string& path,
                            const std::vector<SceneOverride>& overrides, const SceneLimits& limits,
                            const SceneFiles& kept) {
  check_scene_text(text, path, limits);
  toml::table root = parse_tree(text, path);
  SceneErrors errors(path);
  apply_overrides(root, overrides, errors);
  if (!limits.controllers) root.erase("controller");
  check_version(root, errors);
  const int dimension = dimension_of(root);
  check_against_format(root, dimension, errors);
  if (dimension == 0) errors.throw_if_any();  // little else has a meaning
  SceneMeshes meshes(path, kept, limits);
  LoadedScene loaded;
  loaded.scene = build_scene(root, dimension, limits, meshes, errors);
  errors.throw_if_any();
  loaded.text = text;
  loaded.files = meshes.files();
  loaded.notes = meshes.notes;
  return loaded;
}

SceneDescription parse_scene_text(const std::string& text, const std::string& path,
                                  const std::vector<SceneOverride>& overrides, const SceneLimits& limits) {
  return load_scene_text(text, path, overrides, limits).scene;
}

LoadedScene read_scene(const std::string& path, const std::vector<SceneOverride>& overrides,
                       const SceneLimits& limits) {
  return load_scene_text(read_scene_text(path, limits), path, overrides, limits);
}

SceneDescription load_scene(const std::string& path, const std::vector<SceneOverride>& overrides) {
  return read_scene(path, overrides).scene;
}

SceneDescription parse_scene(const std::string& text, const std::string& path,
                             const std::vector<SceneOverride>& overrides, const SceneFiles& files) {
  return load_scene_text(text, path, overrides, {}, files).scene;
}

}  // namespace touchstone
