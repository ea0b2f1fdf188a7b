#pragma once
// Small scenes for the viewer's tests.
#include <fmt/format.h>

#include "touchstone/description.h"

namespace touchstone::viewer {

// A floor, a ball that falls onto it, and a row of boxes that lie on it or a little above. Slots: 0 floor, 1 ball, then
// the boxes.
inline SceneDescription test_scene(int dimension, const char* model, int boxes = 3) {
  SceneDescription scene;
  scene.name = "test";
  scene.dimension = dimension;
  const int up = dimension - 1;
  scene.gravity = Eigen::Vector3d::Zero();
  scene.gravity[up] = -9.81;
  scene.model.name = model;
  scene.step = 1e-3;
  scene.duration = 1000;
  BodyDescription floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  ShapeDescription ground;
  ground.kind = ShapeKind::kHalfSpace;
  ground.normal[up] = 1;
  floor.shapes = {ground};
  scene.bodies.push_back(floor);
  BodyDescription ball;
  ball.name = "ball";
  ball.placement.position[up] = 0.11;
  ball.velocity[0] = 0.5;
  ShapeDescription sphere;
  sphere.kind = ShapeKind::kSphere;
  sphere.radius = 0.1;
  ball.shapes = {sphere};
  scene.bodies.push_back(ball);
  for (int i = 0; i < boxes; ++i) {
    BodyDescription box;
    box.name = fmt::format("box{}", i);
    box.placement.position[0] = 0.3 + 0.25 * i;
    box.placement.position[up] = 0.1 + 0.002 * (i % 7);
    ShapeDescription cube;
    cube.kind = ShapeKind::kBox;
    cube.size = {0.2, 0.2, dimension == 2 ? 0.0 : 0.2};
    box.shapes = {cube};
    scene.bodies.push_back(box);
  }
  return scene;
}

constexpr const char* kTestPage = "<html><body><!--touchstone:data--><script>start()</script></body></html>";

}  // namespace touchstone::viewer
