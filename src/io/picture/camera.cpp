#include "io/picture/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touchstone {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kAzimuth = -58 * kDegree, kElevation = 26 * kDegree;
constexpr double kFieldOfView = 28 * kDegree;  // narrow: little distortion, as in a drawing

Eigen::Matrix3d view_axes() {
  const Vector3d back(std::cos(kAzimuth) * std::cos(kElevation), std::sin(kAzimuth) * std::cos(kElevation),
                      std::sin(kElevation));
  const Vector3d right = Vector3d::UnitZ().cross(back).normalized();
  Eigen::Matrix3d axes;
  axes.row(0) = right;
  axes.row(1) = back.cross(right);
  axes.row(2) = back;
  return axes;
}

// Along one axis of the picture: the place of the eye across, and the distance it needs, so that all balls
// lie between the two side planes of slope `slope`.
struct Fit {
  double across, distance;
};
Fit fit_axis(const std::vector<Vector3d>& centers, const std::vector<double>& reaches, int axis, double slope) {
  double upper = -1e300, lower = -1e300;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    const double grown = slope * centers[i].z() + reaches[i] * std::hypot(1.0, slope);
    upper = std::max(upper, centers[i][axis] + grown);
    lower = std::max(lower, -centers[i][axis] + grown);
  }
  return {0.5 * (upper - lower), 0.5 * (upper + lower) / slope};
}

}  // namespace

Camera::Camera(const std::vector<const Solid*>& framed, double width, double height, double margin)
    : axes_(view_axes()) {
  std::vector<Vector3d> centers;
  std::vector<double> reaches;
  Vector3d lower = Vector3d::Constant(1e300), upper = -lower;
  for (const Solid* s : framed) {
    centers.push_back(axes_ * s->center);
    reaches.push_back(s->reach);
    lower = lower.cwiseMin((s->center.array() - s->reach).matrix());
    upper = upper.cwiseMax((s->center.array() + s->reach).matrix());
  }
  if (framed.empty()) {
    centers = {Vector3d::Zero()}, reaches = {1.0};
    lower = -Vector3d::Ones(), upper = Vector3d::Ones();
  }
  const double tangent = std::tan(0.5 * kFieldOfView), shown = 1 - 2 * margin;
  const Fit x = fit_axis(centers, reaches, 0, shown * tangent * width / height);
  const Fit y = fit_axis(centers, reaches, 1, shown * tangent);
  position_ = axes_.transpose() * Vector3d(x.across, y.across, std::max(x.distance, y.distance));
  focus_ = 0.5 * (lower + upper);
  scene_radius_ = 0.5 * (upper - lower).norm();
  focal_ = 0.5 * height / tangent;
  near_ = 0.02 * (position_ - focus_).norm();
  center_x_ = 0.5 * width, center_y_ = 0.5 * height;
}

Vector2d Camera::project(const Vector3d& p) const {
  const Vector3d v = axes_ * (p - position_);
  return {center_x_ - focal_ * v.x() / v.z(), center_y_ + focal_ * v.y() / v.z()};
}

std::vector<Vector2d> Camera::project(const std::vector<Vector3d>& polygon) const {
  const bool whole = std::all_of(polygon.begin(), polygon.end(), [&](const Vector3d& p) { return visible(p); });
  std::vector<Vector2d> pixels;
  if (whole) {
    for (const Vector3d& p : polygon) pixels.push_back(project(p));
    return pixels;
  }
  const Vector3d ahead = -towards_eye();
  for (const Vector3d& p : clip(polygon, {position_ + 1.0001 * near_ * ahead, ahead})) pixels.push_back(project(p));
  return pixels;
}

std::vector<Vector3d> clip(const std::vector<Vector3d>& polygon, const Plane& plane) {
  std::vector<Vector3d> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3d &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double at_a = plane.normal.dot(a - plane.point), at_b = plane.normal.dot(b - plane.point);
    if (at_a >= 0) kept.push_back(a);
    if ((at_a >= 0) != (at_b >= 0)) kept.push_back(a + (b - a) * (at_a / (at_a - at_b)));
  }
  return kept;
}

std::vector<Vector2d> convex_outline(std::vector<Vector2d> points) {
  std::sort(points.begin(), points.end(),
            [](const Vector2d& a, const Vector2d& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  if (points.size() < 3) return points;
  const auto turn = [](const Vector2d& a, const Vector2d& b, const Vector2d& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  };
  std::vector<Vector2d> hull(2 * points.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {  // the lower chain, then back along the upper
    while (n >= 2 && turn(hull[n - 2], hull[n - 1], points[i]) <= 0) --n;
    hull[n++] = points[i];
  }
  const std::size_t lower = n + 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) {
    while (n >= lower && turn(hull[n - 2], hull[n - 1], points[i]) <= 0) --n;
    hull[n++] = points[i];
  }
  hull.resize(n - 1);
  return hull;
}

}  // namespace touchstone
