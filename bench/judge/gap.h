#pragma once
// How far two bodies are apart, or how deep in each other, from their poses alone.
#include "scenes/scene.h"

namespace touchstone::bench {

// A body ready to be compared: its axes in the world and a ball that holds it.
struct Posed {
  Form form = Form::kBox;
  Vec3 half{};
  Vec3 centre{};
  std::array<Vec3, 3> axes{};  // unit, of its own frame in the world
  double reach = 0;            // radius of the ball about the centre that holds it [m]
};

Posed posed(const Item& item, const Pose& pose);

// Negative: the depth, which is the least way to move one so that they no longer overlap [m]. Positive: at most the
// distance (exactly it where a sphere is part of the pair; for boxes the widest gap along a separating axis). Once the
// gap is known to be above the limit, any number above the limit may come back.
double gap_between(const Posed& a, const Posed& b, double limit);

}  // namespace touchstone::bench
