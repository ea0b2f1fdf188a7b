#pragma once
// A shape as convex parts, for contacts between flat faces: closed meshes and chains are cut.
#include <functional>
#include <string>

#include "geometry/shape.h"

namespace touchstone::statics {

// `who` names the body in an error.
template <int D>
std::vector<Shape<D>> solid_parts(const Shape<D>& shape, const std::function<std::string()>& who);

}  // namespace touchstone::statics
