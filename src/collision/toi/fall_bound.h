#pragma once
// How long the separation of two turning shapes along a fixed normal certainly stays above a level.
#include <cmath>
#include <vector>

#include "collision/toi/time_of_impact.h"

namespace touchstone {

// |n × ω|: how much of the turning shows along n.
inline double turning_along(const Vec<2>&, const AngVec<2>& w) { return std::abs(w[0]); }
inline double turning_along(const Vec<3>& n, const Vec<3>& w) { return cross(n, w).norm(); }

template <int D>
class FallBound {
 public:
  // `slope`: of the separation by the translation alone [m/s].
  void start(double slope);
  // A body whose core is a polytope, at time t. `outward`: the direction in which its points leave the other body.
  // `sense` −1: going back in time. `arm`: of its farthest point from its axis.
  void add_points(const Moving<D>& body, double t, const Vec<D>& outward, double sense, double arm);
  // A body of which only the greatest speed of its points by turning is known [m/s].
  void add_rate(double rate) { slope_ -= rate; }
  // A time not longer than the one after which the separation may have fallen by `height`; at most `longest`.
  double time_to_fall(double height, double longest) const;

 private:
  // A point's height above the lowest one, and how fast it rises.
  struct Point {
    double height, speed;
  };
  double left(double height, double time, double& slope) const;

  std::vector<Point> points_[2];
  int bodies_ = 0;
  double slope_ = 0, curvature_ = 0;
};

}  // namespace touchstone
