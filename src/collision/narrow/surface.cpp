// Purpose: contacts of a surface with anything, piece by piece. Each piece is a convex shape; its neighbours decide
//   which of its contacts count, so that nothing is felt where the surface goes on flat.
// Letters: f normal of the side that is touched.
// Deviations: (1) a surface of one side is solid behind it: what has come through is pushed back out of the front, as
//   long as part of it is still there.
// Fails: never. What lies wholly behind a surface of one side does not touch it.
#include "collision/narrow/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/manifold.h"
#include "collision/narrow/piece.h"

namespace touchstone {
namespace {

template <int D>
struct Workspace {
  std::vector<Piece<D>> pieces, other_pieces;
  PieceShape<D> piece, other_piece;
  ContactPoints<D> points, through;
};

// The other shape, as a piece sees it: convex, or a piece of another surface.
template <int D>
struct Other {
  Placed<D> placed;
  const Piece<D>* piece = nullptr;  // in a frame turned like `placed`
  bool two_sided = false;           // of the other surface
  Vec<D> middle;                    // of the whole body: it tells the side on which it is
};

// A contact that the piece keeps only along its own normal: the lowest point of the other shape over the plane. What
// lies wholly behind is not touched, unless `faces_us`: the skin of a solid that lies in front.
template <int D>
bool along_face(const Piece<D>& piece, const Placed<D>& other, const Vec<D>& f, double margin, bool faces_us,
                Closest<D>& c) {
  const Core<D> core = core_of(other.shape);
  const Vec<D> down = other.R.transpose() * Vec<D>(-f);
  const Vec<D> lowest = other.p + other.R * support(other.shape, core, down).x,
               highest = other.p + other.R * support(other.shape, core, Vec<D>(-down)).x;
  c.gap = f.dot(lowest - piece.vertex[0]) - core.radius;
  if (c.gap > margin || (!faces_us && f.dot(highest - piece.vertex[0]) + core.radius < 0)) return false;
  c.normal = f;
  c.on_b = lowest - f * core.radius;
  c.on_a = c.on_b - f * c.gap;
  return true;
}

// Names that survive a change of the piece: corners of the other shape keep theirs, those of the surface are named by
// its vertices.
template <int D>
std::uint16_t surface_name(const Piece<D>& piece, std::uint16_t name) {
  const std::uint32_t kind = static_cast<std::uint32_t>(name) >> kFeatureBits, payload = name & kFeatureMask;
  if (kind == 1) return vertex_of_a(piece.vertex_id[payload % D] * 40503u >> 2);
  if (kind == 2)
    return static_cast<std::uint16_t>(2u << kFeatureBits | ((piece.index * 40503u + payload) & kFeatureMask));
  return name;
}

// Everything in the frame of the surface. Points of what has come through go to `through`. `depth`: how deep two skins
// may have passed each other; `margin` for anything else.
template <int D>
void touch_piece(const Piece<D>& piece, bool two_sided, const Other<D>& other, double margin, double depth,
                 Workspace<D>& w, ContactPoints<D>& out) {
  w.piece.assign(piece);
  const Placed<D> face{w.piece.shape(), piece.vertex[0], Mat<D>::Identity()};
  PairMemory memory;
  Closest<D> c;
  if (!gjk<D>(face, other.placed, depth, memory, c)) return;
  const double front = two_sided && piece.normal.dot(other.middle - piece.vertex[0]) < 0 ? -1.0 : 1.0;
  const Verdict verdict = judge<D>(piece, c.normal, c.on_a, front);
  if (verdict == Verdict::kNeighbour || (verdict != Verdict::kBehind && c.gap > margin)) return;
  const Vec<D> f = front * piece.normal;
  const bool faces_us = other.piece && (other.two_sided || f.dot(other.placed.R * other.piece->normal) < 0);
  bool corners_only = false;
  double deepest = std::numeric_limits<double>::infinity();
  if (verdict != Verdict::kKeep) {
    // Where a steep piece is only grazed, its own normal would be a long way out; the pieces around it know better.
    constexpr double kGrazed = 0.02;  // of the other shape's reach
    if (verdict == Verdict::kFace)
      deepest = std::max({margin, 2 * std::abs(c.gap), kGrazed * reach_of(other.placed.shape)});
    else if (faces_us)
      deepest = depth;
    if (!along_face<D>(piece, other.placed, f, margin, faces_us, c)) return;
    corners_only = !over_piece<D>(piece, c.on_a);
  }
  if (other.piece && !other.two_sided) {
    const Vec<D> n = other.placed.R.transpose() * Vec<D>(-c.normal);
    const Vec<D> at = other.piece->vertex[0] + other.placed.R.transpose() * Vec<D>(c.on_b - other.placed.p);
    if (judge<D>(*other.piece, n, at, 1.0) != Verdict::kKeep) return;
  }
  w.points.clear();
  add_manifold<D>(face, other.placed, c, margin, w.points, corners_only);
  for (ContactPoint<D>& p : w.points) {
    const std::uint32_t kind = static_cast<std::uint32_t>(p.feature) >> kFeatureBits;
    if (p.gap < -deepest) continue;
    if ((kind == 1 || kind == 2) && inside_flat<D>(piece, Vec<D>(p.point - 0.5 * p.gap * p.normal))) continue;
    p.feature = surface_name<D>(piece, p.feature);
    (verdict == Verdict::kBehind ? w.through : out).push_back(p);
  }
}

// Of what has come through, the shortest way back counts, and what goes the same way; where something touches from the
// front, only what is no deeper: a box that is flush with a wall below it is not behind that wall.
template <int D>
void add_through(std::size_t first, const ContactPoints<D>& through, ContactPoints<D>& out) {
  if (through.empty()) return;
  const auto shallower = [](const ContactPoint<D>& x, const ContactPoint<D>& y) { return x.gap > y.gap; };
  const Vec<D> way = std::min_element(through.begin(), through.end(), shallower)->normal;
  double limit = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < out.size(); ++i)
    if (out[i].gap <= 0) limit = std::min(limit, 2 * std::abs(out[i].gap));
  for (const ContactPoint<D>& p : through)
    if (p.normal.dot(way) > -0.1 && -p.gap <= limit) out.push_back(p);
}

// Several pieces may find the same point: the first one keeps it.
template <int D>
void drop_doubles(double near, std::size_t first, ContactPoints<D>& points) {
  std::size_t kept = first;
  for (std::size_t i = first; i < points.size(); ++i) {
    const auto same = [&](const ContactPoint<D>& p) {
      return (p.point - points[i].point).norm() <= near && (p.normal - points[i].normal).norm() <= 1e-3;
    };
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first),
               end = points.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::any_of(begin, end, same)) continue;
    points[kept++] = points[i];
  }
  points.resize(kept);
}

