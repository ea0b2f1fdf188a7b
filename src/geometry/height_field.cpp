// Purpose: pieces of a height field by counting. In 3D every cell is two triangles that meet in the diagonal from its
// lower left corner: 2·cell is the right one, 2·cell + 1 the left one. In 2D piece i is the segment from height i on.
// Source: none; index arithmetic.
// Letters: i, j the cell along x and y.
// Deviations: none.
// Fails: never, once made.
#include "geometry/height_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/concave.h"
#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kLargest = 1e100;  // m; beyond it the squares of lengths leave the range of numbers
constexpr std::uint64_t kMost = std::uint64_t{1} << 30;  // heights; pieces are counted in 32 bits

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

// The cells whose stretch along the axis meets [lower, upper]: from first to before last.
struct Range {
  std::uint32_t first, last;
};
template <int D>
Range cells_in(const HeightField<D>& f, int axis, double lower, double upper) {
  const double cells = f.count[static_cast<std::size_t>(axis)] - 1.0, start = f.coordinate(axis, 0);
  // One more each side: rounding must not lose a cell that is touched. The pieces themselves are tested after.
  const double from = std::floor((lower - start) / f.spacing) - 1, to = std::floor((upper - start) / f.spacing) + 2;
  return {static_cast<std::uint32_t>(std::clamp(from, 0.0, cells)),
          static_cast<std::uint32_t>(std::clamp(to, 0.0, cells))};
}

template <int D>
bool overlaps(const std::array<Vec<D>, D>& vertex, const Bounds<D>& bounds) {
  Bounds<D> own{vertex[0], vertex[0]};
  for (const Vec<D>& v : vertex) own.lower = own.lower.cwiseMin(v), own.upper = own.upper.cwiseMax(v);
  return own.overlaps(bounds);
}

template <int D>
void set_rim(Piece<D>& piece, std::size_t k) {
  piece.neighbour_normal[k] = piece.normal;
  piece.convex_edge[k] = piece.back_edge[k] = true;
}

// Below: whether the neighbour's far vertex lies below this piece's plane.
template <int D>
void set_neighbour(Piece<D>& piece, std::size_t k, const Vec<D>& normal, bool below) {
  // All fronts are up, so that equal normals mean a flat edge.
  const bool flat = (normal - piece.normal).norm() <= kFlatSine;
  piece.neighbour_normal[k] = normal;
  piece.convex_edge[k] = !flat && below;
  piece.back_edge[k] = !flat && !below;
}

class Terrain {
 public:
  explicit Terrain(const HeightField<3>& f) : f_(f) {}

  std::array<Vec<3>, 3> corners(std::uint32_t i, std::uint32_t j, bool left) const {
    return {point(i, j), left ? point(i + 1, j + 1) : point(i + 1, j), left ? point(i, j + 1) : point(i + 1, j + 1)};
  }

  Piece<3> piece(std::uint32_t i, std::uint32_t j, bool left) const {
    Piece<3> p;
    p.index = 2 * (j * (f_.count[0] - 1) + i) + (left ? 1 : 0);
    p.vertex = corners(i, j, left);
    p.vertex_id = {id(i, j), left ? id(i + 1, j + 1) : id(i + 1, j), left ? id(i, j + 1) : id(i + 1, j + 1)};
    p.normal = normal(p.vertex);
    // Where the neighbour across each edge is, and which of its corners is not ours. It is always of the other side.
    struct Across {
      int di, dj;
      std::size_t far;
    };
    static constexpr Across kOfRight[3] = {{0, -1, 0}, {1, 0, 1}, {0, 0, 2}},
                            kOfLeft[3] = {{0, 0, 1}, {0, 1, 2}, {-1, 0, 0}};
    for (std::size_t k = 0; k < 3; ++k) {
      const Across& a = left ? kOfLeft[k] : kOfRight[k];
      const std::int64_t x = std::int64_t{i} + a.di, y = std::int64_t{j} + a.dj;
      if (x < 0 || y < 0 || x + 1 >= f_.count[0] || y + 1 >= f_.count[1]) {
        set_rim(p, k);
        continue;
      }
      const auto other = corners(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), !left);
      set_neighbour(p, k, normal(other), p.normal.dot(other[a.far] - p.vertex[k]) < 0);
    }
    return p;
  }

 private:
  std::uint32_t id(std::uint32_t i, std::uint32_t j) const { return j * f_.count[0] + i; }
  Vec<3> point(std::uint32_t i, std::uint32_t j) const {
    return {f_.coordinate(0, i), f_.coordinate(1, j), f_.heights[id(i, j)]};
  }
  static Vec<3> normal(const std::array<Vec<3>, 3>& v) {
    return cross(Vec<3>(v[1] - v[0]), Vec<3>(v[2] - v[0])).normalized();
  }

  const HeightField<3>& f_;
};

