// Motors that are commanded while the simulation runs: a gripper closes on a box, then lifts it.
#include <touchstone/touchstone.h>

#include <cstdio>

namespace {

using namespace touchstone;

BodyDescription body(const char* name, double mass, const ShapeDescription& shape, double x, double y) {
  BodyDescription out;
  out.name = name;
  out.mass = mass;
  out.shapes = {shape};
  out.placement.position = {x, y, 0};
  return out;
}

JointDescription slider(const char* name, const char* on, const char* moved, double x, double y) {
  JointDescription out;
  out.name = name;
  out.kind = JointKind::kSlider;
  out.body_a = on;  // "": the world
  out.body_b = moved;
  out.axis = Eigen::Vector3d(x, y, 0);
  return out;
}

}  // namespace

int main() {
  SceneDescription scene;
  scene.dimension = 2;
  scene.gravity = {0, -9.81, 0};
  BodyDescription floor = body("floor", 1, ShapeDescription::half_space({0, 1, 0}), 0, 0);
  floor.kind = BodyKind::kStatic;
  scene.bodies = {floor, body("box", 1, ShapeDescription::box(0.2, 0.2), 0, 0.1),
                  body("hand", 1, ShapeDescription::box(0.5, 0.1), 0, 0.4),
                  body("left", 0.2, ShapeDescription::box(0.1, 0.25), -0.17, 0.2),
                  body("right", 0.2, ShapeDescription::box(0.1, 0.25), 0.17, 0.2)};
  scene.joints = {slider("lift", "", "hand", 0, 1), slider("left finger", "hand", "left", 1, 0),
                  slider("right finger", "hand", "right", -1, 0)};
  Simulation sim(scene);
  const std::size_t lift = sim.find_joint("lift");
  const BodyId box = sim.find_body("box");

  sim.set_motor(lift, MotorCommand::position(0, 33));  // holds the hand where it is
  for (const char* finger : {"left finger", "right finger"})
    sim.set_motor(sim.find_joint(finger), MotorCommand::speed(0.1, 15));  // closes, then squeezes with 15 N
  while (sim.time() < 0.5) sim.step();
  std::printf("closed: the fingers squeeze with %.2f N\n",
              sim.pair_impulse(sim.find_body("left"), box).x() / sim.step_size());

  sim.set_motor(lift, MotorCommand::position(0.2, 33, 0.4));  // up by 0.2 m, at 0.4 m/s at most
  while (sim.time() < 1.5) sim.step();
  const double height = sim.state(box).center_of_mass.y();
  std::printf("lifted: the box is at %.4f m\n", height);
  return height > 0.295 && height < 0.305 ? 0 : 1;
}
