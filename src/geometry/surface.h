#pragma once
// Surfaces kept as pieces with their neighbours and a tree: triangle meshes in 3D, polygonal chains in 2D. They are
// made once, repaired where a repair is plain, and never change. Collision reads them through geometry/concave.h.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/shape.h"

namespace touchstone {

// How a surface goes on across an edge (3D) or an end (2D) of a piece. Flat to kFlatSine.
enum class EdgeKind : std::uint8_t { kConvex, kFlat, kConcave, kOpen };

// Sine of the angle between neighbours below which they count as one plane. Files hold single precision, whose rounding
// alone tilts triangles that were meant to be coplanar by about 1e-7 of the surface's size over their own.
inline constexpr double kFlatSine = 1e-6;
inline constexpr double kFileRounding = 1e-7;
// Vertices nearer than this part of the surface's size (the diagonal of its bounds) become one.
inline constexpr double kWeldTolerance = 1e-9;
// A triangle whose height is below this part of its longest side has no normal to speak of: its area is zero.
inline constexpr double kFlatTriangle = 1e-10;

// What was put right on the way in.
struct SurfaceRepair {
  std::uint32_t welded = 0;   // vertices that became one with another
  std::uint32_t dropped = 0;  // pieces without area or length, or there twice
  std::uint32_t flipped = 0;  // triangles wound against their neighbours
  bool turned = false;        // the whole closed surface was inside-out
  bool any() const { return welded || dropped || flipped || turned; }
};
// "3 vertices were welded, ..."; empty if nothing was done.
std::string repair_text(const SurfaceRepair& repair);

template <int D>
struct Surface {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  using Indices = std::array<std::uint32_t, D>;
  // Depth first; a leaf has pieces, and `next` is where to go on where a node's bounds do not matter.
  struct Node {
    Bounds<D> bounds;
    std::uint32_t first, count, next;
  };

  std::vector<Vec<D>> vertices;  // only those in use
  std::vector<Indices> pieces;   // 3D: counter-clockwise from the front; 2D: the front is on the left
  std::vector<Vec<D>> normals;   // of the front, unit
  std::vector<Indices> neighbours;
  std::vector<std::array<EdgeKind, D>> edges;  // 3D: edge k runs from vertex k to the next; 2D: end k
  std::vector<std::uint32_t> sources;          // which of the given pieces each was
  std::vector<Node> nodes;
  Bounds<D> bounds;
  double reach = 0;     // of the farthest vertex from the origin
  bool closed = false;  // encloses a volume or an area, with its front outside
  bool two_sided = false;
  SurfaceRepair repair;
};

// Throw Error with what is wrong and where: vertices that are not finite, indices out of range, nothing left, an edge
// of more than two triangles, a surface that cannot be wound consistently.
Surface<3> make_triangle_mesh(std::span<const Eigen::Vector3d> vertices,
                              std::span<const std::array<std::uint32_t, 3>> triangles, bool two_sided);
Surface<2> make_chain(std::span<const Eigen::Vector3d> vertices, bool closed, bool two_sided);

// Gives the pieces the order of the leaves of a new tree, so that a walk through it meets them by index.
template <int D>
void build_tree(Surface<D>& surface);

// Which vertices are within the tolerance of an earlier one: place[i] is the first vertex that i is one with.
template <int D>
std::vector<std::uint32_t> weld(std::span<const Vec<D>> vertices, double tolerance);

template <int D>
double size_of(std::span<const Vec<D>> vertices);

// "(1, 2, 3)", as messages show a place.
template <int D>
std::string place_text(const Vec<D>& p);

}  // namespace touchstone
