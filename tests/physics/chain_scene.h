#pragma once
// Contacts and joints at once, for several models.
#include "physics/scene_builders.h"

namespace touchstone::testing {

// Adds a chain of six links that falls on a floor.
inline void add_falling_chain(int d, SceneDescription& scene) {
  scene.materials = {material(0.4)};
  scene.bodies = {fixed("floor", half_space(up(d)))};
  for (int i = 0; i < 6; ++i) {
    scene.bodies.push_back(
        body("l" + std::to_string(i), d == 2 ? box(0.3, 0.1) : box(0.3, 0.1, 0.1), {0.35 * i, 0, 0}));
    scene.bodies.back().placement.position += (0.06 + 0.02 * i) * up(d);
    if (i == 0) continue;
    JointDescription j;
    j.kind = d == 2 ? JointKind::kHinge : JointKind::kBall;
    j.body_a = "l" + std::to_string(i - 1), j.body_b = "l" + std::to_string(i);
    j.point = Eigen::Vector3d(0.35 * i - 0.175, 0, 0) + 0.08 * up(d);
    scene.joints.push_back(j);
  }
}

}  // namespace touchstone::testing
