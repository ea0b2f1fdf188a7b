#include "collision/query/pair_closest.h"

#include "collision/narrow/core.h"
#include "collision/narrow/gjk.h"

namespace touchstone {
namespace {

// The half-space is A.
template <int D>
bool half_space_closest(const Placed<D>& a, const Placed<D>& b, double margin, Closest<D>& out) {
  if (b.shape.kind == ShapeKind::kHalfSpace) return false;
  const Core<D> core = core_of(b.shape);
  out.normal = a.R * a.shape.normal;
  const Vec<D> down = b.R.transpose() * -out.normal;
  out.on_b = b.p + b.R * support(b.shape, core, down).x - core.radius * out.normal;
  out.gap = out.normal.dot(out.on_b - a.p);
  out.on_a = out.on_b - out.gap * out.normal;
  out.converged = true;
  out.iterations = 1;
  return out.gap <= margin;
}

}  // namespace

template <int D>
bool pair_closest(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out) {
  if (a.shape.kind == ShapeKind::kHalfSpace) return half_space_closest(a, b, margin, out);
  if (b.shape.kind != ShapeKind::kHalfSpace) return gjk(a, b, margin, memory, out);
  const bool near = half_space_closest(b, a, margin, out);
  std::swap(out.on_a, out.on_b);
  out.normal = -out.normal;
  return near;
}

template bool pair_closest(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool pair_closest(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone
