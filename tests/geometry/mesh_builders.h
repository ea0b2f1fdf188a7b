#pragma once
// Meshes that several tests use, made by hand.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "touchstone/description.h"

namespace touchstone {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

inline ShapeDescription mesh(std::vector<Eigen::Vector3d> vertices, Triangles triangles) {
  ShapeDescription s;
  s.kind = ShapeKind::kMesh;
  s.vertices = std::move(vertices), s.triangles = std::move(triangles);
  return s;
}

// Vertex i has + along axis k if bit k of i is set.
inline ShapeDescription cube_mesh(double x, double y, double z) {
  std::vector<Eigen::Vector3d> v;
  for (int i = 0; i < 8; ++i) v.emplace_back(i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2, i & 4 ? z / 2 : -z / 2);
  return mesh(v, {{0, 4, 6},
                  {0, 6, 2},
                  {1, 3, 7},
                  {1, 7, 5},
                  {0, 1, 5},
                  {0, 5, 4},
                  {2, 6, 7},
                  {2, 7, 3},
                  {0, 2, 3},
                  {0, 3, 1},
                  {4, 5, 7},
                  {4, 7, 6}});
}

// Every triangle with vertices of its own, as in an STL file.
inline ShapeDescription soup_of(const ShapeDescription& s) {
  ShapeDescription out = mesh({}, {});
  for (const auto& t : s.triangles) {
    const auto n = static_cast<std::uint32_t>(out.vertices.size());
    for (const std::uint32_t v : t) out.vertices.push_back(s.vertices[v]);
    out.triangles.push_back({n, n + 1, n + 2});
  }
  return out;
}

// An outline in the plane, counter-clockwise, given with its triangles, made into a prism from z = 0 to `height`.
inline ShapeDescription prism(const std::vector<Eigen::Vector2d>& outline, const Triangles& bottom, double height) {
  ShapeDescription s = mesh({}, {});
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {0.0, height})
    for (const Eigen::Vector2d& p : outline) s.vertices.emplace_back(p.x(), p.y(), z);
  for (const auto& t : bottom) {
    s.triangles.push_back({t[0], t[2], t[1]});
    s.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    s.triangles.push_back({i, j, j + n});
    s.triangles.push_back({i, j + n, i + n});
  }
  return s;
}

// The L made of [0,2]×[0,1] and [0,1]×[1,2].
inline std::vector<Eigen::Vector2d> letter_l() { return {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; }
inline Triangles letter_l_triangles() { return {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}; }

inline ShapeDescription height_field(std::uint32_t nx, std::uint32_t ny, double spacing, std::vector<double> heights) {
  ShapeDescription s;
  s.kind = ShapeKind::kHeightField;
  s.grid = {nx, ny}, s.spacing = spacing, s.heights = std::move(heights);
  return s;
}

// The same surface as a mesh.
inline ShapeDescription mesh_of_field(const ShapeDescription& f) {
  ShapeDescription s = mesh({}, {});
  const auto [nx, ny] = f.grid;
  for (std::uint32_t j = 0; j < ny; ++j)
    for (std::uint32_t i = 0; i < nx; ++i)
      s.vertices.emplace_back((i - 0.5 * (nx - 1)) * f.spacing, (j - 0.5 * (ny - 1)) * f.spacing,
                              f.heights[j * nx + i]);
  for (std::uint32_t j = 0; j + 1 < ny; ++j)
    for (std::uint32_t i = 0; i + 1 < nx; ++i) {
      const std::uint32_t a = j * nx + i;
      s.triangles.push_back({a, a + 1, a + nx + 1});
      s.triangles.push_back({a, a + nx + 1, a + nx});
    }
  return s;
}

inline ShapeDescription chain(const std::vector<Eigen::Vector2d>& vertices, bool closed = false) {
  ShapeDescription s;
  s.kind = ShapeKind::kMesh;
  for (const Eigen::Vector2d& v : vertices) s.vertices.emplace_back(v.x(), v.y(), 0);
  s.closed = closed;
  return s;
}

}  // namespace touchstone
