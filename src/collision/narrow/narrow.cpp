#include "collision/narrow/narrow.h"

#include <array>

#include "collision/narrow/box_box.h"
#include "collision/narrow/gjk.h"
#include "collision/narrow/half_space.h"
#include "collision/narrow/manifold.h"
#include "collision/narrow/round_shapes.h"
#include "collision/narrow/sat.h"
#include "collision/narrow/separating_plane.h"
#include "collision/narrow/surface.h"
#include "collision/narrow/vclip.h"
#include "collision/narrow/voronoi2.h"

namespace touchstone {
namespace {

template <int D>
using ContactRoutine = void (*)(const Placed<D>&, const Placed<D>&, double, PairMemory&, ContactPoints<D>&);

constexpr std::size_t kKinds = 9;
constexpr std::size_t index_of(ShapeKind kind) { return static_cast<std::size_t>(kind); }

// Contact points by a routine that finds the closest points.
template <int D, ClosestRoutine<D> routine>
void points_by(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, ContactPoints<D>& out) {
  Closest<D> closest;
  if (routine(a, b, margin, memory, closest)) add_manifold(a, b, closest, margin, out);
}

template <int D>
struct Entry {
  ContactRoutine<D> points = nullptr;
  ClosestRoutine<D> closest = nullptr;
};

template <int D>
struct Table {
  std::array<std::array<Entry<D>, kKinds>, kKinds> entry{};
  // Only one order is listed; the other is the same routine with the result turned.
  constexpr void set(ShapeKind a, ShapeKind b, ContactRoutine<D> points, ClosestRoutine<D> closest) {
    entry[index_of(a)][index_of(b)] = {points, closest};
  }
  template <ClosestRoutine<D> routine>
  constexpr void set(ShapeKind a, ShapeKind b) {
    set(a, b, points_by<D, routine>, routine);
  }
};

using enum ShapeKind;
constexpr std::array kPlanar{kSphere, kBox, kCapsule, kConvex, kEllipsoid};
constexpr std::array kSpatial{kSphere, kBox, kCapsule, kConvex, kEllipsoid, kCylinder};

// GJK for every pair, then what is faster or simpler for some.
template <int D, std::size_t N>
constexpr Table<D> general_table(const std::array<ShapeKind, N>& kinds) {
  Table<D> t;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = i; j < N; ++j) t.template set<gjk<D>>(kinds[i], kinds[j]);
    t.set(kHalfSpace, kinds[i], half_space_against<D>, half_space_closest<D>);
    for (const ShapeKind surface : {kMesh, kHeightField})
      t.set(surface, kinds[i], surface_against<D>, surface_closest<D>);
  }
  t.set(kMesh, kHalfSpace, surface_against<D>, surface_closest<D>);
  t.set(kHeightField, kHalfSpace, surface_against<D>, surface_closest<D>);
  t.set(kMesh, kMesh, surface_against<D>, surface_closest<D>);
  t.set(kMesh, kHeightField, surface_against<D>, surface_closest<D>);
  t.set(kHeightField, kHeightField, surface_against<D>, surface_closest<D>);
  t.template set<round_round<D>>(kSphere, kSphere);
  t.template set<round_round<D>>(kSphere, kCapsule);
  // In the plane two capsules may cross, and then have a depth that only GJK tells.
  if constexpr (D == 3) t.template set<round_round<D>>(kCapsule, kCapsule);
  return t;
}

constexpr Table<2> make_table2() { return general_table<2>(kPlanar); }

constexpr Table<3> make_table3() {
  Table<3> t = general_table<3>(kSpatial);
  t.entry[index_of(kSphere)][index_of(kBox)] = {};
  t.set<box_round>(kBox, kSphere);
  t.set<box_round>(kBox, kCapsule);
  t.set(kBox, kBox, box_box, gjk<3>);
  return t;
}

template <int D>
const Table<D>& table() {
  if constexpr (D == 2) {
    static constexpr Table<2> t = make_table2();
    return t;
  } else {
    static constexpr Table<3> t = make_table3();
    return t;
  }
}

template <int D>
const Entry<D>& entry(ShapeKind a, ShapeKind b) {
  return table<D>().entry[index_of(a)][index_of(b)];
}

bool convex_kind(ShapeKind kind) { return kind != kHalfSpace && kind != kMesh && kind != kHeightField; }
bool curved_kind(ShapeKind kind) { return kind == kEllipsoid || kind == kCylinder; }

}  // namespace

template <int D>
bool NarrowRoutine<D>::supports(ShapeKind a, ShapeKind b) const {
  if (!convex_kind(a) || !convex_kind(b)) return false;
  return curved || (!curved_kind(a) && !curved_kind(b));
}

template <int D>
std::span<const NarrowRoutine<D>> narrow_routines() {
  using enum NarrowPhaseKind;
  constexpr ClosestRoutine<D> features = [] {
    if constexpr (D == 2)
      return voronoi2;
    else
      return vclip;
  }();
  static constexpr std::array<NarrowRoutine<D>, 4> routines{{
      {kGjk, "gjk", "GJK with EPA, for every convex pair.", gjk<D>, true},
      {kSat, "sat", "Separating axes: faces, and in 3D pairs of edges.", sat<D>, false},
      {kSeparatingPlane, "separating_plane", "The separating plane found last, searched again when it fails.",
       separating_plane<D>, false},
      {kFeatures, "features", "Closest features by Voronoi regions, from the pair found last.", features, false},
  }};
  return routines;
}

template <int D>
bool narrow_supports(ShapeKind a, ShapeKind b) {
  return entry<D>(a, b).points || entry<D>(b, a).points;
}

template <int D>
void collide(const Placed<D>& a, const Placed<D>& b, double margin, NarrowPhaseKind phase, PairMemory& memory,
             ContactPoints<D>& out) {
  if (phase != NarrowPhaseKind::kAuto)
    for (const NarrowRoutine<D>& r : narrow_routines<D>())
      if (r.phase == phase && r.supports(a.shape.kind, b.shape.kind)) {
        Closest<D> closest;
        if (r.closest(a, b, margin, memory, closest)) add_manifold(a, b, closest, margin, out);
        return;
      }
  if (const ContactRoutine<D> direct = entry<D>(a.shape.kind, b.shape.kind).points) {
    direct(a, b, margin, memory, out);
  } else if (const ContactRoutine<D> turned = entry<D>(b.shape.kind, a.shape.kind).points) {
    const std::size_t first = out.size();
    turned(b, a, margin, memory, out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].normal = -out[i].normal;
  }
}

template <int D>
bool closest_of(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out) {
  if (const ClosestRoutine<D> direct = entry<D>(a.shape.kind, b.shape.kind).closest)
    return direct(a, b, margin, memory, out);
  const ClosestRoutine<D> turned = entry<D>(b.shape.kind, a.shape.kind).closest;
  if (!turned || !turned(b, a, margin, memory, out)) return false;
  out.normal = -out.normal;
  std::swap(out.on_a, out.on_b);
  return true;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                     \
  template struct NarrowRoutine<D>;                                                                                   \
  template std::span<const NarrowRoutine<D>> narrow_routines();                                                       \
  template bool narrow_supports<D>(ShapeKind, ShapeKind);                                                             \
  template void collide(const Placed<D>&, const Placed<D>&, double, NarrowPhaseKind, PairMemory&, ContactPoints<D>&); \
  template bool closest_of(const Placed<D>&, const Placed<D>&, double, PairMemory&, Closest<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
