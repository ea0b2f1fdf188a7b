#pragma once
// Point masses that move as a homogeneous body does: the same mass, centre and second moments.
#include <span>
#include <vector>

#include "geometry/polytope.h"

namespace touchstone {

// The first `corners` points are the vertices of the outline, in its order.
template <int D>
struct PointMasses {
  std::vector<Vec<D>> points;
  std::vector<double> masses;
  std::size_t corners = 0;
};

// Figure 10: a rectangle about the origin as 3 × 3 points of masses m/36·(1 4 1; 4 16 4; 1 4 1). Corners
// counter-clockwise from the lower left, then the middles of the sides in that order, then the centre.
PointMasses<2> nine_points(const Vec<2>& size, double mass);
// Equal masses at the vertices, as the animation of the paper has them: a brick of another moment of inertia.
template <int D>
PointMasses<D> corner_masses(const Polytope<D>& outline, double mass);
// Any homogeneous convex body, exactly: at the vertices, the centre, and a point within each simplex between them.
template <int D>
PointMasses<D> lumped(const Polytope<D>& outline, double mass);

// Mass, centre, and second moments about the origin.
template <int D>
struct SecondMoments {
  double mass = 0;
  Vec<D> first = Vec<D>::Zero();
  Mat<D> second = Mat<D>::Zero();
};
template <int D>
SecondMoments<D> moments_of(const PointMasses<D>& points);

}  // namespace touchstone
