#include "collision/narrow/narrow.h"

#include <array>

#include "collision/narrow/box_box.h"
#include "collision/narrow/half_space.h"
#include "collision/narrow/rounded_polygons.h"
#include "collision/narrow/segments.h"

namespace touchstone {
namespace {

template <int D>
using Routine = void (*)(const Placed<D>&, const Placed<D>&, double, ContactPoints<D>&);

constexpr std::size_t kKinds = 9;
constexpr std::size_t index_of(ShapeKind kind) { return static_cast<std::size_t>(kind); }

template <int D>
struct Table {
  std::array<std::array<Routine<D>, kKinds>, kKinds> routine{};
  // b may be the same kind as a. Only one order is listed; the other is the same routine with the result turned.
  constexpr void set(ShapeKind a, ShapeKind b, Routine<D> r) { routine[index_of(a)][index_of(b)] = r; }
};

using enum ShapeKind;

constexpr Table<2> make_table2() {
  Table<2> t;
  for (ShapeKind k : {kSphere, kBox, kCapsule, kConvex, kEllipsoid}) t.set(kHalfSpace, k, half_space_against<2>);
  const std::array<ShapeKind, 4> rounded{kSphere, kBox, kCapsule, kConvex};
  for (std::size_t i = 0; i < rounded.size(); ++i)
    for (std::size_t j = i; j < rounded.size(); ++j) t.set(rounded[i], rounded[j], rounded_polygons);
  return t;
}

constexpr Table<3> make_table3() {
  Table<3> t;
  for (ShapeKind k : {kSphere, kBox, kCapsule, kConvex, kEllipsoid, kCylinder})
    t.set(kHalfSpace, k, half_space_against<3>);
  t.set(kSphere, kSphere, round_round);
  t.set(kSphere, kCapsule, round_round);
  t.set(kCapsule, kCapsule, round_round);
  t.set(kBox, kSphere, box_round);
  t.set(kBox, kCapsule, box_round);
  t.set(kBox, kBox, box_box);
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

}  // namespace

template <int D>
bool narrow_supports(ShapeKind a, ShapeKind b) {
  return table<D>().routine[index_of(a)][index_of(b)] || table<D>().routine[index_of(b)][index_of(a)];
}

template <int D>
void collide(const Placed<D>& a, const Placed<D>& b, double margin, ContactPoints<D>& out) {
  if (Routine<D> direct = table<D>().routine[index_of(a.shape.kind)][index_of(b.shape.kind)]) {
    direct(a, b, margin, out);
  } else if (Routine<D> turned = table<D>().routine[index_of(b.shape.kind)][index_of(a.shape.kind)]) {
    const std::size_t first = out.size();
    turned(b, a, margin, out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].normal = -out[i].normal;
  }
}

template bool narrow_supports<2>(ShapeKind, ShapeKind);
template bool narrow_supports<3>(ShapeKind, ShapeKind);
template void collide(const Placed<2>&, const Placed<2>&, double, ContactPoints<2>&);
template void collide(const Placed<3>&, const Placed<3>&, double, ContactPoints<3>&);

}  // namespace touchstone
