#pragma once
// The bodies of a 3D picture as convex solids placed in the world, and the planes of its half-spaces. A surface is as
// many solids as it has triangles: only so are bodies that lie in it drawn in the right order.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/canvas.h"
#include "io/shape_mesh.h"
#include "touchstone/description.h"

namespace touchstone {

struct Solid {
  const ShapeDescription* shape = nullptr;
  BodyKind kind = BodyKind::kDynamic;
  Color color;
  Eigen::Vector3d position;  // of the shape's frame
  Eigen::Matrix3d rotation;
  Eigen::Vector3d center;  // of a ball that holds it
  double reach = 0;        // that ball's radius
  // The solid is the convex hull of the core, grown by the radius.
  std::vector<Eigen::Vector3d> core;
  double radius = 0;
  std::vector<Eigen::Vector3d> normals;  // of its flat sides
  // A triangle of a surface, which is drawn as its core: which of its sides are edges, and whether its back is seen.
  bool facet = false;
  std::array<bool, 3> edges{};
  bool has_back = false;
};

struct Plane {
  Eigen::Vector3d point, normal;
};

struct PictureScene {
  std::vector<Solid> solids;
  std::vector<Plane> planes;
};

// Bodies whose pose is not finite, or has no rotation (a slot that is not in use), are left out.
PictureScene make_picture_scene(const std::vector<BodyDescription>& bodies, const std::vector<double>& poses);

// Which solids the picture is framed to: moving bodies without strays far away; if nothing moves, all of
// them.
std::vector<const Solid*> framed_solids(const PictureScene& scene);

// Meshes by shape and fineness, made once: lattices repeat the same shape thousands of times.
class MeshCache {
 public:
  const Mesh& get(const ShapeDescription& shape, int segments);

 private:
  std::map<std::string, std::unique_ptr<Mesh>> meshes_;
};

}  // namespace touchstone
