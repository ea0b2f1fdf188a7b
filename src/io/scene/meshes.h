#pragma once
// The mesh files that a scene refers to. Each is read once; what was read is kept as text for recordings, so that a
// recording can be resumed and drawn where the files are gone.
#include <map>
#include <string>
#include <vector>

#include "io/mesh_file.h"
#include "io/scene/reader.h"

namespace touchstone {

class SceneMeshes {
 public:
  // `kept`: the files of an earlier reading, by their name in the scene; the others are sought beside `scene_path`.
  SceneMeshes(const std::string& scene_path, const SceneFiles& kept, const SceneLimits& limits)
      : scene_path_(scene_path), kept_(kept), limits_(limits) {}

  // Throws Error that says what is wrong with the file.
  const MeshFile& get(const std::string& name);
  // All that were asked for.
  SceneFiles files() const;

  // What was put right in the shapes, each with the place of its shape.
  std::vector<std::string> notes;

 private:
  const std::string& scene_path_;
  const SceneFiles& kept_;
  const SceneLimits& limits_;
  std::map<std::string, MeshFile> meshes_;
};

}  // namespace touchstone
