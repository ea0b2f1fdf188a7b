#include "io/robot/meshes.h"

#include <fmt/format.h>

#include <filesystem>

#include "geometry/hull.h"
#include "geometry/shape.h"
#include "touchstone/error.h"

namespace touchstone {

RobotMesh scaled(RobotMesh mesh, const Eigen::Vector3d& scale) {
  for (Eigen::Vector3d& v : mesh.vertices) v = v.cwiseProduct(scale);
  if (scale.prod() < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

RobotMesh RobotMeshes::get(const std::string& path, const Eigen::Vector3d& scale) {
  auto known = meshes_.find(path);
  if (known == meshes_.end()) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    known = meshes_.emplace(path, read_mesh_file(path, most_bytes_).joined()).first;
    if (!error) most_bytes_ -= std::min<std::uintmax_t>(bytes, most_bytes_);
    files_.push_back(path);
  }
  return scaled({known->second.vertices, known->second.triangles}, scale);
}

ShapeDescription collision_shape(const RobotMesh& mesh, bool triangles, const std::string& source) {
  ShapeDescription shape;
  if (triangles) {
    shape = visual_shape(mesh, source);
    make_shape<3>(shape);  // refuses what has no two sides, and so on
    return shape;
  }
  shape.kind = ShapeKind::kConvex;
  shape.source = source;
  shape.vertices = convex_hull<3>(mesh.vertices).vertices;
  return shape;
}

ShapeDescription visual_shape(const RobotMesh& mesh, const std::string& source) {
  ShapeDescription shape;
  shape.kind = ShapeKind::kMesh;
  shape.source = source;
  shape.vertices = mesh.vertices;
  shape.triangles = mesh.triangles;
  return shape;
}

}  // namespace touchstone
