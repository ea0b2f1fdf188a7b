#include "outsider.h"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

namespace touchstone::testing {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(const OutsideShape& s) {
  switch (s.kind) {
    case OutsideKind::kSphere:
      return std::make_shared<fcl::Sphered>(s.radius);
    case OutsideKind::kBox:
      return std::make_shared<fcl::Boxd>(2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
    case OutsideKind::kCapsule:
      return std::make_shared<fcl::Capsuled>(s.radius, s.length);
    case OutsideKind::kEllipsoid:
      return std::make_shared<fcl::Ellipsoidd>(s.half[0], s.half[1], s.half[2]);
    case OutsideKind::kCylinder:
      return std::make_shared<fcl::Cylinderd>(s.radius, s.length);
    case OutsideKind::kConvex:
      break;
  }
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (int i = 0; i < s.vertex_count; ++i)
    vertices->emplace_back(s.vertices[3 * i], s.vertices[3 * i + 1], s.vertices[3 * i + 2]);
  auto faces = std::make_shared<std::vector<int>>(s.faces, s.faces + s.face_numbers);
  return std::make_shared<fcl::Convexd>(vertices, s.face_count, faces);
}

fcl::Transform3d pose_of(const OutsideShape& s) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.translation() = fcl::Vector3d(s.p[0], s.p[1], s.p[2]);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) pose.linear()(r, c) = s.R[3 * c + r];
  return pose;
}

}  // namespace

OutsideAnswer ask_fcl(const OutsideShape& a, const OutsideShape& b, OutsideSolver solver) {
  const fcl::GJKSolverType type = solver == OutsideSolver::kLibccd ? fcl::GST_LIBCCD : fcl::GST_INDEP;
  OutsideAnswer out;
  try {
    const fcl::CollisionObjectd oa(geometry_of(a), pose_of(a)), ob(geometry_of(b), pose_of(b));
    fcl::DistanceRequestd distance(false, true);
    distance.gjk_solver_type = type;
    fcl::DistanceResultd gap;
    fcl::distance(&oa, &ob, distance, gap);
    out.gap = gap.min_distance;
    fcl::CollisionRequestd touch(1, false);
    touch.gjk_solver_type = type;
    fcl::CollisionResultd touching;
    fcl::collide(&oa, &ob, touch, touching);
    out.touching = touching.isCollision();
    out.threw = !std::isfinite(out.gap);
  } catch (const std::exception&) {
    out.threw = true;
  }
  return out;
}

}  // namespace touchstone::testing
