#include "io/replay/geometry_table.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "io/shape_mesh.h"

namespace touchstone {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// Around a shape that has no geometry of its own in the page.
constexpr int kSegments = 32;

// Vertices are for drawing: seven digits are a float's.
double rounded(double value) { return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr); }

// Corners that lie in the same place are one vertex; the page makes the normals.
ReplayJson mesh_json(const Mesh& mesh, bool convex) {
  ReplayJson vertices = ReplayJson::array(), triangles = ReplayJson::array();
  std::map<std::array<double, 3>, std::size_t> places;
  const auto vertex = [&](std::uint32_t corner) {
    const Vector3d& v = mesh.vertices[corner];
    const std::array<double, 3> at{rounded(v.x()), rounded(v.y()), rounded(v.z())};
    const auto [entry, is_new] = places.try_emplace(at, places.size());
    if (is_new)
      for (const double coordinate : at) vertices.push_back(coordinate);
    return entry->second;
  };
  for (const MeshFace& face : mesh.faces)
    for (std::size_t i = 2; i < face.corners.size(); ++i)
      for (const std::uint32_t corner : {face.corners[0], face.corners[i - 1], face.corners[i]})
        triangles.push_back(vertex(corner));
  return {{"kind", "mesh"}, {"vertices", std::move(vertices)}, {"triangles", std::move(triangles)}, {"convex", convex}};
}

ReplayJson outline_json(const ShapeDescription& shape) {
  ReplayJson vertices = ReplayJson::array();
  for (const Eigen::Vector2d& v : shape_outline(shape, kSegments)) {
    vertices.push_back(rounded(v.x()));
    vertices.push_back(rounded(v.y()));
  }
  const bool line = shape.kind == ShapeKind::kMesh || shape.kind == ShapeKind::kHeightField;
  if (!line) return {{"kind", "polygon"}, {"vertices", std::move(vertices)}};
  return {{"kind", "chain"}, {"vertices", std::move(vertices)}, {"closed", !is_open_line(shape)}};
}

ReplayJson capsule_json(const ShapeDescription& shape) {
  return {{"kind", "capsule"}, {"radius", shape.radius}, {"length", shape.length}};
}

}  // namespace

ReplayJson json_of(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
ReplayJson json_of(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

std::size_t GeometryTable::add(const std::string& key, const ReplayJson& geometry) {
  const auto [entry, is_new] = index_.try_emplace(key, geometries_.size());
  if (is_new) geometries_.push_back(geometry);
  return entry->second;
}

std::size_t GeometryTable::plain(const char* kind) { return add(kind, {{"kind", kind}}); }

std::size_t GeometryTable::flat(const ShapeDescription& shape, Vector3d& scale) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      scale = {shape.radius, shape.radius, 1};
      return plain("disc");
    case ShapeKind::kEllipsoid:
      scale = {shape.size.x(), shape.size.y(), 1};
      return plain("disc");
    case ShapeKind::kBox:
      scale = {shape.size.x(), shape.size.y(), 1};
      return plain("rectangle");
    case ShapeKind::kCapsule:
      return add(shape_key(shape), capsule_json(shape));
    case ShapeKind::kHalfSpace:
      return plain("half_space");
    default:
      break;
  }
  const std::string key = shape_key(shape);
  if (const auto found = index_.find(key); found != index_.end()) return found->second;
  return add(key, outline_json(shape));
}

std::size_t GeometryTable::solid(const ShapeDescription& shape, Vector3d& scale) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      scale.setConstant(shape.radius);
      return plain("sphere");
    case ShapeKind::kEllipsoid:
      scale = shape.size;
      return plain("sphere");
    case ShapeKind::kBox:
      scale = shape.size;
      return plain("box");
    case ShapeKind::kCylinder:
      scale = {shape.radius, shape.radius, shape.length};
      return plain("cylinder");
    case ShapeKind::kCapsule:
      return add(shape_key(shape), capsule_json(shape));
    case ShapeKind::kHalfSpace:
      return plain("half_space");
    default:
      break;
  }
  const std::string key = shape_key(shape);
  if (const auto found = index_.find(key); found != index_.end()) return found->second;
  return add(key, mesh_json(shape_mesh(shape, kSegments), shape.kind == ShapeKind::kConvex));
}

ReplayJson GeometryTable::shape(const ShapeDescription& s) {
  Vector3d scale = Vector3d::Ones();
  const std::size_t geometry = dimension_ == 2 ? flat(s, scale) : solid(s, scale);
  Quaterniond rotation = dimension_ == 2 ? Quaterniond(Eigen::AngleAxisd(s.placement.angle, Vector3d::UnitZ()))
                                         : s.placement.orientation.normalized();
  if (s.kind == ShapeKind::kHalfSpace) {
    // In 2D about z, also where the normal is opposite to the axis.
    const Vector3d n = s.normal.normalized();
    rotation =
        rotation * (dimension_ == 2 ? Quaterniond(Eigen::AngleAxisd(std::atan2(-n.x(), n.y()), Vector3d::UnitZ()))
                                    : Quaterniond::FromTwoVectors(Vector3d::UnitZ(), n));
  }
  return {{"geometry", geometry},
          {"scale", json_of(scale)},
          {"position", json_of(s.placement.position)},
          {"rotation", json_of(rotation)},
          {"material", s.material}};
}

}  // namespace touchstone
