#pragma once
// Depths by brute force, for the auditor (audit_scene.h): nothing of src/collision is in here. Two convex pieces are in
// each other by the least overlap of their shadows over all directions. Every direction gives an upper bound of it, and
// for hulls grown by a radius the least one is among finitely many: faces, pairs of edges, vertices against edges and
// vertices. Cylinders and ellipsoids are searched from these on.
#include <Eigen/Core>
#include <vector>

#include "touchstone/description.h"

namespace touchstone::audit {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Piece {
  enum class Kind { kHull, kPlane, kCylinder, kEllipsoid };
  Kind kind = Kind::kHull;
  std::vector<Vector3d> points;   // of the hull; the centres of a cylinder's caps; a point of the plane
  std::vector<Vector3d> normals;  // outward, of faces; of the plane
  std::vector<Vector3d> edges;    // their directions
  double radius = 0;              // that a hull is grown by; of a cylinder [m]
  Vector3d radii = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();  // of the ellipsoid
  Vector3d centre = Vector3d::Zero();

  Piece at(const Matrix3d& R, const Vector3d& p) const;
  double support(const Vector3d& n) const;   // greatest n·x over the piece
  double reach(const Vector3d& from) const;  // farthest point from there; infinite for planes [m]
};

// The convex pieces of a shape, in the body's frame; none for chains and height fields. Of a mesh, where it is convex
// or has one reflex edge.
std::vector<Piece> pieces_of(const ShapeDescription& shape, int dimension);

// How deep they are in each other; negative: they are apart by at least that much [m].
double depth(const Piece& a, const Piece& b, int dimension);

// A height field from above: triangles between its heights.
class Ground {
 public:
  Ground(const ShapeDescription& field, const Matrix3d& R, const Vector3d& p);
  // The greatest depth of a corner (of a round piece: of its deepest point) below the triangle that it is over, along
  // the triangle's normal. Ridges that poke into a flat face are not seen, so it is a lower bound of the true depth;
  // where they may be, it is 0.
  double depth(const Piece& piece) const;

 private:
  struct Triangle {
    Vector3d a, b, c, normal;
  };
  std::vector<Triangle> triangles_;
};

}  // namespace touchstone::audit
