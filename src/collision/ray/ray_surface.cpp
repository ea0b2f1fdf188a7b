// Purpose: the first piece of a surface on a ray. Meshes and chains are walked by their tree with the ray cut short at
//   the best hit so far; height fields are walked along the ray, a few cells at a time.
// Source: folklore.
// Fails: never. A ray in the plane of all pieces it passes misses them (ray_pieces.cpp).
#include "collision/ray/ray_surface.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/concave.h"
#include "geometry/height_field.h"
#include "geometry/surface.h"

namespace touchstone {
namespace {

bool ray_piece(const Ray<2>& ray, const std::array<Vec<2>, 2>& v, RayStrike<2>& out) {
  return ray_segment(ray, v, out);
}
bool ray_piece(const Ray<3>& ray, const std::array<Vec<3>, 3>& v, RayStrike<3>& out) {
  return ray_triangle(ray, v, out);
}

// The nearest hit so far. `ray` ends there, so that farther pieces are passed over.
template <int D>
struct Nearest {
  Ray<D> ray;
  bool backs;  // whether backs count
  bool any = false, back = false;
  RayStrike<D> strike;

  void test(const std::array<Vec<D>, D>& vertices, const Vec<D>& front) {
    RayStrike<D> s;
    if (!ray_piece(ray, vertices, s)) return;
    const bool from_back = front.dot(ray.direction) > 0;
    if ((from_back && !backs) || (any && !(s.distance < strike.distance))) return;
    any = true, back = from_back, strike = s;
    ray.length = s.distance;
  }
};

template <int D>
void walk_tree(const Surface<D>& surface, Nearest<D>& nearest) {
  for (std::uint32_t n = 0; n < surface.nodes.size();) {
    const auto& node = surface.nodes[n];
    double first;
    if (!ray_bounds(nearest.ray, node.bounds, first)) {
      n = node.next;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      std::array<Vec<D>, D> v;
      for (std::size_t k = 0; k < D; ++k) v[k] = surface.vertices[surface.pieces[i][k]];
      nearest.test(v, surface.normals[i]);
    }
    ++n;
  }
}

template <int D>
void walk_cells(const Shape<D>& shape, Nearest<D>& nearest) {
  constexpr double kCells = 8;  // at a time: few enough to leave most of the field alone
  const HeightField<D>& field = *shape.field;
  Bounds<D> all = field.bounds();
  // A flat field has bounds without height; a ray must not miss them by rounding.
  const double slack = 1e-9 * reach_of(shape);
  all.lower.array() -= slack, all.upper.array() += slack;
  double begin;
  if (!ray_bounds(nearest.ray, all, begin)) return;
  // The way through the field is not longer than its diagonal.
  const double end = std::min(nearest.ray.length, begin + (all.upper - all.lower).norm());
  std::vector<Piece<D>> pieces;
  for (double t = begin; t <= end && !nearest.any; t += kCells * field.spacing) {
    const Vec<D> a = nearest.ray.origin + t * nearest.ray.direction;
    const Vec<D> b = nearest.ray.origin + std::min(end, t + kCells * field.spacing) * nearest.ray.direction;
    pieces.clear();
    pieces_in<D>(shape, {a.cwiseMin(b).array() - slack, a.cwiseMax(b).array() + slack}, pieces);
    for (const Piece<D>& piece : pieces) nearest.test(piece.vertex, piece.normal);
  }
}

}  // namespace

template <int D>
bool ray_surface(const Ray<D>& ray, const Shape<D>& shape, RayStrike<D>& out) {
  const bool closed = shape.kind == ShapeKind::kMesh && shape.mesh->closed && !shape.two_sided;
  Nearest<D> nearest{ray, shape.two_sided || closed, false, false, {}};
  if (closed) nearest.ray.length = std::numeric_limits<double>::infinity();  // inside, even if it ends there
  if (shape.kind == ShapeKind::kMesh)
    walk_tree(*shape.mesh, nearest);
  else
    walk_cells(shape, nearest);
  if (!nearest.any) return false;
  out = nearest.strike;
  if (closed && nearest.back) {
    if (!(out.distance > 0)) return false;  // on the surface, leading away
    out = {0, ray.origin, -ray.direction, true};
  }
  return out.distance <= ray.length;
}

template bool ray_surface(const Ray<2>&, const Shape<2>&, RayStrike<2>&);
template bool ray_surface(const Ray<3>&, const Shape<3>&, RayStrike<3>&);

}  // namespace touchstone
