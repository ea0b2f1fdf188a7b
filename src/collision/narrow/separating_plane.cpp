// Purpose: the narrow phase `separating_plane`. A plane through a face of either polytope, or spanned by an edge of
// each, that has the one on its one side and the other on the other side is looked for exhaustively, and its defining
// features are kept until they fail. Source: [yang2020] slides on separating planes. Letters: n normal of the plane,
// from A to B. Deviations: 1. The slides ask whether there is a plane; within the margin we need the distance. It is
// the plane's
//   separation where the defining features realise it, and otherwise comes from the closest features, which are kept
//   beside the plane. 2. Without any plane they penetrate, and the axis with the greatest separation gives the depth.
//   3. What two boxes in the plane remember is tried in closed form before anything is prepared (kept_boxes.cpp).
// Fails: never; a search takes the product of the numbers of edges.
#include "collision/narrow/separating_plane.h"

#include "collision/narrow/feature_walk.h"
#include "collision/narrow/kept_boxes.h"
#include "collision/narrow/sat.h"

namespace touchstone {
namespace {

// Entries of the memory: the plane's features and kind first, the closest features after them.
constexpr std::size_t kPlaneSlot = 0, kFeatureSlot = 2;

template <int D>
void keep(const SeparatingAxis<D>& axis, PairMemory& memory) {
  memory.kind = PairMemory::Kind::kPlane;
  memory.a[kPlaneSlot] = static_cast<std::uint16_t>(axis.a);
  memory.b[kPlaneSlot] = static_cast<std::uint16_t>(axis.b);
  memory.a[kPlaneSlot + 1] = static_cast<std::uint16_t>(axis.kind);
}

bool edge_normal(const CorePair<2>&, std::size_t, std::size_t, Vec<2>&) { return false; }
bool edge_normal(const CorePair<3>& pair, std::size_t i, std::size_t j, Vec<3>& n) {
  const auto &ea = pair.a.polytope().edges, &eb = pair.b.polytope().edges;
  if (i >= ea.size() || j >= eb.size()) return false;
  const Vec<3> u = pair.a.vertex(ea[i].head) - pair.a.vertex(ea[i].tail);
  const Vec<3> w = pair.b.vertex(eb[j].head) - pair.b.vertex(eb[j].tail);
  n = cross(u, w);
  const double length = n.norm();
  constexpr double kParallel = 1e-6;  // sine: nearer to parallel the normal is not good to 1e-10, and is searched anew
  if (!(length > kParallel * u.norm() * w.norm())) return false;
  n /= length;
  if (n.dot(pair.b.vertex(eb[j].tail) - pair.a.vertex(ea[i].tail)) < 0) n = -n;
  return true;
}

// The remembered plane where the bodies are now. Its separation is measured against all vertices.
template <int D>
bool recall(const CorePair<D>& pair, const PairMemory& memory, SeparatingAxis<D>& axis) {
  using Kind = typename SeparatingAxis<D>::Kind;
  if (memory.kind != PairMemory::Kind::kPlane || memory.a[kPlaneSlot + 1] > static_cast<unsigned>(Kind::kEdges))
    return false;
  axis.kind = static_cast<Kind>(memory.a[kPlaneSlot + 1]);
  axis.a = memory.a[kPlaneSlot];
  axis.b = memory.b[kPlaneSlot];
  if (axis.kind == Kind::kEdges) {
    if (!edge_normal(pair, axis.a, axis.b, axis.normal)) return false;
  } else {
    const bool of_a = axis.kind == Kind::kFaceA;
    const PlacedCore<D>& own = of_a ? pair.a : pair.b;
    const std::uint32_t face = of_a ? axis.a : axis.b;
    if (face >= own.polytope().normals.size()) return false;
    axis.normal = of_a ? own.normal(face) : Vec<D>(-own.normal(face));
  }
  axis.separation = pair.separation(axis.normal);
  return true;
}

// Boxes in the plane have so few sides that preparing the pair costs as much as a search; in space the search is long.
Kept kept_plane(const Placed<3>&, const Placed<3>&, double, const PairMemory&, Closest<3>&) { return Kept::kNo; }
Kept kept_plane(const Placed<2>& a, const Placed<2>& b, double margin, const PairMemory& memory, Closest<2>& out) {
  using Kind = SeparatingAxis<2>::Kind;
  if (memory.kind != PairMemory::Kind::kPlane || !both_boxes(a, b)) return Kept::kNo;
  const unsigned kind = memory.a[kPlaneSlot + 1];
  if (kind >= static_cast<unsigned>(Kind::kEdges)) return Kept::kNo;
  const bool of_a = static_cast<Kind>(kind) == Kind::kFaceA;
  return kept_box_side(a, b, margin, of_a, of_a ? memory.a[kPlaneSlot] : memory.b[kPlaneSlot], memory, out);
}

}  // namespace

template <int D>
bool separating_plane(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out) {
  if (const Kept kept = kept_plane(a, b, margin, memory, out); kept != Kept::kNo) return kept == Kept::kWithin;
  const CorePair<D> pair(a, b);
  const double enough = margin + pair.radii();
  out.iterations = 1;
  out.converged = true;
  const bool remembered = memory.kind == PairMemory::Kind::kPlane;
  SeparatingAxis<D> axis;
  if (!recall(pair, memory, axis) || !(axis.separation > 0)) {
    axis = greatest_separation(pair, enough);
    keep(axis, memory);
    ++out.iterations;
  }
  if (axis.separation > enough) return false;
  CoreAnswer<D> cores{axis.separation, axis.normal, Vec<D>::Zero(), Vec<D>::Zero()};
  if (!(axis.separation > 0))
    cores = answer_from_axis(pair, axis);
  else if (!axis_points(pair, axis, pair.size(), cores))
    cores = closest_by_features(pair, enough, memory, kFeatureSlot, remembered, out.iterations);
  return finish(a, pair, cores, margin, out);
}

template bool separating_plane(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool separating_plane(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone
