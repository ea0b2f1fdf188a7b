#pragma once
// Shapes, and the placements that shapes and bodies share.
#include <unordered_set>
#include <vector>

#include "io/scene/meshes.h"
#include "io/scene/table.h"
#include "touchstone/description.h"

namespace touchstone {

Placement read_placement(const SceneTable& table);
// Of `shape` or `shapes`; reports keys that the kind does not take and kinds that the dimension does not have. One
// entry makes several shapes if it is a mesh that is taken as convex parts.
std::vector<ShapeDescription> read_shapes(const SceneTable& body, const std::unordered_set<std::string>& materials,
                                          SceneMeshes& meshes);
// The name if there is such a material; otherwise reports it and gives the fallback.
std::string read_material(const SceneTable& table, const std::unordered_set<std::string>& materials,
                          const std::string& fallback);

}  // namespace touchstone