class Profile {
 public:
  explicit Profile(const HeightField<2>& f) : f_(f) {}

  Vec<2> point(std::uint32_t i) const { return {f_.coordinate(0, i), f_.heights[i]}; }

  Piece<2> piece(std::uint32_t i) const {
    Piece<2> p;
    p.index = i;
    p.vertex = {point(i), point(i + 1)};
    p.vertex_id = {i, i + 1};
    p.normal = normal(i);
    set_rim(p, 0), set_rim(p, 1);
    if (i > 0) set_neighbour(p, 0, normal(i - 1), p.normal.dot(point(i - 1) - p.vertex[0]) < 0);
    if (i + 2 < f_.count[0]) set_neighbour(p, 1, normal(i + 1), p.normal.dot(point(i + 2) - p.vertex[1]) < 0);
    return p;
  }

 private:
  Vec<2> normal(std::uint32_t i) const {
    const Vec<2> along = (point(i + 1) - point(i)).normalized();
    return {-along[1], along[0]};
  }

  const HeightField<2>& f_;
};

}  // namespace

template <int D>
HeightField<D> make_height_field(const ShapeDescription& d) {
  HeightField<D> f;
  std::uint64_t wanted = 1;
  for (std::size_t a = 0; a + 1 < D; ++a) {
    f.count[a] = d.grid[a];
    if (d.grid[a] < 2) bad(fmt::format("a height field needs at least 2 heights along {}, not {}", "xy"[a], d.grid[a]));
    wanted *= d.grid[a];
  }
  if (wanted > kMost) bad(fmt::format("the height field has {} heights; at most {} are possible", wanted, kMost));
  if (d.heights.size() != wanted)
    bad(fmt::format("the grid has room for {} heights, and {} are given", wanted, d.heights.size()));
  if (!(d.spacing > 0) || !(d.spacing <= kLargest))
    bad(fmt::format("spacing is {} m; it must be positive and finite", d.spacing));
  for (std::size_t i = 0; i < d.heights.size(); ++i)
    if (!(std::abs(d.heights[i]) <= kLargest))
      bad(fmt::format("heights[{}] is {}; every height must be finite (and below {:g} m)", i, d.heights[i], kLargest));
  f.spacing = d.spacing;
  f.two_sided = d.two_sided;
  f.heights = d.heights;
  const auto [low, high] = std::minmax_element(f.heights.begin(), f.heights.end());
  f.lowest = *low, f.highest = *high;
  return f;
}

void pieces_in(const HeightField<3>& field, const Bounds<3>& bounds, std::vector<Piece<3>>& out) {
  if (!field.bounds().overlaps(bounds)) return;
  const Range x = cells_in(field, 0, bounds.lower[0], bounds.upper[0]);
  const Range y = cells_in(field, 1, bounds.lower[1], bounds.upper[1]);
  const Terrain terrain(field);
  for (std::uint32_t j = y.first; j < y.last; ++j)
    for (std::uint32_t i = x.first; i < x.last; ++i)
      for (const bool left : {false, true})
        if (overlaps<3>(terrain.corners(i, j, left), bounds)) out.push_back(terrain.piece(i, j, left));
}

void pieces_in(const HeightField<2>& field, const Bounds<2>& bounds, std::vector<Piece<2>>& out) {
  if (!field.bounds().overlaps(bounds)) return;
  const Range x = cells_in(field, 0, bounds.lower[0], bounds.upper[0]);
  const Profile profile(field);
  for (std::uint32_t i = x.first; i < x.last; ++i)
    if (overlaps<2>({profile.point(i), profile.point(i + 1)}, bounds)) out.push_back(profile.piece(i));
}

template HeightField<2> make_height_field(const ShapeDescription&);
template HeightField<3> make_height_field(const ShapeDescription&);

}  // namespace touchstone
