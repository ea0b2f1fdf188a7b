#pragma once
// A closed surface cut into convex parts that fill its inside exactly, and overlap nowhere.
#include <vector>

#include "math/types.h"

namespace touchstone {

// A flat polygon, counter-clockwise seen from outside; it need not be convex.
using Face3 = std::vector<Vec<3>>;

// The corners of each part. Throws Error (kBadInput) for a surface that is not closed, or has no inside.
std::vector<std::vector<Vec<3>>> convex_parts(const std::vector<Face3>& faces);
// The same in the plane, of an outline in either direction. Throws Error for one that crosses itself.
std::vector<std::vector<Vec<2>>> convex_parts(const std::vector<Vec<2>>& outline);

// Whether two sides of the outline cross or overlap; the places of the first of them.
bool crosses_itself(const std::vector<Vec<2>>& outline, std::size_t& first, std::size_t& second);

}  // namespace touchstone
