#pragma once
// A curve f(x, y) = 0 as a line to draw.
#include <Eigen/Core>
#include <vector>

#include "math/expression.h"

namespace touchstone {

inline constexpr double kCurveLength = 10;  // of a wire that is drawn, each way, over the size of its scene

// The branch through the point of the curve that is nearest to `start`, up to `length` in each direction, or once
// around if it is closed (first and last point are then the same). Empty where the curve is not found.
std::vector<Eigen::Vector2d> curve_line(const Expression& curve, const Eigen::Vector2d& start, double length);

}  // namespace touchstone
