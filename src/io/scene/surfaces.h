#pragma once
// The shapes that are made of many points: meshes, chains, height fields and hulls.
#include <string>
#include <vector>

#include "io/scene/meshes.h"
#include "io/scene/table.h"
#include "touchstone/description.h"

namespace touchstone {

struct ShapePart {
  ShapeDescription shape;
  std::string object;  // of a mesh file, if it is one of several
};

// `base` has what all shapes have. A mesh that cannot be read makes no part and an error.
std::vector<ShapePart> read_mesh(const SceneTable& table, const ShapeDescription& base, SceneMeshes& meshes);
ShapeDescription read_chain(const SceneTable& table, const ShapeDescription& base, bool segment);
ShapeDescription read_height_field(const SceneTable& table, const ShapeDescription& base);

// What the format does not tell: whether a hull is flat, a mesh has a topology. Notes what was put right.
void check_form(const SceneTable& table, const ShapePart& part, SceneMeshes& meshes);

}  // namespace touchstone
