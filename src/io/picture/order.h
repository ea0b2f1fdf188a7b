#pragma once
// In which order to paint convex solids so that the nearer hides the farther. For two solids that share
// pixels, a plane between them tells: the one on the eye's side is in front. (Sorting by the distance of
// centres fails for long or large bodies: a ball on a plank, a brick on a wall.) The pairs make a graph,
// which is sorted; a cycle, or two solids that go through each other, is cut at the farthest centre.
#include <cstddef>
#include <vector>

#include "io/picture/camera.h"
#include "io/picture/solids.h"

namespace touchstone {

struct PaintOrder {
  std::vector<std::size_t> order;          // indices of solids, the farthest first
  std::vector<std::size_t> hidden_behind;  // a solid: how many dynamic solids have their centre behind it
};

PaintOrder painting_order(const std::vector<Solid>& solids, const Camera& camera);

}  // namespace touchstone