// The surface's corners below the plane, where the surface is not flat around them.
template <int D>
void touch_half_space(const Placed<D>& plane, double margin, const std::vector<Piece<D>>& pieces,
                      ContactPoints<D>& out) {
  const Vec<D> n = plane.R * plane.shape.normal;
  const std::size_t first = out.size();
  for (const Piece<D>& piece : pieces)
    for (std::size_t k = 0; k < D; ++k) {
      const double gap = n.dot(piece.vertex[k] - plane.p);
      if (gap > margin || inside_flat<D>(piece, piece.vertex[k])) continue;
      out.push_back({piece.vertex[k] - n * (0.5 * gap), -n, gap, vertex_of_a(piece.vertex_id[k])});
    }
  // A corner comes once with each of its pieces, and keeps one place.
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  const auto before = [](const ContactPoint<D>& x, const ContactPoint<D>& y) {
    return x.feature != y.feature
               ? x.feature < y.feature
               : std::lexicographical_compare(x.point.begin(), x.point.end(), y.point.begin(), y.point.end());
  };
  std::sort(begin, out.end(), before);
  const auto same = [](const ContactPoint<D>& x, const ContactPoint<D>& y) { return x.point == y.point; };
  out.erase(std::unique(begin, out.end(), same), out.end());
}

