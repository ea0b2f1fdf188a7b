// Purpose: a polygonal chain in 2D as collision wants it: normals, neighbours, which corners stand out, and a tree. The
// front of a segment is on its left, so that a floor listed from left to right has its front up.
// Source: none; textbook.
// Letters: h the height of the next segment's far end above a segment's line.
// Deviations: none.
// Fails: a chain that crosses itself is not noticed; closed, its area is the signed sum of its loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::uint32_t kNone = Surface<2>::kNone;
constexpr double kLargest = 1e100;  // m; beyond it the squares of lengths leave the range of numbers
// Less area than this part of size² is a line that is folded onto itself, not a solid.
constexpr double kNoArea = 1e-12;

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

struct Corner {
  Vec<2> p;
  std::uint32_t given;
};

double area_of(const std::vector<Corner>& corners) {
  double twice = 0;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    twice += torque_of(Vec<2>(corners[i].p - corners[0].p), Vec<2>(corners[i + 1].p - corners[0].p))[0];
  return twice / 2;
}

// Without those that lie on the one before. `ring`: whether the ends are one.
std::vector<Corner> corners_of(std::span<const Eigen::Vector3d> vertices, double& size, SurfaceRepair& repair) {
  std::vector<Vec<2>> points;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!vertices[i].allFinite() || vertices[i].cwiseAbs().maxCoeff() > kLargest)
      bad(fmt::format("vertices[{}] is {}; every number must be finite (and below {:g} m)", i,
                      place_text<2>(narrow<2>(vertices[i])), kLargest));
    points.push_back(narrow<2>(vertices[i]));
  }
  size = size_of<2>(points);
  std::vector<Corner> corners;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (!corners.empty() && (points[i] - corners.back().p).norm() <= kWeldTolerance * size)
      ++repair.welded, ++repair.dropped;
    else
      corners.push_back({points[i], i});
  }
  return corners;
}

EdgeKind corner_kind(const Surface<2>& s, std::uint32_t piece, std::uint32_t other, const Vec<2>& at, const Vec<2>& far,
                     double size) {
  const Vec<2> arm = far - at;
  const double h = s.normals[piece].dot(arm);
  const bool level = std::abs(h) <= kFlatSine * arm.norm() || std::abs(h) <= kFileRounding * size;
  if (level && s.normals[piece].dot(s.normals[other]) > 0) return EdgeKind::kFlat;
  return level || h < 0 ? EdgeKind::kConvex : EdgeKind::kConcave;
}

void join(Surface<2>& s, std::uint32_t first, std::uint32_t second, double size) {
  s.neighbours[first][1] = second;
  s.neighbours[second][0] = first;
  const EdgeKind kind =
      corner_kind(s, first, second, s.vertices[s.pieces[second][0]], s.vertices[s.pieces[second][1]], size);
  s.edges[first][1] = s.edges[second][0] = kind;
}

}  // namespace

Surface<2> make_chain(std::span<const Eigen::Vector3d> vertices, bool closed, bool two_sided) {
  Surface<2> s;
  double size = 0;
  std::vector<Corner> corners = corners_of(vertices, size, s.repair);
  bool ring = corners.size() > 3 && (corners.front().p - corners.back().p).norm() <= kWeldTolerance * size;
  if (ring) {
    corners.pop_back();
    if (closed) ++s.repair.welded;  // an open chain means it so
  }
  ring |= closed;
  if (corners.size() < 2) bad("a chain needs at least two vertices in different places");
  if (closed && !(std::abs(area_of(corners)) > kNoArea * size * size))
    bad("the closed chain encloses no area; give it one, or leave closed away");
  if (closed && area_of(corners) > 0) std::reverse(corners.begin(), corners.end());
  s.closed = closed, s.two_sided = two_sided;
  const auto n = static_cast<std::uint32_t>(corners.size()), count = ring ? n : n - 1;
  for (const Corner& c : corners) s.vertices.push_back(c.p);
  for (std::uint32_t i = 0; i < count; ++i) {
    s.pieces.push_back({i, (i + 1) % n});
    const Vec<2> along = (s.vertices[(i + 1) % n] - s.vertices[i]).normalized();
    s.normals.emplace_back(-along[1], along[0]);
    s.sources.push_back(corners[i].given);
  }
  s.neighbours.assign(count, {kNone, kNone});
  s.edges.assign(count, {EdgeKind::kOpen, EdgeKind::kOpen});
  for (std::uint32_t i = 0; i + 1 < count; ++i) join(s, i, i + 1, size);
  if (ring) join(s, count - 1, 0, size);
  build_tree(s);
  return s;
}

}  // namespace touchstone
