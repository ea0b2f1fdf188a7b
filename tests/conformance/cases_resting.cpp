// What is held, and what carries much: B31, B34, creep, and a mass ratio of a million.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;
using Eigen::Vector3d;

constexpr double kFalls = 1e-3;  // [m]: has moved more

// A ball or a block of 0.0577 kg between two jaws. Each is pressed by a force through the middle of the contact, which
// also carries half of the weight: where friction holds, everything is in balance. (Jaws that stand on something would
// do as well, but for `convex`, which does not let friction load a floor.)
SceneDescription grasp(int d, bool ball, double friction, double squeeze) {
  SceneDescription scene = empty_scene(d);
  scene.materials = {material(friction)};
  const double r = 0.0335, width = 0.1, height = 0.2, mass = 0.0577;
  BodyDescription held = body("held", ball ? sphere(r) : plate(d, 2 * r, 2 * r, 2 * r));
  held.mass = mass;
  scene.bodies.push_back(held);
  for (const double side : {-1.0, 1.0}) {
    BodyDescription jaw =
        body(side < 0 ? "left" : "right", plate(d, width, height, height), in_plane(d, side * (r + 0.5 * width), 0));
    jaw.mass = 1, jaw.gravity_scale = 0;
    scene.bodies.push_back(jaw);
    SteadyForceDescription press;
    press.body = jaw.name;
    press.force = in_plane(d, -side * squeeze, 0.5 * mass * kGravity);
    press.point = in_plane(d, -0.5 * side * width, 0);
    scene.forces.push_back(press);
  }
  return scene;
}

void grasped(Bench& b) {
  for (const double friction : {0.5, 1.0}) {
    const double least = 0.0577 * kGravity / (2 * friction);  // 0.566037 and 0.283019 N
    const std::string at = friction < 1 ? ", μ = 0.5" : ", μ = 1";
    b.still("moved with 1 % more" + at, b.moved(grasp(b.dimension(), true, friction, 1.01 * least), 0.3));
    b.happens("falls with 1 % less" + at, b.moved(grasp(b.dimension(), true, friction, 0.99 * least), 0.3) > kFalls);
  }
}

SceneDescription heavy_on_light(int d, double ratio) {
  SceneDescription scene = floor_scene(d, material(0.5));
  scene.bodies.push_back(body("light", plate(d, 0.2, 0.2, 0.2), 0.1 * up(d)));
  scene.bodies.push_back(body("heavy", plate(d, 0.2, 0.2, 0.2), 0.3 * up(d)));
  scene.bodies[1].mass = 1, scene.bodies[2].mass = ratio;
  return scene;
}

void heavy(Bench& b) {
  const int d = b.dimension();
  Simulation sim = b.simulate(heavy_on_light(d, 1000));
  if (b.row().soft) b.run(sim, 1);
  for (int i = 0; i < 50; ++i) b.step(sim);
  const double load = sim.pair_impulse(sim.find_body("floor"), sim.find_body("light")).dot(up(d)) / sim.step_size();
  b.stepped("load on the floor", load, 9819.81, 0.2);  // 0.1 %
  b.still("moved", (sim.state(sim.find_body("heavy")).center_of_mass - 0.3 * up(d)).norm());
}

// Solved to the gate of the yardstick in every step.
void million(Bench& b) {
  Simulation sim = b.simulate(heavy_on_light(b.dimension(), 1e6));
  sim.set_yardstick(true);
  b.run(sim, 0.05);
  b.gate("natural map", sim.gathered_measures().natural_map.worst);
  b.still("moved", (sim.state(sim.find_body("heavy")).center_of_mass - 0.3 * up(b.dimension())).norm());
}

// The fastest of 0.2 s, after 0.3 s to settle (2 s on springs), and the mean.
void creeps(Bench& b, const std::string& name, const SceneDescription& scene, const std::string& body) {
  Simulation sim = b.simulate(scene);
  const BodyId id = sim.find_body(body);
  b.run(sim, b.row().soft ? 2 : 0.3);
  const Vector3d start = sim.state(id).center_of_mass;
  double fastest = 0;
  for (int i = 0; i < 200; ++i) b.step(sim), fastest = std::max(fastest, sim.state(id).velocity.norm());
  b.creep(name + ", fastest", fastest);
  b.creep(name + ", mean", (sim.state(id).center_of_mass - start).norm() / 0.2);
}

void creep(Bench& b) {
  const int d = b.dimension();
  creeps(b, "block 0.1° below the friction angle", block_on_incline(d, 26.4651, 0.5, 0).scene, "block");
  creeps(b, "gripped block", grasp(d, false, 0.5, 1.2 * 0.566037), "held");
}

}  // namespace

std::vector<Case> resting_cases() {
  return {{"B31", "ball between two jaws, squeeze bracketed by 1 %", {2, 3}, grasped},
          {"B34", "1000 kg on 1 kg", {2, 3}, heavy},
          {"creep", "block on a slope and gripped block, m/s", {2, 3}, creep},
          {"ratio", "a million kilograms on one, natural map", {2, 3}, million}};
}

}  // namespace touchstone::conformance
