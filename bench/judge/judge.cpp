// Purpose: Finds every touching pair of a scene and sums up how deep they are, what moves and what is lost. Near pairs
// come from a grid of cells that hold a whole body each.
// Source: none.
// Letters: none.
// Deviations: none.
// Fails: bodies with numbers that are not finite are counted and left out of everything else.
#include "judge/judge.h"

#include <algorithm>
#include <cmath>

namespace touchstone::bench {
namespace {

constexpr double kRounding = 1e-12;           // overlaps of bodies that were put side by side [m]
constexpr int kBits = 20;                     // of a cell's number along an axis
constexpr double kMiddle = 1 << (kBits - 1);  // the number of the cell at the origin
constexpr double kLast = (1 << kBits) - 2;    // bodies farther out share the outermost cells
constexpr std::uint64_t kRow = 1ULL << kBits, kLayer = 1ULL << (2 * kBits);

std::uint64_t cell_along(double x, double edge) {
  return static_cast<std::uint64_t>(std::clamp(std::floor(x / edge) + kMiddle, 1.0, kLast));
}

bool finite(const Motion& m) {
  double sum = 0;
  for (const double x : m.pose.position) sum += x;
  for (const double x : m.pose.orientation) sum += x;
  for (const double x : m.velocity) sum += x;
  for (const double x : m.angular_velocity) sum += x;
  return std::isfinite(sum);
}

double square(const Vec3& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

bool holds(const Posed& box, const Vec3& point) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == 1 && box.form == Form::kRectangle) continue;
    const Vec3& n = box.axes[i];
    const double along =
        n[0] * (point[0] - box.centre[0]) + n[1] * (point[1] - box.centre[1]) + n[2] * (point[2] - box.centre[2]);
    if (std::abs(along) > box.half[i]) return false;
  }
  return true;
}

bool within(const Bounds& room, const Vec3& point) {
  for (std::size_t i = 0; i < 3; ++i)
    if (point[i] < room.low[i] || point[i] > room.high[i]) return false;
  return true;
}

}  // namespace

Judge::Judge(const Scene& scene) : scene_(scene), cell_(kTouching) {
  for (const Item& item : scene.statics) statics_.push_back(posed(item, item.pose));
  double reach = 0;
  for (const Item& item : scene.bodies) reach = std::max(reach, posed(item, item.pose).reach);
  cell_ += 2 * reach;
  std::vector<Motion> start;
  for (const Item& item : scene.bodies) start.push_back({item.pose, {}, {}});
  find_penetrations(start);
  for (const auto& [pair, depth] : overlapping_) inherited_.push_back(pair);
  std::sort(inherited_.begin(), inherited_.end());
}

void Judge::judge_pair(const Posed& a, const Posed& b, std::uint32_t number_a, std::uint32_t number_b) {
  const double gap = gap_between(a, b, kTouching);
  if (gap > kTouching) return;
  penetrations_.push_back(std::max(0.0, -gap));
  if (gap < -kRounding) overlapping_.push_back({{std::min(number_a, number_b), std::max(number_a, number_b)}, -gap});
}

void Judge::sort_into_cells() {
  cells_.clear();
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    const Vec3& p = bodies_[i].centre;
    cells_.emplace_back(cell_along(p[0], cell_) + kRow * cell_along(p[1], cell_) + kLayer * cell_along(p[2], cell_), i);
  }
  std::sort(cells_.begin(), cells_.end());
}

void Judge::find_penetrations(const std::vector<Motion>& motions) {
  bodies_.clear();
  numbers_.clear();
  penetrations_.clear();
  overlapping_.clear();
  for (std::size_t i = 0; i < motions.size(); ++i) {
    if (!finite(motions[i])) continue;
    bodies_.push_back(posed(scene_.bodies[i], motions[i].pose));
    numbers_.push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (std::size_t j = 0; j < statics_.size(); ++j)
      judge_pair(bodies_[i], statics_[j], numbers_[i], static_cast<std::uint32_t>(scene_.bodies.size() + j));
  sort_into_cells();
  // Cells along x have neighbouring numbers: of the 27 around a body, five rows of three hold every pair once.
  constexpr std::array<std::uint64_t, 5> kRows{0, kRow, kLayer - kRow, kLayer, kLayer + kRow};
  std::array<std::size_t, 5> from{};  // numbers only rise: each row is searched on from where it was found last
  for (std::size_t n = 0; n < cells_.size(); ++n) {
    const Posed& a = bodies_[cells_[n].second];
    for (std::size_t row = 0; row < kRows.size(); ++row) {
      const std::uint64_t middle = cells_[n].first + kRows[row];
      std::size_t& start = from[row];
      while (start < cells_.size() && cells_[start].first + 1 < middle) ++start;
      for (std::size_t m = row == 0 ? n + 1 : start; m < cells_.size() && cells_[m].first <= middle + 1; ++m) {
        const Posed& b = bodies_[cells_[m].second];
        const Vec3 way{b.centre[0] - a.centre[0], b.centre[1] - a.centre[1], b.centre[2] - a.centre[2]};
        const double reach = a.reach + b.reach + kTouching;
        if (square(way) <= reach * reach) judge_pair(a, b, numbers_[cells_[n].second], numbers_[cells_[m].second]);
      }
    }
  }
}

void Judge::judge_motion(const std::vector<Motion>& motions, Verdict& verdict) const {
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Motion& m = motions[i];
    if (!finite(m)) {
      ++verdict.broken;
      continue;
    }
    const Item& body = scene_.bodies[i];
    verdict.kinetic_energy += 0.5 * mass_of(body, scene_.density) * square(m.velocity) +
                              0.5 * inertia_of(body, scene_.density) * square(m.angular_velocity);
    const Vec3 &p = m.pose.position, &start = body.pose.position;
    const bool inside =
        std::any_of(statics_.begin(), statics_.end(), [&](const Posed& wall) { return holds(wall, p); });
    if (inside || !within(scene_.room, p)) ++verdict.lost;
    verdict.sag = std::max(verdict.sag, start[2] - p[2]);
    verdict.drift = std::max(verdict.drift, std::hypot(p[0] - start[0], p[1] - start[1]));
  }
}

Verdict Judge::judge(const std::vector<Motion>& motions) {
  Verdict verdict;
  judge_motion(motions, verdict);
  find_penetrations(motions);
  std::sort(penetrations_.begin(), penetrations_.end());
  const std::size_t count = penetrations_.size();
  verdict.touching = static_cast<long>(count);
  if (count == 0) return verdict;
  verdict.penetration_max = penetrations_.back();
  verdict.penetration_p99 = penetrations_[(99 * count + 99) / 100 - 1];  // 99 % of the pairs are no deeper
  for (const double p : penetrations_) verdict.penetration_mean += p / static_cast<double>(count);
  return verdict;
}

Judge::Depths Judge::depths(const std::vector<Motion>& motions) {
  find_penetrations(motions);
  Depths depths;
  still_.clear();
  for (const auto& [pair, depth] : overlapping_) {
    depths.all = std::max(depths.all, depth);
    if (std::binary_search(inherited_.begin(), inherited_.end(), pair))
      still_.push_back(pair);
    else
      depths.made = std::max(depths.made, depth);
  }
  std::sort(still_.begin(), still_.end());
  inherited_.swap(still_);
  return depths;
}

}  // namespace touchstone::bench
