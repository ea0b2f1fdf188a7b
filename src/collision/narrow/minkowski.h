#pragma once
// The Minkowski difference of two cores, M = { b − a }, in A's frame: what GJK and EPA walk on. Its distance from the
// origin is the distance of the cores; the origin inside means that they overlap.
#include "collision/narrow/core.h"

namespace touchstone {

template <int D>
struct MinkowskiVertex {
  Vec<D> w;  // b − a
  Vec<D> a, b;
  std::uint32_t ia = 0, ib = 0;  // vertices of the polytopes; 0 for curved cores
};

template <int D>
class MinkowskiDifference {
 public:
  MinkowskiDifference(const Placed<D>& a, const Placed<D>& b)
      : a_(a.shape),
        b_(b.shape),
        core_a_(core_of(a.shape)),
        core_b_(core_of(b.shape)),
        r_(a.R.transpose() * (b.p - a.p)),
        Q_(a.R.transpose() * b.R),
        curved_(!core_a_.polytope || !core_b_.polytope),
        size_(reach_of(a.shape) + reach_of(b.shape) + r_.norm()) {}

  // The point farthest along a direction in A's frame.
  MinkowskiVertex<D> support(const Vec<D>& d) const {
    const SupportPoint<D> a = touchstone::support(a_, core_a_, Vec<D>(-d));
    const SupportPoint<D> b = touchstone::support(b_, core_b_, Vec<D>(Q_.transpose() * d));
    const Vec<D> xb = r_ + Q_ * b.x;
    return {xb - a.x, a.x, xb, a.vertex, b.vertex};
  }
  // The vertex made of two given vertices of the polytopes.
  MinkowskiVertex<D> vertex(std::uint32_t ia, std::uint32_t ib) const {
    const Vec<D> a = core_a_.vertex(ia), b = r_ + Q_ * core_b_.vertex(ib);
    return {b - a, a, b, ia, ib};
  }
  bool has(std::uint32_t ia, std::uint32_t ib) const {
    return ia < core_a_.polytope->vertices.size() && ib < core_b_.polytope->vertices.size();
  }

  // The same with B moved, in A's frame.
  MinkowskiDifference moved(const Vec<D>& by) const {
    MinkowskiDifference out = *this;
    out.r_ += by;
    return out;
  }

  // Calls use(e) for the direction, in A's frame, of every straight line on the surfaces: edges of polytopes and sides
  // of cylinders. The separation along a normal has a kink where the normal is at right angles to one.
  template <class Use>
  void each_line(Use use) const {
    for (const bool of_b : {false, true}) {
      const Shape<D>& shape = of_b ? b_ : a_;
      const Core<D>& core = of_b ? core_b_ : core_a_;
      const auto give = [&](const Vec<D>& e) { use(of_b ? Vec<D>(Q_ * e) : e); };
      if (shape.kind == ShapeKind::kCylinder) give(Vec<D>::Unit(D - 1));
      if (!core.polytope) continue;
      for (const auto& e : core.polytope->edges)
        if (const Vec<D> along = core.vertex(e.head) - core.vertex(e.tail); along.norm() > 0) give(along.normalized());
    }
  }

  const Shape<D>& shape_a() const { return a_; }
  const Shape<D>& shape_b() const { return b_; }
  const Core<D>& core_a() const { return core_a_; }
  const Core<D>& core_b() const { return core_b_; }
  const Vec<D>& offset() const { return r_; }  // of B's centre from A's
  const Mat<D>& turn() const { return Q_; }    // B's axes in A's frame
  bool curved() const { return curved_; }
  double size() const { return size_; }  // L: what tolerances are relative to [m]
  double radii() const { return core_a_.radius + core_b_.radius; }
  double radius_a() const { return core_a_.radius; }
  double radius_b() const { return core_b_.radius; }

 private:
  const Shape<D>&a_, &b_;
  Core<D> core_a_, core_b_;
  Vec<D> r_;
  Mat<D> Q_;
  bool curved_;
  double size_;
};

// The answer about the cores, in A's frame.
template <int D>
struct CoreClosest {
  double distance = 0;  // negative: penetration depth
  Vec<D> normal = Vec<D>::Zero();
  Vec<D> on_a = Vec<D>::Zero(), on_b = Vec<D>::Zero();
  int iterations = 0;
  bool converged = true;
  bool exact = false;  // curved cores: the points prove the normal (polish.h)
};

// Takes the support points along the normal for the closest points where those fit the answer better: on a curved core
// a face of the inner polytope lies apart from the surface. What is left is shared, so that the points are apart by the
// distance along the normal.
template <int D>
void take_support_if_nearer(const MinkowskiDifference<D>& m, CoreClosest<D>& answer) {
  const Vec<D> wanted = answer.distance * answer.normal;
  const MinkowskiVertex<D> w = m.support(Vec<D>(-answer.normal));
  if ((w.w - wanted).squaredNorm() < (answer.on_b - answer.on_a - wanted).squaredNorm()) {
    answer.on_a = w.a;
    answer.on_b = w.b;
  }
  const Vec<D> middle = 0.5 * (answer.on_a + answer.on_b);
  answer.on_a = middle - 0.5 * wanted;
  answer.on_b = middle + 0.5 * wanted;
}

}  // namespace touchstone
