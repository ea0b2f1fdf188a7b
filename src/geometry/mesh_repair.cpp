// Purpose: make a mesh from a file into one with a topology: every vertex once, no triangle without area, neighbours
// wound the same way. What has one plain repair is repaired and counted; the rest is an error that says where.
// Source: none; the steps are textbook.
// Letters: a, b the ends of a sliver's longest side, c its third vertex, d the vertex across that side.
// Deviations: none.
// Fails: with an Error for bad indices and numbers, edges of three triangles, and one-sided surfaces (Möbius).
#include "geometry/mesh_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr std::uint32_t kNone = Surface<3>::kNone;
// Beyond this the squares of lengths leave the range of numbers.
constexpr double kLargest = 1e100;  // m

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

std::string vertex_text(const TriangleSoup& soup, std::uint32_t v) {
  return fmt::format("vertices[{}] {}", soup.given[v], place_text<3>(soup.vertices[v]));
}

void check_input(std::span<const Eigen::Vector3d> vertices, std::span<const Triangle> triangles) {
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (!vertices[i].allFinite() || vertices[i].cwiseAbs().maxCoeff() > kLargest)
      bad(fmt::format("vertices[{}] is {}; every number must be finite (and below {:g} m)", i,
                      place_text<3>(vertices[i]), kLargest));
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (const std::uint32_t v : triangles[i])
      if (v >= vertices.size())
        bad(fmt::format("triangles[{}] names vertex {}, but there are {} vertices, counted from 0", i, v,
                        vertices.size()));
  if (triangles.empty()) bad("the mesh has no triangle");
}

// The smallest index first, so that equal triangles look equal.
Triangle rotated(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

void drop_doubles(TriangleSoup& soup) {
  std::vector<std::uint32_t> order(soup.triangles.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::uint32_t i) { return std::pair(rotated(soup.triangles[i]), i); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
  std::vector<char> gone(order.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (key(order[i]).first == key(order[i - 1]).first) gone[order[i]] = 1, ++soup.repair.dropped;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) continue;
    soup.triangles[kept] = soup.triangles[i];
    soup.sources[kept++] = soup.sources[i];
  }
  soup.triangles.resize(kept), soup.sources.resize(kept);
}

void drop_unused(TriangleSoup& soup) {
  std::vector<std::uint32_t> now(soup.vertices.size(), kNone);
  for (const Triangle& t : soup.triangles)
    for (const std::uint32_t v : t) now[v] = 0;
  std::uint32_t count = 0;
  for (std::uint32_t v = 0; v < now.size(); ++v) {
    if (now[v] == kNone) continue;
    soup.vertices[count] = soup.vertices[v];
    soup.given[count] = soup.given[v];
    now[v] = count++;
  }
  soup.vertices.resize(count), soup.given.resize(count);
  for (Triangle& t : soup.triangles)
    for (std::uint32_t& v : t) v = now[v];
}

// Takes out the triangles of a soup that are marked, with their slivers' splits in the map of edges.
class SliverRemover {
 public:
  explicit SliverRemover(TriangleSoup& soup) : soup_(soup), t_(soup.triangles) {}

  void run() {
    std::vector<std::uint32_t> slivers;
    for (std::uint32_t i = 0; i < t_.size(); ++i)
      if (is_sliver(t_[i])) slivers.push_back(i);
    if (slivers.empty()) return;
    gone_.assign(t_.size(), 0);
    for (std::uint32_t i = 0; i < t_.size(); ++i)
      for (int k = 0; k < 3; ++k) owner_[edge(t_[i], k)] = i;
    const std::size_t most = 8 * slivers.size() + 64;  // splitting may make new ones; this ends it
    for (std::size_t i = 0; i < slivers.size(); ++i) {
      if (gone_[slivers[i]] || !is_sliver(t_[slivers[i]])) continue;
      const std::size_t before = t_.size();
      const std::uint32_t split = take_out(slivers[i]);
      if (split != kNone && slivers.size() + 2 < most) {
        slivers.push_back(split);
        slivers.push_back(static_cast<std::uint32_t>(before));
      }
    }
    for (std::uint32_t i = 0; i < t_.size(); ++i)
      if (!gone_[i] && shape_of(t_[i]).height <= kFlatTriangle * shape_of(t_[i]).longest) take_out(i);
    compact();
  }

 private:
  struct Form {
    int side;  // the longest
    double longest, height;
  };

  static std::pair<std::uint32_t, std::uint32_t> edge(const Triangle& t, int k) {
    return {t[static_cast<std::size_t>(k)], t[static_cast<std::size_t>((k + 1) % 3)]};
  }
  Form shape_of(const Triangle& t) const {
    Form f{0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = edge(t, k);
      if (const double length = (soup_.vertices[b] - soup_.vertices[a]).norm(); length > f.longest)
        f.side = k, f.longest = length;
    }
    const Vec<3> u = soup_.vertices[t[1]] - soup_.vertices[t[0]], v = soup_.vertices[t[2]] - soup_.vertices[t[0]];
    f.height = f.longest > 0 ? cross(u, v).norm() / f.longest : 0.0;
    return f;
  }
  // Without area, or so thin that the rounding of a file decides where its normal points.
  bool is_sliver(const Triangle& t) const {
    const Form f = shape_of(t);
    return f.height <= kFlatTriangle * f.longest ||
           (f.height <= kFileRounding * soup_.size && f.height <= 1e-4 * f.longest);
  }

  // The neighbour that was split, or kNone.
  std::uint32_t take_out(std::uint32_t i) {
    const int side = shape_of(t_[i]).side;
    const auto [a, b] = edge(t_[i], side);
    const std::uint32_t c = t_[i][static_cast<std::size_t>((side + 2) % 3)];
    for (int k = 0; k < 3; ++k)
      if (const auto own = owner_.find(edge(t_[i], k)); own != owner_.end() && own->second == i) owner_.erase(own);
    gone_[i] = 1;
    ++soup_.repair.dropped;
    const auto across = owner_.find({b, a});
    if (across == owner_.end()) return kNone;
    const std::uint32_t n = across->second;
    const std::uint32_t d = t_[n][0] + t_[n][1] + t_[n][2] - a - b;
    if (d == c || owner_.contains({c, d}) || owner_.contains({d, c})) return kNone;
    const auto added = static_cast<std::uint32_t>(t_.size());
    owner_.erase(across);
    t_[n] = {c, a, d};
    t_.push_back({b, c, d});
    soup_.sources.push_back(soup_.sources[n]);
    gone_.push_back(0);
    for (int k = 0; k < 3; ++k) owner_[edge(t_[n], k)] = n, owner_[edge(t_[added], k)] = added;
    return n;
  }

  void compact() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (gone_[i]) continue;
      t_[kept] = t_[i];
      soup_.sources[kept++] = soup_.sources[i];
    }
    t_.resize(kept), soup_.sources.resize(kept);
  }

  TriangleSoup& soup_;
  std::vector<Triangle>& t_;
  std::vector<char> gone_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> owner_;
};

