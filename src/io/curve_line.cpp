// Purpose: follows a curve f(x, y) = 0 from a point on it: a step along the tangent, then back onto the curve along the
//   gradient (predictor and corrector). Steps shrink where the curve bends.
// Source: -
// Letters: f the curve, t its tangent.
// Deviations: -
// Fails: at a point without a gradient (a crossing, a cusp) and where f is not defined: the line ends there.
#include "io/curve_line.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace touchstone {
namespace {

using Eigen::Vector2d;

constexpr std::size_t kMostPoints = 4000;  // of one direction
constexpr double kLongest = 1.0 / 200;     // of the length: a step where the curve is straight
constexpr double kShortest = 1e-7;         // of the length: below, the line ends
constexpr double kBend = 0.995;            // cosine of the greatest turn in a step

struct OnCurve {
  Vector2d point, tangent;
};

// Newton's method along the gradient.
std::optional<OnCurve> foot(const Expression& curve, Vector2d p, double scale) {
  for (int i = 0; i < 50; ++i) {
    const Jet2 f = curve.at(p.x(), p.y());
    const double square = f.x * f.x + f.y * f.y;
    if (!std::isfinite(f.value) || !std::isfinite(square) || !(square > 0)) return std::nullopt;
    const Vector2d gradient(f.x, f.y), step = -f.value / square * gradient;
    p += step;
    if (step.norm() <= 1e-9 * scale) return OnCurve{p, Vector2d(-f.y, f.x) / std::sqrt(square)};
  }
  return std::nullopt;
}

// The points after `start`; `closed`: the line has come back to it.
std::vector<Vector2d> follow(const Expression& curve, const OnCurve& start, double length, bool& closed) {
  std::vector<Vector2d> line;
  OnCurve at = start;
  double step = kLongest * length, way = 0;
  while (way < length && line.size() < kMostPoints) {
    auto next = foot(curve, at.point + step * at.tangent, length);
    if (next && next->tangent.dot(at.tangent) < 0) next->tangent = -next->tangent;
    const bool good = next && next->tangent.dot(at.tangent) > kBend && (next->point - at.point).norm() < 2 * step;
    if (!good) {
      step *= 0.5;
      if (step < kShortest * length) break;
      continue;
    }
    const double before = (start.point - at.point).dot(at.tangent), after = (start.point - next->point).dot(at.tangent);
    closed = way > 3 * step && before > 0 && after <= 0 && (start.point - at.point).norm() < 2 * step;
    if (closed) {
      line.push_back(start.point);
      break;
    }
    way += (next->point - at.point).norm();
    at = *next;
    line.push_back(at.point);
    step = std::min(1.5 * step, kLongest * length);
  }
  return line;
}

}  // namespace

std::vector<Vector2d> curve_line(const Expression& curve, const Vector2d& start, double length) {
  std::optional<OnCurve> at = foot(curve, start, length);
  if (!at || !(length > 0)) return {};
  bool closed = false;
  std::vector<Vector2d> line{at->point};
  const std::vector<Vector2d> ahead = follow(curve, *at, length, closed);
  line.insert(line.end(), ahead.begin(), ahead.end());
  if (closed) return line;
  at->tangent = -at->tangent;
  std::vector<Vector2d> back = follow(curve, *at, length, closed);
  std::reverse(back.begin(), back.end());
  line.insert(line.begin(), back.begin(), back.end());
  return line;
}

}  // namespace touchstone
