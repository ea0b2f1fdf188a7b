// Impacts of one edge while the other lets go: B23, B24.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;

// A block that turns about one lower edge comes down on the other [Housner 1963]: 1 − 1.5·sin²α of the turning is
// left, where tan α = width/height. In one step, without gravity.
void comes_down_flat(Bench& b, double width) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(5), b.row().soft ? 1e-4 : 1e-3);
  scene.gravity.setZero();
  BodyDescription block = body("block", plate(d, width, 1, 0.3), 0.5 * up(d));
  block.angular_velocity = -1.0 * turn_axis(d);  // clockwise about the left edge
  block.velocity = in_plane(d, 0.5, -0.5 * width);
  scene.bodies.push_back(block);
  Simulation sim = b.simulate(scene);
  b.impact(sim, "block");
  const double part = 1 - 1.5 * width * width / (1 + width * width);
  b.stepped("block of width " + std::to_string(width).substr(0, 3),
            -sim.state(sim.find_body("block")).angular_velocity.dot(turn_axis(d)), part);
}

// The same from a fall, at h = 0.1 ms: just before and just after.
void falls_flat(Bench& b) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(5), 1e-4);
  const double tilt = 0.1, width = 0.5;
  BodyDescription block = body("block", plate(d, width, 1, 0.3));
  // Turned counter-clockwise about its left lower edge, which is at the origin.
  block.placement = turned(d, tilt,
                           in_plane(d, 0.5 * width * std::cos(tilt) - 0.5 * std::sin(tilt),
                                    0.5 * width * std::sin(tilt) + 0.5 * std::cos(tilt)));
  scene.bodies.push_back(block);
  Simulation sim = b.simulate(scene);
  const BodyId id = sim.find_body("block");
  const auto turning = [&] { return -sim.state(id).angular_velocity.dot(turn_axis(d)); };
  double before = 0;
  while (sim.time() < 1 && turn_of(d, sim.state(id)) > 1e-3) b.step(sim);
  // Edges that hop change it by a little before that.
  while (sim.time() < 1 && turning() > 0.95 * before) before = std::max(before, turning()), b.step(sim);
  for (int i = 0; i < 3; ++i) b.step(sim);  // a gap is closed in one step, and turned around in the next
  b.stepped("fallen block of width 0.5", turning() / before, 0.7);
}

void housner(Bench& b) {
  comes_down_flat(b, 0.2);  // 0.942308
  comes_down_flat(b, 0.5);  // 0.7
  if (!b.row().soft) falls_flat(b);
}

// A wheel without a rim is a polygon to the floor. Slope by gravity, friction enough not to slip. An impact takes up to
// two steps, in which gravity goes on. It starts standing on a side, near its steady turning: each impact halves what
// is wrong with its energy.
void rimless_wheel(Bench& b) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(3), b.step_size(2.5e-4), 0.08 * 180 / M_PI);
  std::vector<Eigen::Vector2d> spokes;
  for (int i = 0; i < 8; ++i) spokes.push_back({std::cos((i + 0.5) * M_PI / 4), std::sin((i + 0.5) * M_PI / 4)});
  BodyDescription wheel = body("wheel", prism(d, spokes, 0.5), std::cos(M_PI / 8) * up(d));
  set_inertia(wheel, 1, 0.01);
  const double start = b.full() ? 1.3 : 1.12;
  wheel.angular_velocity = -start * turn_axis(d);
  wheel.velocity = start * in_plane(d, std::cos(M_PI / 8), std::sin(M_PI / 8));  // about the right lower corner
  scene.bodies.push_back(wheel);
  Simulation sim = b.simulate(scene);
  const BodyId id = sim.find_body("wheel");
  double before = start, last = 0;
  int impacts = 0;
  bool falling = false;
  const int enough = b.full() ? 12 : 4;
  while (sim.time() < 20 && impacts < enough) {
    b.step(sim);
    const double now = -sim.state(id).angular_velocity.dot(turn_axis(d));
    const bool drops = now - before < -0.005;  // gravity changes it by 0.001 a step
    if (falling && !drops) last = before, ++impacts;
    falling = drops, before = now;
  }
  b.happens("rolls on", impacts == enough);
  b.stepped("turning after an impact", last, 1.09902, 2);
}

}  // namespace

std::vector<Case> rocking_cases() {
  return {{"B23", "rocking block comes down on its other edge", {2, 3}, housner},
          {"B24", "rimless wheel of 8 spokes on a slope", {2, 3}, rimless_wheel, true}};
}

}  // namespace touchstone::conformance
