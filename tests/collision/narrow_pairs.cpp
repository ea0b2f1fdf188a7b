#include "collision/narrow_pairs.h"

namespace touchstone::testing {
namespace {

template <int D>
std::vector<Vec<D>> world_vertices(const Placed<D>& s) {
  const Core<D> core = core_of(s.shape);
  std::vector<Vec<D>> out;
  for (std::size_t i = 0; i < core.polytope->vertices.size(); ++i) out.push_back(s.R * core.vertex(i));
  return out;  // relative to the shape's centre
}

template <int D>
class Plain {
 public:
  Plain(const Placed<D>& a, const Placed<D>& b)
      : a_(world_vertices(a)),
        b_(world_vertices(b)),
        p_(b.p - a.p),
        radii_(core_of(a.shape).radius + core_of(b.shape).radius) {}
  void offer(const Vec<D>& axis) {
    const double length = axis.norm();
    if (!(length > 1e-13)) return;
    for (const double sign : {1.0, -1.0}) {
      const Vec<D> n = axis * (sign / length);
      double far = -1e300, near = 1e300;
      for (const Vec<D>& x : a_) far = std::max(far, n.dot(x));
      for (const Vec<D>& x : b_) near = std::min(near, n.dot(x));
      best = std::max(best, near - far + n.dot(p_) - radii_);
    }
  }
  double best = -std::numeric_limits<double>::infinity();
  std::vector<Vec<D>> a_, b_;
  Vec<D> p_;
  double radii_;
};

std::vector<Vec<3>> directions_of_edges(const Placed<3>& s) {
  const Core<3> core = core_of(s.shape);
  std::vector<Vec<3>> out;
  for (const auto& e : core.polytope->edges) {
    const Vec<3> u = (s.R * (core.vertex(e.head) - core.vertex(e.tail))).normalized();
    bool known = false;  // parallel ones once: the axis is measured against all vertices anyway
    for (const Vec<3>& w : out) known = known || cross(u, w).norm() < 1e-15;
    if (!known) out.push_back(u);
  }
  return out;
}

}  // namespace

double plain_separation(const Placed<2>& a, const Placed<2>& b) {
  Plain<2> plain(a, b);
  for (const Placed<2>* s : {&a, &b})
    for (const Vec<2>& n : core_of(s->shape).polytope->normals) plain.offer(s->R * n);
  for (const Vec<2>& x : plain.a_)
    for (const Vec<2>& y : plain.b_) plain.offer(y + plain.p_ - x);
  plain.offer(Vec<2>::UnitX());
  return plain.best;
}

double plain_separation(const Placed<3>& a, const Placed<3>& b) {
  Plain<3> plain(a, b);
  for (const Placed<3>* s : {&a, &b})
    for (const Vec<3>& n : core_of(s->shape).polytope->normals) plain.offer(s->R * n);
  const auto ea = directions_of_edges(a), eb = directions_of_edges(b);
  for (const Vec<3>& u : ea)
    for (const Vec<3>& w : eb) plain.offer(cross(u, u.dot(w) < 0 ? Vec<3>(w + u) : Vec<3>(w - u)));
  const bool lone = core_of(a.shape).polytope->face_count() == 0 && core_of(b.shape).polytope->face_count() == 0;
  for (const Vec<3>& u : ea) lone ? plain.offer(u.unitOrthogonal()) : void();
  for (const Vec<3>& w : eb) lone ? plain.offer(w.unitOrthogonal()) : void();
  if (lone) plain.offer(Vec<3>::UnitX());
  return plain.best;
}

bool inside(const Placed<2>& s, const Vec<2>& world, double tolerance) {
  const Core<2> core = core_of(s.shape);
  const Vec<2> x = s.R.transpose() * (world - s.p);
  const Polytope<2>& p = *core.polytope;
  // The distance to the core by its definition: zero inside, else that of the nearest side.
  double nearest = (x - core.vertex(0)).norm(), highest = -1e300;
  for (std::size_t i = 0; i < p.normals.size(); ++i) {
    const Vec<2> from = core.vertex(i), u = core.vertex(p.next(i)) - from;
    nearest = std::min(nearest, (x - from - u * std::clamp((x - from).dot(u) / u.squaredNorm(), 0.0, 1.0)).norm());
    highest = std::max(highest, p.normals[i].dot(x - from));
  }
  if (p.vertices.size() > 2 && highest <= 0) nearest = 0;
  return nearest <= core.radius + tolerance;
}

bool inside(const Placed<3>& s, const Vec<3>& world, double tolerance) {
  const Core<3> core = core_of(s.shape);
  const Vec<3> x = s.R.transpose() * (world - s.p);
  const Polytope<3>& p = *core.polytope;
  double nearest = (x - core.vertex(0)).norm(), highest = -1e300;
  for (const auto& e : p.edges) {
    const Vec<3> from = core.vertex(e.tail), u = core.vertex(e.head) - from;
    nearest = std::min(nearest, (x - from - u * std::clamp((x - from).dot(u) / u.squaredNorm(), 0.0, 1.0)).norm());
  }
  for (std::size_t f = 0; f < p.face_count(); ++f) {
    const auto ring = p.face(f);
    const double height = p.normals[f].dot(x - core.vertex(ring[0]));
    highest = std::max(highest, height);
    bool over = true;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vec<3> from = core.vertex(ring[k]), u = core.vertex(ring[(k + 1) % ring.size()]) - from;
      over = over && cross(p.normals[f], u).dot(x - from) >= 0;
    }
    if (over) nearest = std::min(nearest, std::abs(height));
  }
  if (p.face_count() > 2 && highest <= 0) nearest = 0;
  return nearest <= core.radius + tolerance;
}

}  // namespace touchstone::testing
