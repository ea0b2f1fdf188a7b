// Beyond the catalogue, what every model should have in common: two coefficients of friction, friction that does not
// turn what slides straight, and runs that can be repeated.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;
using Eigen::Vector3d;

// A block between its two friction angles, pulled uphill at first so that it has no wish to slide, and then let go of
// in ten stages: it is held by μ_s, and stays.
Incline between_the_angles(int d, double speed) {
  Incline out = block_on_incline(d, 24, 0.5, speed);
  out.scene.materials[0].dynamic_friction = 0.4;
  out.scene.bodies[1].mass = 1;
  return out;
}
double moved(Bench& b, const Incline& incline) { return b.moved(incline.scene, 0.4); }

void two_coefficients(Bench& b) {
  Incline held = between_the_angles(b.dimension(), 0);
  for (int i = 0; i < 10; ++i) {
    SteadyForceDescription f;
    f.body = "block", f.force = -0.1 * kGravity * std::sin(radians(24)) * held.downhill, f.until = 0.05 + 0.02 * i;
    held.scene.forces.push_back(f);
  }
  b.still("moved, let go of slowly", moved(b, held));
  const Incline slides = between_the_angles(b.dimension(), 0.5);
  Simulation sim = b.simulate(slides.scene);
  b.run(sim, 0.3);
  const double a = kGravity * (std::sin(radians(24)) - 0.4 * std::cos(radians(24)));
  b.stepped("speed of what slides", sim.state(sim.find_body("block")).velocity.dot(slides.downhill), 0.5 + 0.3 * a);
}

// The same, put there at rest: static friction is to hold what has never touched before.
void put_at_rest(Bench& b) { b.still("moved", moved(b, between_the_angles(b.dimension(), 0))); }

// A body on three feet that are not spread evenly about its centre slides straight on: N_i·y_i sum up to zero, or it
// would roll over, and so do the moments μ·N_i·y_i that would turn it.
void tripod(Bench& b) {
  SceneDescription scene = floor_scene(3, material(0.4));
  BodyDescription body = testing::body("tripod", sphere(0.02), {0, 0, 0.02});
  body.shapes.clear();
  for (const Vector3d& at : {Vector3d(-0.2, -0.15, 0), Vector3d(0.2, -0.15, 0), Vector3d(0.2, 0.15, 0)}) {
    body.shapes.push_back(sphere(0.02));
    body.shapes.back().placement.position = at;
  }
  body.center_of_mass = Vector3d(0.1, 0, 0.05);
  set_inertia(body, 1, 0.02);
  body.velocity = {1, 0, 0};
  scene.bodies.push_back(body);
  Simulation sim = b.simulate(scene);
  b.run(sim, 0.1);
  const BodyState s = sim.state(sim.find_body("tripod"));
  b.stepped("speed", s.velocity.x(), 1 - 0.04 * kGravity);
  b.still("turning", s.angular_velocity.z());
  b.still("speed aside", s.velocity.y());
}

// Boxes and balls that fall together.
SceneDescription pile(int d) {
  SceneDescription scene = floor_scene(d, material(0.4, 0.3), 2e-3);
  for (int i = 0; i < 6; ++i) {
    BodyDescription b = body("b" + std::to_string(i), i % 2 ? sphere(0.1) : plate(d, 0.2, 0.2, 0.2),
                             in_plane(d, 0.15 * (i % 3), 0.12 + 0.22 * (i / 3)));
    b.velocity = -1.0 * up(d);
    b.angular_velocity = 0.3 * i * turn_axis(d);
    scene.bodies.push_back(b);
  }
  return scene;
}

void repeats(Bench& b) {
  for (const SceneDescription& scene : {block_on_incline(b.dimension(), 15, 0.5, 1.5).scene, pile(b.dimension())}) {
    Simulation one = b.simulate(scene), three = b.simulate(scene), later = b.simulate(scene);
    three.set_threads(3);
    for (int i = 0; i < 40; ++i) one.step(), three.step();
    b.happens("the same bits on three threads", one.state_hash() == three.state_hash());
    later.restore(one.snapshot());
    for (int i = 0; i < 10; ++i) one.step(), later.step();
    b.happens("the same bits after restoring", one.state_hash() == later.state_hash());
    b.happens("something touches", one.contact_count() > 0);
  }
}

}  // namespace

std::vector<Case> law_cases() {
  return {{"coefficients", "block between its two friction angles, held or sliding", {2, 3}, two_coefficients},
          {"placed", "block put at rest between its two friction angles", {2, 3}, put_at_rest},
          {"tripod", "body on three uneven feet slides straight", {3}, tripod},
          {"repeat", "the same bits after restoring and on three threads", {2, 3}, repeats}};
}

}  // namespace touchstone::conformance
