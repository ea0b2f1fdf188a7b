#pragma once
// Faces of shapes for drawing and for glTF. A vertex has one normal: where a surface has an edge, its
// vertices are there once a side. Faces are counter-clockwise seen from outside.
#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "touchstone/description.h"

namespace touchstone {

template <int D>
struct Piece;  // geometry/concave.h

struct MeshFace {
  std::vector<std::uint32_t> corners;  // indices of vertices: a convex, planar (or nearly so) polygon
  bool flat = false;                   // a side of its own with edges around it, not a patch of a round surface
};

struct Mesh {
  std::vector<Eigen::Vector3d> vertices, normals;
  std::vector<MeshFace> faces;
};

// Bytes that are the same for shapes of the same form (placement and material do not count).
std::string shape_key(const ShapeDescription& shape);

// Of a 3D shape in its own frame (its placement is not applied); `segments` go around a round shape. A
// half-space has no faces: use patch().
Mesh shape_mesh(const ShapeDescription& shape, int segments);

// The triangles of a 3D mesh or height field.
std::vector<Piece<3>> surface_pieces(const ShapeDescription& shape);

// A square in the plane through `center` with the given unit normal.
Mesh patch(const Eigen::Vector3d& center, const Eigen::Vector3d& normal, double half_size);

// Counter-clockwise outline of a 2D shape in its own frame; empty for a half-space. Of a chain and a height field, its
// vertices in order: a line that is not closed unless the shape is.
std::vector<Eigen::Vector2d> shape_outline(const ShapeDescription& shape, int segments);
bool is_open_line(const ShapeDescription& shape);

// A convex outline made into a plate of the given depth about z = 0. round: the rim's normals are smooth.
Mesh extrude(const std::vector<Eigen::Vector2d>& outline, double depth, bool round);

// A line, closed or not, made into a band of the given depth about z = 0.
Mesh band(const std::vector<Eigen::Vector2d>& line, bool closed, double depth);

// The greatest distance from the origin of a shape's frame to it, near enough for framing; 0 for a half-space.
double drawn_size(const ShapeDescription& shape);

// Two unit vectors that make a right-handed frame with n: u × v = n.
void tangents_of(const Eigen::Vector3d& n, Eigen::Vector3d& u, Eigen::Vector3d& v);

}  // namespace touchstone
