#include "peers/judge.h"

#include <cmath>
#include <limits>

namespace touchstone::testing {
namespace {

// How far the shape extends along a unit vector of its own frame.
template <int D>
double extent(const Shape<D>& s, const Vec<D>& n) {
  const double along = std::abs(n[D - 1]);
  switch (s.kind) {
    case ShapeKind::kSphere:
      return s.radius;
    case ShapeKind::kBox: {
      double sum = 0;
      for (int i = 0; i < D; ++i) sum += s.half[i] * std::abs(n[i]);
      return sum;
    }
    case ShapeKind::kCapsule:
      return s.half_length * along + s.radius;
    case ShapeKind::kEllipsoid: {
      double sum = 0;
      for (int i = 0; i < D; ++i) sum += s.half[i] * n[i] * (s.half[i] * n[i]);
      return std::sqrt(sum);
    }
    case ShapeKind::kCylinder:
      return s.half_length * along + s.radius * n.template head<D - 1>().norm();
    default: {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vec<D>& v : s.hull->vertices) most = std::max(most, v.dot(n));
      return most;
    }
  }
}

template <int D>
class Search {
 public:
  explicit Search(const PairCase<D>& pair) : pair_(pair) {}
  void try_one(Vec<D> n) {
    const double length = n.norm();
    if (!(length > 0)) return;
    n /= length;
    const double gap = separation(pair_, n);
    if (gap > best.gap) best = {gap, n};
  }
  void try_both(const Vec<D>& n) {
    try_one(n);
    try_one(-n);
  }
  // Random steps around the best one, shorter and shorter.
  void refine(Dice& dice) {
    for (double size = 0.3; size > 1e-9; size *= 0.55)
      for (int i = 0; i < 3 * D; ++i) {
        Vec<D> n = best.normal;
        for (int k = 0; k < D; ++k) n[k] += size * dice.between(-1, 1);
        try_one(n);
      }
  }
  Sweep<D> best{-std::numeric_limits<double>::infinity(), Vec<D>::Unit(0)};

 private:
  const PairCase<D>& pair_;
};

void try_faces(const Polytope<2>& hull, const Mat<2>& R, Search<2>& search) {
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
    const Vec<2> e = R * (hull.vertices[hull.next(i)] - hull.vertices[i]);
    search.try_both(Vec<2>(e[1], -e[0]));
  }
}
void try_faces(const Polytope<3>& hull, const Mat<3>& R, Search<3>& search) {
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    // From the vertices: the normals of a face are what the library may have got wrong.
    const auto ring = hull.face(f);
    Vec<3> area = Vec<3>::Zero();
    for (std::size_t i = 1; i + 1 < ring.size(); ++i)
      area += cross(Vec<3>(hull.vertices[ring[i]] - hull.vertices[ring[0]]),
                    Vec<3>(hull.vertices[ring[i + 1]] - hull.vertices[ring[0]]));
    search.try_both(R * area);
  }
}

std::vector<Vec<3>> edges_of(const Shape<3>& s, const Mat<3>& R) {
  std::vector<Vec<3>> out;
  if (s.kind == ShapeKind::kConvex) {
    for (const auto& e : s.hull->edges)
      out.push_back((R * (s.hull->vertices[e.head] - s.hull->vertices[e.tail])).normalized());
  } else {
    for (int i = 0; i < 3; ++i) out.push_back(R.col(i));
  }
  return out;
}
void try_edges(const PairCase<2>&, bool, Search<2>&) {}
void try_edges(const PairCase<3>& c, bool all, Search<3>& search) {
  if (!all && (c.a.kind == ShapeKind::kConvex || c.b.kind == ShapeKind::kConvex)) return;
  const auto ea = edges_of(c.a, c.Ra), eb = edges_of(c.b, c.Rb);
  for (const Vec<3>& u : ea)
    for (const Vec<3>& v : eb) search.try_both(cross(u, v));
}

template <int D>
void try_around(Search<D>& search, Dice& dice) {
  constexpr int kDirections = D == 2 ? 64 : 120;
  for (int i = 0; i < kDirections; ++i) search.try_both(dice.direction<D>());
}

}  // namespace

template <int D>
double separation(const PairCase<D>& c, const Vec<D>& n) {
  return n.dot(c.pb - c.pa) - extent(c.a, Vec<D>(c.Ra.transpose() * n)) - extent(c.b, Vec<D>(-(c.Rb.transpose() * n)));
}

template <int D>
double outside_by(const Shape<D>& s, const Vec<D>& x) {
  switch (s.kind) {
    case ShapeKind::kSphere:
      return x.norm() - s.radius;
    case ShapeKind::kBox:
      return (x.cwiseAbs() - s.half).maxCoeff();
    case ShapeKind::kCapsule: {
      Vec<D> d = x;
      d[D - 1] -= std::clamp(x[D - 1], -s.half_length, s.half_length);
      return d.norm() - s.radius;
    }
    case ShapeKind::kCylinder:
      return std::max(x.template head<D - 1>().norm() - s.radius, std::abs(x[D - 1]) - s.half_length);
    case ShapeKind::kEllipsoid: {
      const Vec<D> u = x.cwiseQuotient(s.half);
      const double f = u.norm();
      return f > 0 ? (f - 1) * f / u.cwiseQuotient(s.half).norm() : -s.half.minCoeff();
    }
    default: {
      double most = -std::numeric_limits<double>::infinity();
      const auto& hull = *s.hull;
      for (std::size_t f = 0; f < hull.normals.size(); ++f) {
        std::size_t v;
        if constexpr (D == 2)
          v = f;
        else
          v = hull.face(f)[0];
        most = std::max(most, hull.normals[f].dot(x - hull.vertices[v]));
      }
      return most;
    }
  }
}

template <int D>
Sweep<D> sweep(const PairCase<D>& c, const Vec<D>& hint, bool edges) {
  Search<D> search(c);
  Dice dice(5);
  search.try_one(c.pb - c.pa);
  for (int i = 0; i < D; ++i) search.try_both(c.Ra.col(i)), search.try_both(c.Rb.col(i));
  if (c.a.hull) try_faces(*c.a.hull, c.Ra, search);
  if (c.b.hull) try_faces(*c.b.hull, c.Rb, search);
  try_edges(c, edges, search);
  try_around(search, dice);
  search.refine(dice);
  search.try_one(hint);
  search.refine(dice);
  return search.best;
}

template double separation(const PairCase<2>&, const Vec<2>&);
template double separation(const PairCase<3>&, const Vec<3>&);
template double outside_by(const Shape<2>&, const Vec<2>&);
template double outside_by(const Shape<3>&, const Vec<3>&);
template Sweep<2> sweep(const PairCase<2>&, const Vec<2>&, bool);
template Sweep<3> sweep(const PairCase<3>&, const Vec<3>&, bool);

}  // namespace touchstone::testing
