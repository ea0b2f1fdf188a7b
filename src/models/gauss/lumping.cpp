// Purpose: replaces a homogeneous body by points with the same integrals of all polynomials of degree 2, which is all
//   that rigid motion knows of a mass distribution.
// Source: [rote2012 §8.1, figure 10]. For any convex body, its simplices (centre and a side) by the rule of degree 2
//   with weights 1/((D+1)(D+2)) at the vertices and the rest at the centroid.
// Letters: D dimension, m mass.
// Deviations: -
// Fails: never; a body without volume has its mass at its vertices.
#include "models/gauss/lumping.h"

#include <Eigen/LU>
#include <array>

namespace touchstone {
namespace {

template <int D>
using Simplex = std::array<std::size_t, D>;  // a side of the body; the apex is the centre

std::vector<Simplex<2>> sides_of(const Polytope<2>& outline) {
  std::vector<Simplex<2>> out;
  for (std::size_t i = 0; i < outline.vertices.size(); ++i) out.push_back({i, outline.next(i)});
  return out;
}

std::vector<Simplex<3>> sides_of(const Polytope<3>& outline) {
  std::vector<Simplex<3>> out;
  for (std::size_t f = 0; f < outline.face_count(); ++f) {
    const auto ring = outline.face(f);
    for (std::size_t k = 2; k < ring.size(); ++k) out.push_back({ring[0], ring[k - 1], ring[k]});
  }
  return out;
}

template <int D>
double volume(const std::vector<Vec<D>>& v, const Simplex<D>& s, const Vec<D>& apex) {
  Mat<D> edges;
  for (int k = 0; k < D; ++k) edges.col(k) = v[s[static_cast<std::size_t>(k)]] - apex;
  return edges.determinant() / (D == 2 ? 2 : 6);
}

template <int D>
Vec<D> mean_of(const std::vector<Vec<D>>& v, const Simplex<D>& s, const Vec<D>& apex) {
  Vec<D> sum = apex;
  for (const std::size_t i : s) sum += v[i];
  return sum / (D + 1);
}

}  // namespace

PointMasses<2> nine_points(const Vec<2>& size, double mass) {
  PointMasses<2> out;
  const double x = 0.5 * size.x(), y = 0.5 * size.y();
  out.points = {{-x, -y}, {x, -y}, {x, y}, {-x, y}, {0, -y}, {x, 0}, {0, y}, {-x, 0}, {0, 0}};
  for (const int part : {1, 1, 1, 1, 4, 4, 4, 4, 16}) out.masses.push_back(mass * part / 36);
  out.corners = 4;
  return out;
}

template <int D>
PointMasses<D> corner_masses(const Polytope<D>& outline, double mass) {
  const std::size_t n = outline.vertices.size();
  return {outline.vertices, std::vector<double>(n, mass / static_cast<double>(n)), n};
}

template <int D>
PointMasses<D> lumped(const Polytope<D>& outline, double mass) {
  constexpr double kAtVertex = 1.0 / ((D + 1) * (D + 2));
  const std::vector<Simplex<D>> sides = sides_of(outline);
  const std::vector<Vec<D>>& v = outline.vertices;
  Vec<D> centre = Vec<D>::Zero(), inside = Vec<D>::Zero();
  for (const Vec<D>& p : v) inside += p / static_cast<double>(v.size());
  double whole = 0;
  for (const Simplex<D>& s : sides) {
    const double part = volume<D>(v, s, inside);
    whole += part;
    centre += part * mean_of<D>(v, s, inside);
  }
  if (!(whole > 0)) return corner_masses(outline, mass);
  centre /= whole;
  PointMasses<D> out{v, std::vector<double>(v.size(), 0.0), v.size()};
  double at_centre = 0;
  for (const Simplex<D>& s : sides) {
    const double part = mass * volume<D>(v, s, centre) / whole;
    for (const std::size_t i : s) out.masses[i] += kAtVertex * part;
    at_centre += kAtVertex * part;
    out.points.push_back(mean_of<D>(v, s, centre));
    out.masses.push_back((1 - (D + 1) * kAtVertex) * part);
  }
  out.points.push_back(centre);
  out.masses.push_back(at_centre);
  return out;
}

template <int D>
SecondMoments<D> moments_of(const PointMasses<D>& points) {
  SecondMoments<D> out;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const Vec<D>& p = points.points[i];
    out.mass += points.masses[i];
    out.first += points.masses[i] * p;
    out.second += points.masses[i] * p * p.transpose();
  }
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                       \
  template PointMasses<D> corner_masses<D>(const Polytope<D>&, double); \
  template PointMasses<D> lumped<D>(const Polytope<D>&, double);        \
  template SecondMoments<D> moments_of<D>(const PointMasses<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
