// Purpose: rays against the pieces of surfaces. The ray passes a piece on the side that the signs of the edge functions
//   tell; no ray slips through between pieces that share an edge or a corner.
// Source: S. Woop, C. Benthin, I. Wald, Watertight ray/triangle intersection, JCGT 2 (2013).
// Letters: a, b, c corners seen from the ray's origin, d direction.
// Deviations: signs come from comparing the two products of an edge function, which rounding can make equal but never
//   turn round, instead of their difference, which a fused multiply-add can; so nothing needs a higher precision.
// Fails: a ray in the plane of the piece misses; what it hits are the neighbours.
#include <algorithm>
#include <cmath>

#include "collision/ray/ray_cast.h"

namespace touchstone {
namespace {

// A corner as the ray sees it: space is sheared along the direction's largest component until the ray runs along it.
// The operations are spelt out so that the same corner is the same to the last bit in every piece.
class Shear {
 public:
  explicit Shear(const Vec<3>& d) {
    d.cwiseAbs().maxCoeff(&z_);
    x_ = (z_ + 1) % 3, y_ = (z_ + 2) % 3;
    sx_ = d[x_] / d[z_], sy_ = d[y_] / d[z_];
  }
  Vec<2> operator()(const Vec<3>& a) const { return {std::fma(-sx_, a[z_], a[x_]), std::fma(-sy_, a[z_], a[y_])}; }

 private:
  int x_, y_, z_;
  double sx_, sy_;
};

struct EdgeFunction {
  double value;
  bool negative, positive;
  EdgeFunction(const Vec<2>& a, const Vec<2>& b) {
    const double left = a[0] * b[1], right = a[1] * b[0];
    negative = left<right, positive = left> right;
    value = negative || positive ? left - right : 0.0;
  }
};

// d × a; the sign says on which side of the ray the point is, the same for every piece that has it.
double side(const Vec<2>& d, const Vec<2>& a) { return std::fma(d[0], a[1], -(d[1] * a[0])); }

template <int D>
bool strike(const Ray<D>& ray, double distance, const Vec<D>& normal, RayStrike<D>& out) {
  if (!(distance >= 0) || !(distance <= ray.length)) return false;
  out.distance = distance;
  out.point = ray.origin + distance * ray.direction;
  out.normal = normal.dot(ray.direction) > 0 ? Vec<D>(-normal) : normal;
  out.inside = false;
  return true;
}

}  // namespace

bool ray_triangle(const Ray<3>& ray, const std::array<Vec<3>, 3>& vertices, RayStrike<3>& out) {
  const Vec<3> a = vertices[0] - ray.origin, b = vertices[1] - ray.origin, c = vertices[2] - ray.origin;
  const Vec<3>& d = ray.direction;
  const Shear shear(d);
  const Vec<2> sa = shear(a), sb = shear(b), sc = shear(c);
  const EdgeFunction u(sb, sc), v(sc, sa), w(sa, sb);
  if ((u.negative || v.negative || w.negative) && (u.positive || v.positive || w.positive)) return false;
  const double sum = u.value + v.value + w.value;
  if (sum == 0) return false;
  const Vec<3> n = cross(Vec<3>(b - a), Vec<3>(c - a));
  const double area = n.norm();
  if (!(area > 0)) return false;
  return strike<3>(ray, (u.value * a.dot(d) + v.value * b.dot(d) + w.value * c.dot(d)) / sum, n / area, out);
}

bool ray_segment(const Ray<2>& ray, const std::array<Vec<2>, 2>& ends, RayStrike<2>& out) {
  const Vec<2> a = ends[0] - ray.origin, b = ends[1] - ray.origin;
  const double sa = side(ray.direction, a), sb = side(ray.direction, b);
  if ((sa > 0 && sb > 0) || (sa < 0 && sb < 0) || sa == sb) return false;
  const double distance = (a.dot(ray.direction) * sb - b.dot(ray.direction) * sa) / (sb - sa);
  const Vec<2> along = b - a;
  return strike<2>(ray, distance, Vec<2>(-along[1], along[0]).normalized(), out);
}

}  // namespace touchstone
