// Purpose: distance of a surface from anything, as the least over its pieces. Contacts are made elsewhere
//   (surface.cpp); here every piece counts as what it is, a triangle or a segment.
// Letters: all in the frame of the surface; n from the piece to the other shape.
// Deviations: (1) a closed surface of one side is solid: a ray tells whether the other shape is wholly inside, and the
//   gap is then minus the way out past the nearest piece. (2) An open surface of one side has no distance to what is
//   behind its pieces; what has come through is measured out of the front, along the piece's normal.
// Fails: never. Of two surfaces, one that is wholly inside the other is not noticed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/piece.h"
#include "collision/narrow/surface.h"
#include "collision/ray/ray_surface.h"
#include "geometry/surface.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int D>
struct Workspace {
  std::vector<Piece<D>> pieces, other_pieces;
  PieceShape<D> piece, other_piece;
};

// Farthest point of the shape along a unit vector.
template <int D>
Vec<D> farthest(const Placed<D>& s, const Vec<D>& along) {
  const Core<D> core = core_of(s.shape);
  return s.p + s.R * support(s.shape, core, Vec<D>(s.R.transpose() * along)).x + core.radius * along;
}

// Whether the piece has a distance to the other shape, which is then in c.
template <int D>
bool nearest_of_piece(const Piece<D>& piece, bool one_sided, const Placed<D>& other, double margin,
                      PieceShape<D>& shape, Closest<D>& c) {
  shape.assign(piece);
  const Placed<D> face{shape.shape(), piece.vertex[0], Mat<D>::Identity()};
  PairMemory memory;
  if (!gjk<D>(face, other, margin, memory, c)) return false;
  // A hair behind its plane still counts: rounding must not lose what comes along it.
  if (!one_sided || c.normal.dot(piece.normal) > -1e-9) return true;
  if (c.gap > 0) return false;
  c.normal = piece.normal;
  c.on_b = farthest<D>(other, Vec<D>(-piece.normal));
  c.gap = piece.normal.dot(c.on_b - piece.vertex[0]);
  c.on_a = c.on_b - c.gap * c.normal;
  return true;
}

// The nearest piece within the margin.
template <int D>
bool over_pieces(const Shape<D>& surface, bool one_sided, const Placed<D>& other, double margin, Workspace<D>& w,
                 Closest<D>& best) {
  w.pieces.clear();
  pieces_in<D>(surface, grown<D>(bounds_of(other.shape, other.p, other.R), margin), w.pieces);
  bool any = false;
  for (const Piece<D>& piece : w.pieces) {
    Closest<D> c;
    if (!nearest_of_piece<D>(piece, one_sided, other, any ? best.gap : margin, w.piece, c)) continue;
    if (any && !(c.gap < best.gap)) continue;
    best = c;
    any = true;
  }
  return any;
}

// Whether a shape that touches no piece is inside the closed surface.
template <int D>
bool encloses(const Shape<D>& surface, const Placed<D>& other) {
  Vec<D> way = Vec<D>::Constant(0.6180339887498949);  // any direction; one along which nothing is likely to lie
  way[0] = 0.3, way[D - 1] = 0.7320508075688772;
  const Vec<D> x = farthest<D>(other, Vec<D>::Unit(0));
  const Bounds<D>& b = surface.mesh->bounds;
  if ((x.array() < b.lower.array()).any() || (x.array() > b.upper.array()).any()) return false;
  RayStrike<D> strike;
  return ray_surface<D>({x, way.normalized(), kInfinity}, surface, strike) && strike.inside;
}

// From inside, past the nearest piece.
template <int D>
void way_out(const Placed<D>& other, Closest<D>& c) {
  c.on_b = farthest<D>(other, c.normal);
  c.normal = -c.normal;
  c.gap = c.normal.dot(c.on_b - c.on_a);
  c.on_a = c.on_b - c.gap * c.normal;
}

template <int D>
bool to_convex(const Shape<D>& surface, const Placed<D>& other, double margin, Workspace<D>& w, Closest<D>& out) {
  const bool closed = surface.kind == ShapeKind::kMesh && surface.mesh->closed && !surface.two_sided;
  const bool one_sided = !surface.two_sided && !closed;
  bool any = over_pieces<D>(surface, one_sided, other, std::max(0.0, margin), w, out);
  if (closed && (!any || out.gap > 0) && encloses<D>(surface, other)) {
    if (!any) any = over_pieces<D>(surface, one_sided, other, kInfinity, w, out);
    if (any) way_out<D>(other, out);
  }
  return any && out.gap <= margin;
}

template <int D>
bool to_half_space(const Shape<D>& surface, const Placed<D>& plane, double margin, Workspace<D>& w, Closest<D>& out) {
  w.pieces.clear();
  pieces_in<D>(surface, grown<D>(bounds_of(plane.shape, plane.p, plane.R), std::max(0.0, margin)), w.pieces);
  const Vec<D> n = plane.R * plane.shape.normal;
  out.gap = kInfinity;
  out.normal = -n;
  for (const Piece<D>& piece : w.pieces)
    for (const Vec<D>& v : piece.vertex)
      if (const double gap = n.dot(v - plane.p); gap < out.gap) out.gap = gap, out.on_a = v;
  out.on_b = out.on_a - out.gap * n;
  return out.gap <= margin && !w.pieces.empty();
}

template <int D>
bool to_surface(const Shape<D>& surface, const Placed<D>& other, double margin, Workspace<D>& w, Closest<D>& out) {
  const Mat<D> back = other.R.transpose();
  const Bounds<D> mine = bounds_of(surface, Vec<D>(back * Vec<D>(-other.p)), back);
  w.other_pieces.clear();
  pieces_in<D>(other.shape, grown<D>(mine, std::max(0.0, margin)), w.other_pieces);
  bool any = false;
  for (const Piece<D>& theirs : w.other_pieces) {
    w.other_piece.assign(theirs);
    const Placed<D> placed{w.other_piece.shape(), other.p + other.R * theirs.vertex[0], other.R};
    Closest<D> c;
    if (!over_pieces<D>(surface, false, placed, any ? out.gap : margin, w, c) || (any && !(c.gap < out.gap))) continue;
    out = c;
    any = true;
  }
  return any;
}

}  // namespace

template <int D>
bool surface_closest(const Placed<D>& surface, const Placed<D>& other, double margin, PairMemory&, Closest<D>& out) {
  thread_local Workspace<D> w;
  const Mat<D> back = surface.R.transpose();
  const Placed<D> here{other.shape, back * (other.p - surface.p), back * other.R};
  const bool near = is_surface(other.shape.kind)                ? to_surface<D>(surface.shape, here, margin, w, out)
                    : other.shape.kind == ShapeKind::kHalfSpace ? to_half_space<D>(surface.shape, here, margin, w, out)
                                                                : to_convex<D>(surface.shape, here, margin, w, out);
  out.normal = surface.R * out.normal;
  out.on_a = surface.p + surface.R * out.on_a;
  out.on_b = surface.p + surface.R * out.on_b;
  return near;
}

template bool surface_closest(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool surface_closest(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone
