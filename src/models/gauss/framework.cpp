// Purpose: frameworks of points and bars, and which bars a rigid body needs.
// Source: [rote2012 §2, §8.1, §8.4, figures 4 and 10].
// Letters: n points, D dimension; a row of the rigidity matrix is (…, p_i − p_j, …, p_j − p_i, …).
// Deviations: -
// Fails: never; points that are not rigid with any bars keep the bars that are independent.
#include "models/gauss/framework.h"

#include <algorithm>

namespace touchstone {

template <int D>
void Framework<D>::add_body(const PointMasses<D>& body, std::span<const Bar> body_bars, const Pose<D>& pose) {
  const auto first = static_cast<std::uint32_t>(points());
  const Mat<D> R = matrix_of(pose.R);
  for (const Vec<D>& p : body.points) start.push_back(pose.p + R * p);
  mass.insert(mass.end(), body.masses.begin(), body.masses.end());
  for (const Bar& b : body_bars) bars.push_back({first + b.i, first + b.j, b.length});
  outlines.emplace_back();
  for (std::uint32_t i = 0; i < body.corners; ++i) outlines.back().push_back(first + i);
}

template <int D>
void Framework<D>::add_fixed(std::span<const Vec<D>> outline) {
  outlines.emplace_back();
  for (const Vec<D>& p : outline) {
    outlines.back().push_back(static_cast<std::uint32_t>(points()));
    start.push_back(p);
    mass.push_back(0.0);
  }
}

template <int D>
void Framework<D>::join(std::uint32_t kept, std::uint32_t gone) {
  const bool fixed = mass[kept] == 0 || mass[gone] == 0;
  mass[kept] = fixed ? 0.0 : mass[kept] + mass[gone];
  start.erase(start.begin() + gone);
  mass.erase(mass.begin() + gone);
  const auto rename = [&](std::uint32_t& i) {
    if (i == gone) i = kept;
    if (i > gone) --i;
  };
  for (Bar& b : bars) rename(b.i), rename(b.j);
  for (auto& outline : outlines)
    for (std::uint32_t& i : outline) rename(i);
}

template <int D>
std::vector<Bar> all_pairs(const PointMasses<D>& body) {
  std::vector<Bar> out;
  for (std::uint32_t i = 0; i < body.points.size(); ++i)
    for (std::uint32_t j = i + 1; j < body.points.size(); ++j)
      out.push_back({i, j, (body.points[i] - body.points[j]).norm()});
  return out;
}

// By Gram and Schmidt, twice each.
template <int D>
std::vector<Bar> independent_bars(const PointMasses<D>& body, std::span<const Bar> candidates) {
  constexpr double kDependent = 1e-7;  // of a unit row: what is left of it after those before
  const std::size_t n = body.points.size(), most = D * n - D * (D + 1) / 2;
  std::vector<Eigen::VectorXd> kept;
  std::vector<Bar> out;
  for (const Bar& b : candidates) {
    if (out.size() == most) break;
    if (!(b.length > 0)) continue;
    Eigen::VectorXd row = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(D * n));
    const Vec<D> d = (body.points[b.i] - body.points[b.j]).normalized();
    row.segment<D>(D * static_cast<Eigen::Index>(b.i)) = d;
    row.segment<D>(D * static_cast<Eigen::Index>(b.j)) = -d;
    row.normalize();
    for (int pass = 0; pass < 2; ++pass)
      for (const Eigen::VectorXd& k : kept) row -= k.dot(row) * k;
    const double left = row.norm();
    if (left < kDependent) continue;
    kept.push_back(row / left);
    out.push_back(b);
  }
  return out;
}

template <int D>
std::vector<Bar> usual_bars(const PointMasses<D>& body) {
  if (body.points.size() == body.corners) return all_pairs(body);
  if (D != 2 || body.points.size() != 9 || body.corners != 4) return independent_bars<D>(body, all_pairs(body));
  std::vector<Bar> out;
  const auto add = [&](std::uint32_t i, std::uint32_t j) {
    out.push_back({i, j, (body.points[i] - body.points[j]).norm()});
  };
  for (std::uint32_t k = 0; k < 4; ++k) {
    add(k, 4 + k), add(4 + k, (k + 1) % 4);  // the rim: corner, middle, corner
    add(k, 8), add(4 + k, 8);                // spokes
  }
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                             \
  template struct Framework<D>;                                                               \
  template std::vector<Bar> usual_bars<D>(const PointMasses<D>&);                             \
  template std::vector<Bar> independent_bars<D>(const PointMasses<D>&, std::span<const Bar>); \
  template std::vector<Bar> all_pairs<D>(const PointMasses<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
