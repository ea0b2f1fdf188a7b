// Queries and contact events: a ball falls towards a table; a ray and a shape cast foresee where it lands, and the
// events tell when it does.
#include <touchstone/touchstone.h>
#include <cmath>
#include <cstdio>

int main() {
  using namespace touchstone;
  SceneDescription scene;
  BodyDescription table;
  table.name = "table";
  table.kind = BodyKind::kStatic;
  table.groups = {"furniture"};
  ShapeDescription top;
  top.kind = ShapeKind::kBox;
  top.size = {2, 2, 0.1};
  table.shapes = {top};
  BodyDescription ball;
  ball.name = "ball";
  ShapeDescription round;
  round.kind = ShapeKind::kSphere;
  round.radius = 0.1;
  ball.shapes = {round};
  ball.placement.position = {0.3, 0, 1};
  scene.bodies = {table, ball};

  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  QueryFilter others;  // the ball must not meet itself
  others.ignore_bodies = {id};
  const auto below = sim.ray_cast({0.3, 0, 1}, {0, 0, -1}, 10, others);
  const auto landing = sim.shape_cast(round, ball.placement, {0, 0, -10}, others);
  if (!below || !landing) return 1;
  std::printf("%s is %.3f m below; the ball will have fallen %.3f m\n", sim.body_name(below->body).c_str(),
              below->distance, landing->distance);
  const double expected = std::sqrt(2 * landing->distance / 9.81);

  double landed = 0;
  while (sim.time() < 1 && landed == 0) {
    sim.step();
    for (const ContactEvent& e : sim.contact_events())
      if (e.kind == ContactEvent::Kind::kBegin) landed = sim.time();
  }
  const auto gap = sim.closest_points(sim.find_body("table"), id);
  std::printf("it landed after %.3f s (expected %.3f s), gap %.2e m, %zu bodies within 1 cm\n", landed, expected,
              gap->gap, sim.nearest(round, sim.state(id).placement, 0.01, others).size());
  return std::abs(landed - expected) < 0.005 && std::abs(gap->gap) < 0.01 ? 0 : 1;
}
