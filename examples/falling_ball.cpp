// The smallest program: a ball falls on a floor, by code alone.
#include <touchstone/touchstone.h>
#include <algorithm>
#include <cstdio>

int main() {
  using namespace touchstone;
  SceneDescription scene;
  scene.step = 1e-3;
  MaterialDescription rubber;
  rubber.name = "rubber";
  rubber.restitution = 0.8;
  scene.materials = {rubber};

  BodyDescription floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  floor.material = "rubber";
  floor.shapes.emplace_back();
  floor.shapes[0].kind = ShapeKind::kHalfSpace;
  floor.shapes[0].normal = {0, 0, 1};

  BodyDescription ball;
  ball.name = "ball";
  ball.material = "rubber";
  ball.placement.position = {0, 0, 1.1};
  ball.shapes.emplace_back();
  ball.shapes[0].kind = ShapeKind::kSphere;
  ball.shapes[0].radius = 0.1;
  scene.bodies = {floor, ball};

  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  double highest = 0;
  while (sim.time() < 1.2) {
    sim.step();
    if (sim.time() > 0.6) highest = std::max(highest, sim.state(id).center_of_mass.z() - 0.1);
  }
  std::printf("dropped from 1 m with restitution 0.8, the ball rises to %.3f m\n", highest);
  return highest > 0.6 && highest < 0.68 ? 0 : 1;
}
