// Purpose: which contacts belong to a piece of a surface. A direction that tilts over an edge is the piece's own only
//   where the surface really has an edge there, and only between its face's normal and its neighbour's.
// Source: the normal cones of a surface's features; the same idea serves "internal edges" in today's engines.
// Letters: f normal of the touched side, g the neighbour's, e along the edge (the piece on its left), m = e × f out of
//   the piece, d = e × g into the neighbour.
// Fails: never.
#include "collision/narrow/piece.h"

#include <cmath>

namespace touchstone {
namespace {

constexpr double kTilt =
    1e-6;  // rad: less than this is no tilt, and nearer than this to the neighbour is the neighbour's
constexpr double kOnEdge = 1e-6;  // barycentric: so near an edge the point is on it
constexpr double kHair = 1e-9;    // barycentric: what a point may lie outside

// Barycentric coordinates of a point's projection: the weight of each vertex.
Vec<2> weights(const Piece<2>& piece, const Vec<2>& x) {
  const Vec<2> e = piece.vertex[1] - piece.vertex[0];
  const double t = e.dot(x - piece.vertex[0]) / e.squaredNorm();
  return {1 - t, t};
}
Vec<3> weights(const Piece<3>& piece, const Vec<3>& x) {
  const Vec<3> e1 = piece.vertex[1] - piece.vertex[0], e2 = piece.vertex[2] - piece.vertex[0], n = cross(e1, e2);
  const Vec<3> r = x - piece.vertex[0];
  const double nn = n.squaredNorm(), w1 = n.dot(cross(r, e2)) / nn, w2 = n.dot(cross(e1, r)) / nn;
  return {1 - w1 - w2, w1, w2};
}

// Whether the projection lies on edge k (3D: from vertex k to the next; 2D: at end k).
bool on_edge(const Vec<2>& w, std::size_t k) { return w[static_cast<Eigen::Index>(1 - k)] <= kOnEdge; }
bool on_edge(const Vec<3>& w, std::size_t k) { return w[static_cast<Eigen::Index>((k + 2) % 3)] <= kOnEdge; }

// From edge k into the neighbour, whose normal is g.
Vec<2> into_neighbour(const Piece<2>&, std::size_t k, const Vec<2>& g) {
  const Vec<2> along(g[1], -g[0]);  // the front is on the left of the way
  return k == 1 ? along : Vec<2>(-along);
}
Vec<3> into_neighbour(const Piece<3>& piece, std::size_t k, const Vec<3>& g) {
  return cross(Vec<3>(piece.vertex[(k + 1) % 3] - piece.vertex[k]).normalized(), g);
}

Polytope<2> blank(const std::array<Vec<2>, 2>& v) { return make_polytope(std::vector<Vec<2>>(v.begin(), v.end())); }
Polytope<3> blank(const std::array<Vec<3>, 3>& v) { return make_triangle(v); }

}  // namespace

template <int D>
PieceShape<D>::PieceShape() {
  std::array<Vec<D>, D> vertices;
  for (int i = 0; i < D; ++i) vertices[static_cast<std::size_t>(i)] = Vec<D>::Unit(i);
  polytope_ = std::make_shared<Polytope<D>>(blank(vertices));
  shape_.kind = ShapeKind::kConvex;
  shape_.hull = polytope_;
}

template <int D>
void PieceShape<D>::assign(const Piece<D>& piece) {
  shape_.reach = 0;
  for (std::size_t i = 0; i < D; ++i) {
    polytope_->vertices[i] = piece.vertex[i] - piece.vertex[0];
    shape_.reach = std::max(shape_.reach, polytope_->vertices[i].norm());
  }
  // 3D: front and back. 2D: the outward normals of the two sides of a way from vertex 0 to 1 and back.
  polytope_->normals[0] = D == 3 ? piece.normal : Vec<D>(-piece.normal);
  polytope_->normals[1] = -polytope_->normals[0];
}

template <int D>
Verdict judge(const Piece<D>& piece, const Vec<D>& n, const Vec<D>& at, double front) {
  const Vec<D> f = front * piece.normal;
  if ((n - f).norm() <= kTilt) return Verdict::kKeep;
  const Vec<D> w = weights(piece, at);
  bool any_edge = false;
  for (std::size_t k = 0; k < D; ++k) {
    any_edge = any_edge || on_edge(w, k);
    const bool real = front > 0 ? piece.convex_edge[k] : piece.back_edge[k];
    // Out of the piece over an edge that is none, upwards or, under a shape that leans over, downwards.
    if (on_edge(w, k) && !real && n.dot(into_neighbour(piece, k, piece.normal)) > kTilt) return Verdict::kFace;
  }
  if (n.dot(f) < -0.5) return Verdict::kBehind;
  if (n.dot(f) < -kTilt) return Verdict::kNeighbour;  // seen past a real edge from behind
  for (std::size_t k = 0; k < D; ++k) {
    const bool real = front > 0 ? piece.convex_edge[k] : piece.back_edge[k];
    const bool rim = piece.neighbour_normal[k] == piece.normal && piece.convex_edge[k];
    if (!on_edge(w, k) || !real || rim) continue;
    if (n.dot(into_neighbour(piece, k, piece.neighbour_normal[k])) > -kTilt) return Verdict::kNeighbour;
  }
  return any_edge ? Verdict::kKeep : Verdict::kFace;  // a face has one direction only
}

template <int D>
bool over_piece(const Piece<D>& piece, const Vec<D>& x) {
  return weights(piece, x).minCoeff() >= -kHair;
}

// All edges that the point lies on, at least one, are flat.
template <int D>
bool inside_flat(const Piece<D>& piece, const Vec<D>& x) {
  const Vec<D> w = weights(piece, x);
  bool any = false;
  for (std::size_t k = 0; k < D; ++k) {
    if (!on_edge(w, k)) continue;
    if (piece.convex_edge[k] || piece.back_edge[k]) return false;
    any = true;
  }
  return any;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                      \
  template class PieceShape<D>;                                                        \
  template Verdict judge(const Piece<D>&, const Vec<D>&, const Vec<D>&, double front); \
  template bool over_piece(const Piece<D>&, const Vec<D>&);                            \
  template bool inside_flat(const Piece<D>&, const Vec<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
