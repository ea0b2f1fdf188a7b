#include "geometry/concave.h"

#include "geometry/height_field.h"
#include "geometry/surface.h"

namespace touchstone {
namespace {

template <int D>
bool overlaps(const Surface<D>& s, std::uint32_t piece, const Bounds<D>& bounds) {
  Vec<D> lower = s.vertices[s.pieces[piece][0]], upper = lower;
  for (const std::uint32_t v : s.pieces[piece])
    lower = lower.cwiseMin(s.vertices[v]), upper = upper.cwiseMax(s.vertices[v]);
  return bounds.overlaps({lower, upper});
}

template <int D>
Piece<D> piece_of(const Surface<D>& s, std::uint32_t index) {
  Piece<D> p;
  p.index = index;
  p.vertex_id = s.pieces[index];
  p.normal = s.normals[index];
  for (std::size_t k = 0; k < D; ++k) {
    p.vertex[k] = s.vertices[p.vertex_id[k]];
    const std::uint32_t other = s.neighbours[index][k];
    p.neighbour_normal[k] = other == Surface<D>::kNone ? p.normal : s.normals[other];
    const EdgeKind kind = s.edges[index][k];
    p.convex_edge[k] = kind == EdgeKind::kConvex || kind == EdgeKind::kOpen;
    p.back_edge[k] = kind == EdgeKind::kConcave || kind == EdgeKind::kOpen;
  }
  return p;
}

// The pieces are in the order of the leaves: a walk meets them by index.
template <int D>
void pieces_in(const Surface<D>& s, const Bounds<D>& bounds, std::vector<Piece<D>>& out) {
  for (std::size_t i = 0; i < s.nodes.size();) {
    const auto& node = s.nodes[i];
    if (!node.bounds.overlaps(bounds)) {
      i = node.next;
      continue;
    }
    for (std::uint32_t p = node.first; p < node.first + node.count; ++p)
      if (overlaps(s, p, bounds)) out.push_back(piece_of(s, p));
    ++i;
  }
}

}  // namespace

template <int D>
void pieces_in(const Shape<D>& surface, const Bounds<D>& bounds, std::vector<Piece<D>>& out) {
  if (surface.mesh) pieces_in(*surface.mesh, bounds, out);
  if (surface.field) pieces_in(*surface.field, bounds, out);
}

template void pieces_in(const Shape<2>&, const Bounds<2>&, std::vector<Piece<2>>&);
template void pieces_in(const Shape<3>&, const Bounds<3>&, std::vector<Piece<3>>&);

}  // namespace touchstone