template <int D>
Bounds<D> bounds_of_piece(const Piece<D>& piece, const Placed<D>& at) {
  Bounds<D> b{at.p + at.R * piece.vertex[0], at.p + at.R * piece.vertex[0]};
  for (std::size_t k = 1; k < D; ++k) {
    const Vec<D> x = at.p + at.R * piece.vertex[k];
    b.lower = b.lower.cwiseMin(x);
    b.upper = b.upper.cwiseMax(x);
  }
  return b;
}

// Two surfaces: each piece of the other one is a convex shape against this one.
template <int D>
void touch_surface(const Placed<D>& surface, const Placed<D>& other, double margin, Workspace<D>& w,
                   ContactPoints<D>& out) {
  // Skins have no thickness: flat on each other they pass at once, and are then sought this far through.
  constexpr double kSkinDepth = 0.1;  // of the smaller one's reach
  const double depth = std::max(margin, kSkinDepth * std::min(reach_of(surface.shape), reach_of(other.shape)));
  // The other surface's pieces near this one, in its own frame.
  const Mat<D> back = other.R.transpose();
  const Bounds<D> mine = bounds_of(surface.shape, Vec<D>(back * Vec<D>(-other.p)), back);
  w.other_pieces.clear();
  pieces_in<D>(other.shape, grown<D>(mine, depth), w.other_pieces);
  for (const Piece<D>& theirs : w.other_pieces) {
    w.pieces.clear();
    pieces_in<D>(surface.shape, grown<D>(bounds_of_piece<D>(theirs, other), depth), w.pieces);
    if (w.pieces.empty()) continue;
    w.other_piece.assign(theirs);
    const Other<D> piece_of_other{{w.other_piece.shape(), other.p + other.R * theirs.vertex[0], other.R},
                                  &theirs,
                                  other.shape.two_sided,
                                  other.p};
    for (const Piece<D>& piece : w.pieces)
      touch_piece<D>(piece, surface.shape.two_sided, piece_of_other, margin, depth, w, out);
  }
}

}  // namespace

template <int D>
void surface_against(const Placed<D>& surface, const Placed<D>& other, double margin, PairMemory&,
                     ContactPoints<D>& out) {
  thread_local Workspace<D> w;
  const std::size_t first = out.size();
  const Mat<D> back = surface.R.transpose();
  const Placed<D> here{other.shape, back * (other.p - surface.p), back * other.R};
  const Placed<D> itself{surface.shape, Vec<D>::Zero(), Mat<D>::Identity()};
  w.through.clear();
  if (is_surface(other.shape.kind)) {
    touch_surface<D>(itself, here, margin, w, out);
  } else {
    w.pieces.clear();
    pieces_in<D>(surface.shape, grown<D>(bounds_of(other.shape, here.p, here.R), margin), w.pieces);
    if (other.shape.kind == ShapeKind::kHalfSpace) {
      touch_half_space<D>(here, margin, w.pieces, out);
    } else {
      for (const Piece<D>& piece : w.pieces)
        touch_piece<D>(piece, surface.shape.two_sided, {here, nullptr, false, here.p}, margin, margin, w, out);
    }
  }
  add_through<D>(first, w.through, out);
  const double size = std::min(reach_of(surface.shape), reach_of(other.shape));
  drop_doubles<D>(1e-6 * size, first, out);  // the slack of the manifold's corners
  make_distinct<D>(out, first);
  for (std::size_t i = first; i < out.size(); ++i) {
    out[i].point = surface.p + surface.R * out[i].point;
    out[i].normal = surface.R * out[i].normal;
  }
}

template void surface_against(const Placed<2>&, const Placed<2>&, double, PairMemory&, ContactPoints<2>&);
template void surface_against(const Placed<3>&, const Placed<3>&, double, PairMemory&, ContactPoints<3>&);

}  // namespace touchstone
