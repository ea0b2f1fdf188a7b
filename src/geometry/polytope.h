#pragma once
// Convex polytopes with their topology: what separating axes, Voronoi regions and clipping walk on. A point, a segment
// and a triangle are polytopes too (no face; no face; two faces back to back).
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/types.h"

namespace touchstone {

template <int D>
struct Polytope;

// A convex polygon, counter-clockwise. Edge i runs from vertex i to the next one; normals[i] is its outward unit
// normal. A segment has two edges, its two sides; a point has none.
template <>
struct Polytope<2> {
  std::vector<Vec<2>> vertices;
  std::vector<Vec<2>> normals;

  std::size_t next(std::size_t i) const { return i + 1 == vertices.size() ? 0 : i + 1; }
};

// A convex polyhedron. Faces are polygons, counter-clockwise seen from outside.
template <>
struct Polytope<3> {
  struct Edge {
    std::uint32_t tail, head;   // vertices
    std::uint32_t left, right;  // faces; the left one's ring runs from tail to head. kNoFace for a lone segment
  };
  static constexpr std::uint32_t kNoFace = 0xffffffffu;

  std::vector<Vec<3>> vertices;
  std::vector<Vec<3>> normals;  // of the faces: outward, unit
  std::vector<Edge> edges;

  std::size_t face_count() const { return normals.size(); }
  // The face's ring of vertices, and the edges that start at each of them.
  std::span<const std::uint32_t> face(std::size_t f) const {
    return std::span(face_vertices).subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
  std::span<const std::uint32_t> face_ring_edges(std::size_t f) const {
    return std::span(face_edges).subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
  // Edges that meet in a vertex.
  std::span<const std::uint32_t> edges_at(std::size_t v) const {
    return std::span(vertex_edges).subspan(vertex_begin[v], vertex_begin[v + 1] - vertex_begin[v]);
  }

  std::vector<std::uint32_t> face_begin, face_vertices, face_edges;
  std::vector<std::uint32_t> vertex_begin, vertex_edges;
};

// From vertices (2D: in counter-clockwise order).
Polytope<2> make_polytope(std::vector<Vec<2>> vertices);
// From vertices and the rings of the faces. The rings must form a closed surface: every edge in two faces, once each
// way round. Throws Error otherwise.
Polytope<3> make_polytope(std::vector<Vec<3>> vertices, const std::vector<std::vector<std::uint32_t>>& faces);

// Half edge lengths 1, about the origin; scaled, every box. Vertex i has sign + along axis k if bit k of i is set in
// 3D; 2D vertices are counter-clockwise from (−1, −1).
template <int D>
const Polytope<D>& unit_box();
// From −1 to +1 along the last axis; and the origin alone.
template <int D>
const Polytope<D>& unit_segment();
template <int D>
const Polytope<D>& single_point();
// A triangle as two faces back to back: face 0 is counter-clockwise in the order of the vertices.
Polytope<3> make_triangle(const std::array<Vec<3>, 3>& vertices);

}  // namespace touchstone
