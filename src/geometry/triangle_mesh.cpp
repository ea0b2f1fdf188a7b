// Purpose: a triangle mesh as collision wants it: normals, neighbours, which edges stand out, and a tree. Made once.
// Source: none; the steps are textbook.
// Letters: n a normal, h the height of the neighbour's far vertex above a triangle's plane.
// Deviations: none.
// Fails: as mesh_repair.cpp says. Shells that lie apart are turned together, by their common volume: one that is
// inside-out beside a larger one that is not counts as a cavity.
#include <cmath>

#include "geometry/mesh_repair.h"
#include "geometry/surface.h"

namespace touchstone {
namespace {

constexpr std::uint32_t kNone = Surface<3>::kNone;
// Less volume than this part of size³ is a sheet that is folded onto itself, not a solid.
constexpr double kNoVolume = 1e-12;

Vec<3> normal_of(const TriangleSoup& soup, const Triangle& t) {
  // Scaled before it is multiplied: tiny triangles must not underflow.
  const Vec<3> u = soup.vertices[t[1]] - soup.vertices[t[0]], v = soup.vertices[t[2]] - soup.vertices[t[0]];
  return cross(u.normalized(), v.normalized()).normalized();
}

double volume_of(const TriangleSoup& soup) {
  double six = 0;
  const Vec<3> base = soup.vertices[0];
  for (const Triangle& t : soup.triangles)
    six +=
        (soup.vertices[t[0]] - base).dot(cross(Vec<3>(soup.vertices[t[1]] - base), Vec<3>(soup.vertices[t[2]] - base)));
  return six / 6;
}

bool has_rim(const std::vector<Triangle>& across) {
  for (const Triangle& of_triangle : across)
    for (const std::uint32_t other : of_triangle)
      if (other == kNone) return true;
  return false;
}

// Seen from triangle t; the edge is the same seen from the other side, so the caller asks only once.
EdgeKind edge_kind(const TriangleSoup& soup, const std::vector<Vec<3>>& normals, std::uint32_t t, std::size_t k,
                   std::uint32_t across) {
  const std::uint32_t other = across / 3;
  const Vec<3> a = soup.vertices[soup.triangles[t][k]], b = soup.vertices[soup.triangles[t][(k + 1) % 3]];
  const Vec<3> arm = soup.vertices[soup.triangles[other][(across % 3 + 2) % 3]] - a;
  const double h = normals[t].dot(arm);
  const Vec<3> along = (b - a).normalized();
  const double distance = (arm - along * along.dot(arm)).norm();
  const bool level = std::abs(h) <= kFlatSine * distance || std::abs(h) <= kFileRounding * soup.size;
  // A sheet folded back onto itself is level too, and as sharp as an edge can be.
  if (level && normals[t].dot(normals[other]) > 0) return EdgeKind::kFlat;
  return level || h < 0 ? EdgeKind::kConvex : EdgeKind::kConcave;
}

void classify_edges(const TriangleSoup& soup, const std::vector<Triangle>& across, Surface<3>& out) {
  out.neighbours.assign(across.size(), Triangle{kNone, kNone, kNone});
  out.edges.assign(across.size(), {EdgeKind::kOpen, EdgeKind::kOpen, EdgeKind::kOpen});
  for (std::uint32_t t = 0; t < across.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t other = across[t][k];
      if (other == kNone) continue;
      out.neighbours[t][k] = other / 3;
      out.edges[t][k] = other / 3 > t ? edge_kind(soup, out.normals, t, k, other) : out.edges[other / 3][other % 3];
    }
}

}  // namespace

Surface<3> make_triangle_mesh(std::span<const Eigen::Vector3d> vertices, std::span<const Triangle> triangles,
                              bool two_sided) {
  TriangleSoup soup = clean_soup(vertices, triangles);
  drop_slivers(soup);
  wind_consistently(soup);
  Surface<3> out;
  out.two_sided = two_sided;
  const double volume = volume_of(soup);
  out.closed = !has_rim(match_edges(soup)) && std::abs(volume) > kNoVolume * std::pow(soup.size, 3);
  if (out.closed && volume < 0) {
    for (Triangle& t : soup.triangles) std::swap(t[1], t[2]);
    soup.repair.turned = true;
  }
  for (const Triangle& t : soup.triangles) out.normals.push_back(normal_of(soup, t));
  classify_edges(soup, match_edges(soup), out);
  out.vertices = std::move(soup.vertices);
  out.pieces = std::move(soup.triangles);
  out.sources = std::move(soup.sources);
  out.repair = soup.repair;
  build_tree(out);
  return out;
}

}  // namespace touchstone
