#include "io/scene/surfaces.h"

#include <fmt/format.h>

#include "geometry/shape.h"
#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

// Of the file, or of the keys in the scene itself; empty after an error.
MeshFile mesh_of(const SceneTable& table, const std::string& as, SceneMeshes& meshes) {
  MeshFile mesh;
  const bool inline_keys = table.has("vertices") || table.has("triangles");
  if (table.has("file")) {
    if (inline_keys) table.error("file", "vertices or triangles are given too; use a file or them");
    const std::string name = table.text("file", "");
    try {
      if (!inline_keys && table.find("file")) mesh = meshes.get(name);
    } catch (const Error& e) {
      table.error("file", e.what());
    }
    return mesh;
  }
  if (!table.has("vertices")) {
    table.error("file", "is missing: a mesh needs a file, or vertices and triangles");
  } else if (as == "triangles" && !table.has("triangles")) {
    table.error("triangles", "is missing: vertices alone are no mesh; add triangles, or as = \"hull\"");
  } else if (as == "convex_parts") {
    table.error("as", "its parts are the objects of a file, and there is none; use as = \"hull\", or several shapes");
  } else {
    mesh.objects.push_back({"", table.vectors("vertices"), table.triples("triangles")});
  }
  return mesh;
}

template <int D>
std::string repairs_of(const ShapeDescription& shape) {
  const Shape<D> made = make_shape<D>(shape);
  if (!made.mesh) return "";
  SurfaceRepair repair = made.mesh->repair;
  if (!shape.source.empty()) repair.welded = 0;  // files repeat vertices, or their reader does: that is no mistake
  return repair_text(repair);
}

// Where a mistake in the points is shown.
const char* key_of(const SceneTable& table) {
  for (const char* key : {"file", "vertices", "heights"})
    if (table.has(key)) return key;
  return "kind";
}

}  // namespace

std::vector<ShapePart> read_mesh(const SceneTable& table, const ShapeDescription& base, SceneMeshes& meshes) {
  const std::string as = table.text("as", "triangles");
  MeshFile mesh = mesh_of(table, as, meshes);
  if (mesh.objects.empty()) return {};
  const bool several = as == "convex_parts";
  if (!several) mesh.objects = {mesh.joined()};
  const double scale = table.number("scale", 1.0);
  std::vector<ShapePart> parts;
  for (MeshObject& object : mesh.objects) {
    ShapePart part{base, several ? object.name : ""};
    part.shape.source = table.text("file", "");
    part.shape.vertices = std::move(object.vertices);
    for (Eigen::Vector3d& v : part.shape.vertices) v *= scale;
    if (as == "triangles")
      part.shape.triangles = std::move(object.triangles);
    else
      part.shape.kind = ShapeKind::kConvex, part.shape.two_sided = false;
    parts.push_back(std::move(part));
  }
  return parts;
}

ShapeDescription read_chain(const SceneTable& table, const ShapeDescription& base, bool segment) {
  ShapeDescription shape = base;
  shape.closed = table.boolean("closed", false);
  if (segment && table.find("vertices") && shape.vertices.size() != 2)
    table.error("vertices", fmt::format("a segment has 2 vertices, not {}; use a chain", shape.vertices.size()));
  return shape;
}

ShapeDescription read_height_field(const SceneTable& table, const ShapeDescription& base) {
  ShapeDescription shape = base;
  const std::vector<std::vector<double>> rows = table.rows("heights");
  shape.spacing = table.number("spacing", 0.0);
  shape.grid = {rows.empty() ? 0 : static_cast<std::uint32_t>(rows[0].size()), static_cast<std::uint32_t>(rows.size())};
  for (const std::vector<double>& row : rows) shape.heights.insert(shape.heights.end(), row.begin(), row.end());
  return shape;
}

void check_form(const SceneTable& table, const ShapePart& part, SceneMeshes& meshes) {
  const ShapeKind kind = part.shape.kind;
  if (kind != ShapeKind::kConvex && kind != ShapeKind::kMesh && kind != ShapeKind::kHeightField) return;
  try {
    const std::string repairs = table.dimension() == 2 ? repairs_of<2>(part.shape) : repairs_of<3>(part.shape);
    if (!repairs.empty())
      meshes.notes.push_back(fmt::format("{}:{}: '{}': {}", table.errors().file(), table.toml().source().begin.line,
                                         table.path().text(), repairs));
  } catch (const Error& e) {
    table.error(key_of(table), part.object.empty() ? e.what() : fmt::format("object '{}': {}", part.object, e.what()));
  }
}

}  // namespace touchstone
