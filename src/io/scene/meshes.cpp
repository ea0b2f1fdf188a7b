#include "io/scene/meshes.h"

#include <filesystem>

namespace touchstone {

const MeshFile& SceneMeshes::get(const std::string& name) {
  if (const auto known = meshes_.find(name); known != meshes_.end()) return known->second;
  const auto kept = kept_.find(name);
  const auto path = (std::filesystem::path(scene_path_).parent_path() / name).lexically_normal();
  return meshes_[name] =
             kept != kept_.end() ? mesh_of_text(kept->second) : read_mesh_file(path.string(), limits_.mesh_bytes);
}

SceneFiles SceneMeshes::files() const {
  SceneFiles out;
  for (const auto& [name, mesh] : meshes_) out[name] = mesh_text(mesh);
  return out;
}

}  // namespace touchstone
