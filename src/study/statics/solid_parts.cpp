#include "study/statics/solid_parts.h"

#include <fmt/format.h>

#include "geometry/convex_parts.h"
#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

std::vector<std::vector<Vec<3>>> cut(const Surface<3>& surface) {
  std::vector<Face3> faces;
  for (const auto& piece : surface.pieces) {
    faces.emplace_back();
    for (const std::uint32_t v : piece) faces.back().push_back(surface.vertices[v]);
  }
  return convex_parts(faces);
}

// The pieces of a closed chain in order.
std::vector<std::vector<Vec<2>>> cut(const Surface<2>& surface) {
  std::vector<std::uint32_t> next(surface.vertices.size(), Surface<2>::kNone);
  for (const auto& piece : surface.pieces) next[piece[0]] = piece[1];
  std::vector<Vec<2>> outline;
  std::uint32_t v = surface.pieces.at(0)[0];
  do {
    outline.push_back(surface.vertices[v]);
    v = next[v];
  } while (v != surface.pieces[0][0] && v != Surface<2>::kNone && outline.size() <= surface.vertices.size());
  return convex_parts(outline);
}

}  // namespace

template <int D>
std::vector<Shape<D>> solid_parts(const Shape<D>& shape, const std::function<std::string()>& who) {
  if (shape.kind != ShapeKind::kMesh || !shape.mesh || !shape.mesh->closed) return {shape};
  std::vector<Shape<D>> out;
  try {
    for (const auto& corners : cut(*shape.mesh)) {
      std::vector<Eigen::Vector3d> wide;
      for (const Vec<D>& x : corners) wide.push_back(widen<D>(x));
      out.push_back(make_shape<D>(ShapeDescription::convex(std::move(wide))));
    }
  } catch (const Error& e) {
    throw Error(e.kind(), fmt::format("{}: the mesh cannot be cut into convex parts: {}", who(), e.what()));
  }
  return out;
}

template std::vector<Shape<2>> solid_parts(const Shape<2>&, const std::function<std::string()>&);
template std::vector<Shape<3>> solid_parts(const Shape<3>&, const std::function<std::string()>&);

}  // namespace touchstone::statics
