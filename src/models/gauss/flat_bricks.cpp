// Purpose: the state of least potential energy of flat bricks, as one linear program.
// Source: [rote2012 §9], the right part of figure 2.
// Letters: y heights of the two lower corners of each brick, which is straight between them; t thickness.
//   least Σ m·g·(y_left + y_right)/2 under, for two bricks that overlap sideways, (height of the upper) >= (height of
//   the lower) + t at both ends of the overlap, and y >= 0. Both are straight there, so that two ends are enough.
// Deviations:
//   (1) The paper does not say how it abstracts from thickness. Here a turned brick is as thick straight up as a level
//       one, and no wider; with t = 0 all bricks lie on the floor.
// Fails: never; every program of this kind has an optimum, since all heights are bounded below.
#include "models/gauss/flat_bricks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "touchstone/error.h"

namespace touchstone {
namespace {

// Part of the brick's way from left to right.
double part(const FlatBrick& b, double x) { return (x - b.left) / (b.right - b.left); }

}  // namespace

FlatBricks least_energy(const std::vector<FlatBrick>& bricks, double thickness, double gravity, StopFlag stop) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto count = static_cast<Eigen::Index>(2 * bricks.size());
  LinearProgram program;
  program.c.resize(count);
  program.x_lower = Eigen::VectorXd::Zero(count);
  program.x_upper = Eigen::VectorXd::Constant(count, kInfinity);
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  for (std::size_t a = 0; a < bricks.size(); ++a) {
    const FlatBrick& lower = bricks[a];
    if (!(lower.right > lower.left && lower.mass > 0 && std::isfinite(lower.right - lower.left + lower.mass)))
      throw Error(ErrorKind::kBadInput, fmt::format("brick {} from {} to {} m with {} kg needs a width and a mass", a,
                                                    lower.left, lower.right, lower.mass));
    program.c.segment<2>(static_cast<Eigen::Index>(2 * a)).setConstant(0.5 * lower.mass * gravity);
    for (std::size_t b = 0; b < bricks.size(); ++b) {
      const FlatBrick& upper = bricks[b];
      const double from = std::max(lower.left, upper.left), to = std::min(lower.right, upper.right);
      if (upper.row <= lower.row || !(to > from)) continue;
      for (const double x : {from, to}) {
        const auto put = [&](std::size_t brick, double sign) {
          const double s = part(bricks[brick], x);
          entries.emplace_back(rows, static_cast<int>(2 * brick), sign * (1 - s));
          entries.emplace_back(rows, static_cast<int>(2 * brick + 1), sign * s);
        };
        put(b, 1), put(a, -1);
        ++rows;
      }
    }
  }
  program.a.resize(rows, count);
  program.a.setFromTriplets(entries.begin(), entries.end());
  program.lower = Eigen::VectorXd::Constant(rows, thickness);
  program.upper = Eigen::VectorXd::Constant(rows, kInfinity);
  FlatBricks out;
  LpOptions options;
  options.stop = stop;
  out.answer = LinearSolver().solve(program, options);
  for (std::size_t i = 0; i < bricks.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(2 * i);
    out.left.push_back(out.answer.x.size() > at + 1 ? out.answer.x[at] : std::nan(""));
    out.right.push_back(out.answer.x.size() > at + 1 ? out.answer.x[at + 1] : std::nan(""));
  }
  out.energy = out.answer.objective;
  return out;
}

}  // namespace touchstone
