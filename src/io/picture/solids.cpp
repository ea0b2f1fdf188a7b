#include "io/picture/solids.h"

#include <algorithm>
#include <cmath>

#include "geometry/concave.h"
#include "io/picture/palette.h"
#include "recording/frame.h"

namespace touchstone {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kCoreSegments = 16;  // of round cores; only the drawing order and the shadows see them

bool read_pose(const double* pose, Vector3d& p, Matrix3d& R) {
  if (!std::all_of(pose, pose + pose_width(3), [](double v) { return std::isfinite(v); })) return false;
  const Eigen::Quaterniond q(pose[3], pose[4], pose[5], pose[6]);
  if (!(q.norm() > 0.5)) return false;
  p = {pose[0], pose[1], pose[2]};
  R = q.normalized().toRotationMatrix();
  return true;
}

void set_core(Solid& solid, MeshCache& meshes) {
  const ShapeDescription& shape = *solid.shape;
  const auto place = [&](const Vector3d& local) -> Vector3d { return solid.position + solid.rotation * local; };
  solid.radius = 0;
  if (shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule) {
    const double half = shape.kind == ShapeKind::kCapsule ? 0.5 * shape.length : 0.0;
    solid.radius = shape.radius;
    solid.core = {place({0, 0, -half})};
    if (half > 0) solid.core.push_back(place({0, 0, half}));
  } else {
    const Mesh& mesh = meshes.get(shape, kCoreSegments);
    // Every corner of a box is there three times, once a face; a third of the work is worth the special case.
    if (shape.kind == ShapeKind::kBox) {
      for (int i = 0; i < 8; ++i)
        solid.core.push_back(
            place(0.5 * shape.size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1))));
    } else {
      for (const Vector3d& v : mesh.vertices) solid.core.push_back(place(v));
    }
    for (const MeshFace& face : mesh.faces)
      if (face.flat) solid.normals.push_back(solid.rotation * mesh.normals[face.corners[0]]);
  }
}

// Drawn as a line: an edge where the surface bends by more than about 20 degrees, or ends.
constexpr double kBend = 0.94;  // cosine

bool is_edge(const Piece<3>& piece, std::size_t k) {
  const bool rim = piece.convex_edge[k] && piece.back_edge[k];
  return rim || piece.normal.dot(piece.neighbour_normal[k]) < kBend;
}

void set_facet(Solid& solid, const Piece<3>& piece, bool has_back) {
  solid.facet = true;
  solid.has_back = has_back;
  for (std::size_t k = 0; k < 3; ++k) {
    solid.core.push_back(solid.position + solid.rotation * piece.vertex[k]);
    solid.edges[k] = is_edge(piece, k);
  }
  solid.normals.push_back(solid.rotation * piece.normal);
}

bool has_rim(const std::vector<Piece<3>>& pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [](const Piece<3>& p) {
    for (std::size_t k = 0; k < 3; ++k)
      if (p.convex_edge[k] && p.back_edge[k]) return true;
    return false;
  });
}

void set_ball(Solid& solid) {
  Vector3d lower = solid.core[0], upper = solid.core[0];
  for (const Vector3d& v : solid.core) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  solid.center = 0.5 * (lower + upper);
  double reach = 0;
  for (const Vector3d& v : solid.core) reach = std::max(reach, (v - solid.center).norm());
  solid.reach = reach + solid.radius;
}

double quantile(std::vector<double> values, double fraction) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

Vector3d median_center(const std::vector<const Solid*>& solids) {
  Vector3d median;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (const Solid* s : solids) values.push_back(s->center[axis]);
    median[axis] = quantile(std::move(values), 0.5);
  }
  return median;
}

}  // namespace

PictureScene make_picture_scene(const std::vector<BodyDescription>& bodies, const std::vector<double>& poses) {
  PictureScene scene;
  MeshCache meshes;
  const std::vector<Color> colors = body_colors(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Vector3d p;
    Matrix3d R;
    if (!read_pose(poses.data() + i * static_cast<std::size_t>(pose_width(3)), p, R)) continue;
    for (const ShapeDescription& shape : bodies[i].shapes) {
      Solid solid;
      solid.shape = &shape;
      solid.kind = bodies[i].kind;
      solid.color = colors[i];
      solid.position = p + R * shape.placement.position;
      solid.rotation = R * shape.placement.orientation.normalized().toRotationMatrix();
      if (shape.kind == ShapeKind::kHalfSpace) {
        scene.planes.push_back({solid.position, (solid.rotation * shape.normal).normalized()});
        continue;
      }
      if (is_surface(shape.kind)) {
        const std::vector<Piece<3>> pieces = surface_pieces(shape);
        const bool has_back = has_rim(pieces);
        for (const Piece<3>& piece : pieces) {
          Solid facet = solid;
          set_facet(facet, piece, has_back);
          set_ball(facet);
          scene.solids.push_back(std::move(facet));
        }
        continue;
      }
      set_core(solid, meshes);
      set_ball(solid);
      scene.solids.push_back(std::move(solid));
    }
  }
  return scene;
}

std::vector<const Solid*> framed_solids(const PictureScene& scene) {
  std::vector<const Solid*> chosen;
  for (const Solid& s : scene.solids)
    if (s.kind != BodyKind::kStatic) chosen.push_back(&s);
  if (chosen.empty())
    for (const Solid& s : scene.solids) chosen.push_back(&s);
  if (chosen.size() < 3) return chosen;  // of two, neither is a stray
  const Vector3d middle = median_center(chosen);
  std::vector<double> distances;
  for (const Solid* s : chosen) distances.push_back((s->center - middle).norm());
  // With few bodies a wide spread is more likely meant than a stray.
  const double factor = chosen.size() < 8 ? 10.0 : 2.5;
  const double limit = factor * quantile(distances, 0.9);
  std::vector<const Solid*> near;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (distances[i] <= limit + chosen[i]->reach) near.push_back(chosen[i]);
  return near;
}

const Mesh& MeshCache::get(const ShapeDescription& shape, int segments) {
  std::unique_ptr<Mesh>& mesh = meshes_[shape_key(shape) + static_cast<char>(segments)];
  if (!mesh) mesh = std::make_unique<Mesh>(shape_mesh(shape, segments));
  return *mesh;
}

}  // namespace touchstone
