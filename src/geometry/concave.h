#pragma once
// Surfaces made of pieces: triangle meshes and height fields in 3D, polygonal chains in 2D. Collision sees them piece
// by piece: triangles in 3D, segments in 2D.
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/shape.h"

namespace touchstone {

// One piece, in the frame of the surface. 3D: a triangle, counter-clockwise seen from its front; edge k runs from
// vertex k to the next. 2D: a segment whose front is on its left, so that a floor listed from left to right has its
// front up (closed chains have their front outside and are kept clockwise, however they were listed); "edge" k is its
// end k.
template <int D>
struct Piece {
  std::array<Vec<D>, D> vertex;
  std::array<std::uint32_t, D> vertex_id;  // the same for the same place of the surface
  Vec<D> normal;                           // of the front, unit
  // Across each edge: the normal of the piece there, or this piece's own where there is none (a rim); and whether the
  // surface is convex there (a real edge that may be touched), as opposed to flat or hollow. A rim is a real edge. The
  // same seen from the back, for surfaces with two sides: what is hollow in front stands out there.
  std::array<Vec<D>, D> neighbour_normal;
  std::array<bool, D> convex_edge;
  std::array<bool, D> back_edge;
  std::uint32_t index;  // of the piece, stable
};

// Appends the pieces whose bounds overlap the given ones (in the frame of the surface), in order of their index.
// Whether the back is touched too: shape.two_sided.
template <int D>
void pieces_in(const Shape<D>& surface, const Bounds<D>& bounds, std::vector<Piece<D>>& out);

// Whether the kind is such a surface.
inline bool is_surface(ShapeKind kind) { return kind == ShapeKind::kMesh || kind == ShapeKind::kHeightField; }

}  // namespace touchstone