bool run_the_same_way(const TriangleSoup& soup, std::uint32_t t, int k, std::uint32_t across) {
  return soup.triangles[t][static_cast<std::size_t>(k)] == soup.triangles[across / 3][across % 3];
}

}  // namespace

TriangleSoup clean_soup(std::span<const Eigen::Vector3d> vertices, std::span<const Triangle> triangles) {
  check_input(vertices, triangles);
  TriangleSoup soup;
  soup.vertices.assign(vertices.begin(), vertices.end());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) soup.given.push_back(v);
  soup.triangles.assign(triangles.begin(), triangles.end());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) soup.sources.push_back(t);
  drop_unused(soup);
  soup.size = size_of<3>(soup.vertices);
  const std::vector<std::uint32_t> place = weld<3>(soup.vertices, kWeldTolerance * soup.size);
  for (std::uint32_t v = 0; v < place.size(); ++v) soup.repair.welded += place[v] != v;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    Triangle t = soup.triangles[i];
    for (std::uint32_t& v : t) v = place[v];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      ++soup.repair.dropped;
      continue;
    }
    soup.triangles[kept] = t;
    soup.sources[kept++] = soup.sources[i];
  }
  soup.triangles.resize(kept), soup.sources.resize(kept);
  drop_doubles(soup);
  return soup;
}

void drop_slivers(TriangleSoup& soup) {
  SliverRemover(soup).run();
  if (soup.triangles.empty()) bad("the mesh has no triangle with an area; give it some");
  drop_unused(soup);
}

std::vector<Triangle> match_edges(const TriangleSoup& soup) {
  struct Side {
    std::uint32_t low, high, at;
  };
  std::vector<Side> sides;
  sides.reserve(3 * soup.triangles.size());
  for (std::uint32_t t = 0; t < soup.triangles.size(); ++t)
    for (std::uint32_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(soup.triangles[t][k], soup.triangles[t][(k + 1) % 3]);
      sides.push_back({low, high, 3 * t + k});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& x, const Side& y) { return std::tie(x.low, x.high, x.at) < std::tie(y.low, y.high, y.at); });
  std::vector<Triangle> across(soup.triangles.size(), Triangle{kNone, kNone, kNone});
  for (std::size_t i = 0, j; i < sides.size(); i = j) {
    for (j = i + 1; j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high;) ++j;
    if (j - i > 2)
      bad(
          fmt::format("{} triangles share the edge from {} to {}, and an edge has at most two; split the mesh there "
                      "into several shapes",
                      j - i, vertex_text(soup, sides[i].low), vertex_text(soup, sides[i].high)));
    if (j - i < 2) continue;
    across[sides[i].at / 3][sides[i].at % 3] = sides[i + 1].at;
    across[sides[i + 1].at / 3][sides[i + 1].at % 3] = sides[i].at;
  }
  return across;
}

void wind_consistently(TriangleSoup& soup) {
  const std::vector<Triangle> across = match_edges(soup);
  enum : char { kNew, kKept, kTurned };
  std::vector<char> mark(soup.triangles.size(), kNew);
  std::vector<std::uint32_t> part;
  for (std::uint32_t start = 0; start < mark.size(); ++start) {
    if (mark[start] != kNew) continue;
    part.assign(1, start);
    mark[start] = kKept;
    std::size_t turned = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uint32_t t = part[i];
      turned += mark[t] == kTurned;
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t other = across[t][static_cast<std::size_t>(k)];
        if (other == kNone) continue;
        const bool turn = run_the_same_way(soup, t, k, other) != (mark[t] == kTurned);
        const char wanted = turn ? kTurned : kKept;
        if (mark[other / 3] == kNew) mark[other / 3] = wanted, part.push_back(other / 3);
        if (mark[other / 3] != wanted)
          bad(
              fmt::format("the mesh has no front and back: going round it, triangles[{}] would have to face both ways; "
                          "split it into several shapes",
                          soup.sources[other / 3]));
      }
    }
    const char minority = 2 * turned > part.size() ? kKept : kTurned;
    for (const std::uint32_t t : part)
      if (mark[t] == minority) std::swap(soup.triangles[t][1], soup.triangles[t][2]), ++soup.repair.flipped;
  }
}

}  // namespace touchstone
