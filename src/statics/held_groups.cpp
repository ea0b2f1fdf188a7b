// Purpose: a proof without a program that a structure with friction has no neutral motion, and smaller programs where
// it
//   may have one.
// Method: let f balance the loads, and y be a motion with W·y = 0 that is in the dual of the friction cone at each
//   contact. Then Σ f_i·(J·y)_i = −W·y = 0, and no term is negative: each is 0. A force inside of its cone leaves
//   nothing of (J·y)_i, so that the two bodies move as one at that point. Two bodies that do so at points that do not
//   lie in a line (in 2D: at two points) are one body. Groups grow from there.
// Letters: f, J, W, y as in balance.h.
// Fails: what hangs together only by joints or by a round trip over several bodies is not seen; the program decides.
#include "statics/held_groups.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace touchstone::statics {
namespace {

constexpr double kTiny = 1e-6;    // of the greatest force: rounding of a program
constexpr double kNarrow = 1e-9;  // of the unit of length: points so near to a line do not hold

bool is_inside(FrictionLaw law, int axes, const Rational& mu, const Rational& n, const Rational& x, const Rational& y) {
  const Rational limit = mu * n;
  if (axes == 3 && law == FrictionLaw::kCircle) return x * x + y * y < limit * limit;
  return abs(x) + abs(y) < limit;
}
bool is_inside(FrictionLaw law, int axes, double mu, double n, double x, double y, double tiny) {
  const double slip = axes == 3 && law == FrictionLaw::kCircle ? std::hypot(x, y) : std::abs(x) + std::abs(y);
  return slip < mu * n - tiny;
}

class Groups {
 public:
  explicit Groups(const Structure& s) : s_(s), parent_(s.bodies.size()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    std::uint32_t world = static_cast<std::uint32_t>(s.bodies.size());
    for (std::uint32_t i = 0; i < s.bodies.size(); ++i)
      if (s.bodies[i].held) world = std::min(world, i), parent_[i] = world;
  }
  std::uint32_t of(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // One pass over the points at which bodies move as one. True if groups were joined.
  bool join(const std::vector<std::size_t>& gripped) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Eigen::Vector3d>> points;
    for (const std::size_t i : gripped) {
      const std::uint32_t a = of(s_.contacts[i].a), b = of(s_.contacts[i].b);
      if (a != b) points[std::minmax(a, b)].push_back(s_.contacts[i].point);
    }
    bool joined = false;
    for (const auto& [pair, at] : points) {
      if (!holds(at)) continue;
      const std::uint32_t a = of(pair.first), b = of(pair.second);
      parent_[std::max(a, b)] = std::min(a, b);
      joined = true;
    }
    return joined;
  }
  bool is_one() {
    for (std::uint32_t i = 0; i < s_.bodies.size(); ++i)
      if (of(i) != of(0)) return false;
    return true;
  }

 private:
  // The points, those of the widest triangle found from the first one, leave no motion.
  bool holds(const std::vector<Eigen::Vector3d>& at) const {
    Eigen::Vector3d far = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& p : at)
      if ((p - at[0]).norm() > far.norm()) far = p - at[0];
    if (s_.dimension == 2) return far.norm() > kNarrow;
    double height = 0;
    for (const Eigen::Vector3d& p : at) height = std::max(height, (p - at[0]).cross(far).norm());
    return height > kNarrow * far.norm();
  }

  const Structure& s_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::vector<Grip> grips_of(const Equations& e, const FrictionLaw law, const Forces& forces) {
  const auto axes = static_cast<std::size_t>(e.axes);
  std::vector<Grip> out(e.contacts, Grip::kNone);
  const double tiny = forces.size() > 0 ? kTiny * forces.rounded.cwiseAbs().maxCoeff() : 0.0;
  const auto rounded_force = [&](std::size_t i) { return forces.rounded[static_cast<Eigen::Index>(i)]; };
  for (std::size_t i = 0; i < e.contacts; ++i) {
    const std::size_t row = i * axes;
    const bool smooth = e.friction[i] == 0;
    bool inside = false;
    if (!forces.exact.empty())
      inside = smooth ? forces.exact[row] > 0
                      : is_inside(law, e.axes, e.friction[i], forces.exact[row], forces.exact[row + 1],
                                  axes == 3 ? forces.exact[row + 2] : Rational(0));
    else
      inside = smooth ? rounded_force(row) > tiny
                      : is_inside(law, e.axes, rounded(e.friction[i]), rounded_force(row), rounded_force(row + 1),
                                  axes == 3 ? rounded_force(row + 2) : 0.0, tiny);
    if (inside) out[i] = smooth ? Grip::kNormal : Grip::kWhole;
  }
  return out;
}

bool all_held(const Structure& s, const std::vector<Grip>& grips) {
  if (std::none_of(s.bodies.begin(), s.bodies.end(), [](const Body& b) { return b.held; })) return false;
  std::vector<std::size_t> gripped;
  for (std::size_t i = 0; i < grips.size(); ++i)
    if (grips[i] == Grip::kWhole) gripped.push_back(i);
  Groups groups(s);
  while (groups.join(gripped)) {
  }
  return groups.is_one();
}

}  // namespace touchstone::statics
