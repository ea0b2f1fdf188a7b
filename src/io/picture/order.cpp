#include "io/picture/order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace touchstone {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct Extent {
  double x0, y0, x1, y1;  // pixels
  bool overlaps(const Extent& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
  bool contains(const Vector2d& p) const { return x0 < p.x() && p.x() < x1 && y0 < p.y() && p.y() < y1; }
};

Extent extent_of(const Solid& solid, const Camera& camera) {
  constexpr double kAll = 1e9;
  Extent extent{kAll, kAll, -kAll, -kAll};
  for (const Vector3d& p : solid.core) {
    if (camera.depth(p) < 1.5 * solid.radius || !camera.visible(p)) return {-kAll, -kAll, kAll, kAll};
    const Vector2d at = camera.project(p);
    const double r = 1.1 * solid.radius * camera.focal() / camera.depth(p);
    extent = {std::min(extent.x0, at.x() - r), std::min(extent.y0, at.y() - r), std::max(extent.x1, at.x() + r),
              std::max(extent.y1, at.y() + r)};
  }
  return extent;
}

Vector3d support(const std::vector<Vector3d>& core, const Vector3d& d) {
  double best = -std::numeric_limits<double>::infinity();
  const Vector3d* at = nullptr;
  for (const Vector3d& p : core)
    if (const double s = p.dot(d); s > best) best = s, at = &p;
  return *at;
}

// A slab between two solids: b lies beyond it along `direction`; a negative width means that they overlap
// there.
struct Slab {
  Vector3d direction;
  double width = -std::numeric_limits<double>::infinity(), middle = 0;
};

// Tries a unit direction; returns B's nearest point minus A's farthest along it.
Vector3d try_direction(const Solid& a, const Solid& b, const Vector3d& d, Slab& best) {
  const Vector3d from = support(a.core, d), to = support(b.core, -d);
  const double end_a = from.dot(d) + a.radius, begin_b = to.dot(d) - b.radius;
  if (begin_b - end_a > best.width) best = {d, begin_b - end_a, 0.5 * (begin_b + end_a)};
  return to - from;
}

// Any plane that separates will do; among none, the one with the least overlap. Flat sides come first,
// because bodies at rest touch with them; then steps towards the closest points (Frank and Wolfe on the
// difference).
Slab separate(const Solid& a, const Solid& b) {
  const double enough = -1e-3 * std::min(a.reach, b.reach);
  Slab best;
  Vector3d v = b.center - a.center;
  if (const double length = v.norm(); length > 0) try_direction(a, b, v / length, best);
  if (a.core.size() == 1 && b.core.size() == 1) return best;
  for (const Vector3d& n : a.normals)
    if (best.width < enough) try_direction(a, b, n, best);
  for (const Vector3d& n : b.normals)
    if (best.width < enough) try_direction(a, b, -n, best);
  for (int i = 0; i < 24 && best.width < enough; ++i) {
    const double length = v.norm();
    if (!(length > 1e-9 * a.reach)) break;
    const Vector3d step = try_direction(a, b, v / length, best) - v;
    if (!(step.squaredNorm() > 0)) break;
    v += std::clamp(-v.dot(step) / step.squaredNorm(), 0.0, 1.0) * step;
  }
  return best;
}

struct Graph {
  std::vector<std::vector<std::size_t>> in_front;  // of each solid, those that must be painted later
  std::vector<std::size_t> behind;                 // how many must be painted before it
};

void add_pair(const std::vector<Solid>& solids, const std::vector<Extent>& extents, const Camera& camera, std::size_t a,
              std::size_t b, Graph& graph, PaintOrder& result) {
  const Slab slab = separate(solids[a], solids[b]);
  if (slab.direction.dot(camera.position()) < slab.middle) std::swap(a, b);
  graph.in_front[a].push_back(b);
  ++graph.behind[b];
  if (solids[a].kind == BodyKind::kDynamic && camera.visible(solids[a].center) &&
      extents[b].contains(camera.project(solids[a].center)))
    ++result.hidden_behind[b];
}

// Sweeps over the picture from left to right.
Graph pairs_of(const std::vector<Solid>& solids, const Camera& camera, PaintOrder& result) {
  const std::size_t n = solids.size();
  std::vector<Extent> extents;
  for (const Solid& s : solids) extents.push_back(extent_of(s, camera));
  std::vector<std::size_t> by_left(n), active;
  std::iota(by_left.begin(), by_left.end(), std::size_t{0});
  std::sort(by_left.begin(), by_left.end(),
            [&](std::size_t a, std::size_t b) { return extents[a].x0 < extents[b].x0; });
  Graph graph{std::vector<std::vector<std::size_t>>(n), std::vector<std::size_t>(n, 0)};
  for (const std::size_t i : by_left) {
    std::erase_if(active, [&](std::size_t j) { return extents[j].x1 <= extents[i].x0; });
    for (const std::size_t j : active)
      if (extents[i].overlaps(extents[j])) add_pair(solids, extents, camera, j, i, graph, result);
    active.push_back(i);
  }
  return graph;
}

}  // namespace

PaintOrder painting_order(const std::vector<Solid>& solids, const Camera& camera) {
  const std::size_t n = solids.size();
  PaintOrder result;
  result.hidden_behind.assign(n, 0);
  Graph graph = pairs_of(solids, camera, result);
  std::vector<double> depth;
  for (const Solid& s : solids) depth.push_back((s.center - camera.position()).norm());
  std::vector<std::size_t> by_depth(n);
  std::iota(by_depth.begin(), by_depth.end(), std::size_t{0});
  std::sort(by_depth.begin(), by_depth.end(), [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
  std::priority_queue<std::pair<double, std::size_t>> ready;
  for (std::size_t i = 0; i < n; ++i)
    if (graph.behind[i] == 0) ready.emplace(depth[i], i);
  std::vector<char> painted(n, 0);
  for (std::size_t farthest = 0; result.order.size() < n;) {
    std::size_t i;
    if (!ready.empty()) {
      i = ready.top().second;
      ready.pop();
    } else {
      while (painted[by_depth[farthest]]) ++farthest;
      i = by_depth[farthest];
    }
    if (painted[i]) continue;
    painted[i] = 1;
    result.order.push_back(i);
    for (const std::size_t j : graph.in_front[i])
      if (--graph.behind[j] == 0) ready.emplace(depth[j], j);
  }
  return result;
}

}  // namespace touchstone
