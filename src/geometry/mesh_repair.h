#pragma once
// The steps from a soup of triangles to a surface that is put right where the repair is plain.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/surface.h"

namespace touchstone {

using Triangle = std::array<std::uint32_t, 3>;

struct TriangleSoup {
  std::vector<Vec<3>> vertices;
  std::vector<std::uint32_t> given;  // which of the given vertices each is
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> sources;  // which of the given triangles each is
  double size = 0;
  SurfaceRepair repair;
};

// Checked, welded, without doubled triangles and without unused vertices.
TriangleSoup clean_soup(std::span<const Eigen::Vector3d> vertices, std::span<const Triangle> triangles);
// Takes out triangles without area; what lay on the other side of their longest side is split at their third vertex,
// so that a closed surface stays closed.
void drop_slivers(TriangleSoup& soup);

// The triangle and its edge across each edge, as 3·triangle + edge; Surface<3>::kNone at a rim. Throws where more than
// two triangles share an edge.
std::vector<Triangle> match_edges(const TriangleSoup& soup);
// Turns triangles so that neighbours run along their edge in opposite directions: in each connected part the fewer
// ones. Throws where that is impossible.
void wind_consistently(TriangleSoup& soup);

}  // namespace touchstone
