// Collisions of single bodies: B13-B16, B19-B21, and the impact without collision of B63.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;
using Eigen::Vector3d;

// Free balls in a row that touch, the first k of which come with speed 1.
void cradle(Bench& b) {
  const bool sequential = b.row().cradle == Cradle::kSequential;
  for (int k = 1; k <= 3; ++k) {
    SceneDescription scene = empty_scene(b.dimension());
    scene.gravity.setZero();
    scene.materials = {material(0, 1)};
    for (int i = 0; i < 5; ++i) {
      scene.bodies.push_back(body("b" + std::to_string(i), sphere(0.1), {0.2 * i, 0, 0}));
      if (i < k) scene.bodies.back().velocity = {1, 0, 0};
    }
    Simulation sim = b.simulate(scene);
    b.run(sim, b.row().soft ? 0.2 : 0.02);
    for (int i = 0; i < 5; ++i) {
      const double right = sequential ? (i < 5 - k ? 0 : 1) : (i < k ? (2.0 * k - 5) / 5 : 2.0 * k / 5);
      b.solve("k = " + std::to_string(k) + ", ball " + std::to_string(i),
              sim.state(sim.find_body("b" + std::to_string(i))).velocity.x(), right, 1);
    }
  }
}

// From 1 m: apexes at e² of the one before, and at rest when all bounces are over, at √(2/g)·(1 + e)/(1 − e).
void bounces(Bench& b) {
  const int d = b.dimension();
  for (const double e : {0.8, 0.5}) {
    const double h = b.step_size(1e-3);
    SceneDescription scene = floor_scene(d, material(0.5, e), h);
    scene.bodies.push_back(body("ball", sphere(0.1), 1.1 * up(d)));
    Simulation sim = b.simulate(scene);
    const BodyId ball = sim.find_body("ball");
    const double rest = std::sqrt(2 / kGravity) * (1 + e) / (1 - e);  // 4.063713 and 1.354571 s
    double before = -1, highest = 0;
    std::vector<double> heights;
    std::size_t count = 0;
    const double expected[] = {0.64, 0.4096, 0.262144, 0.167772};
    while (sim.time() < 1.05 * rest) {
      b.step(sim);
      const BodyState s = sim.state(ball);
      const double v = s.velocity.dot(up(d)), height = s.center_of_mass.dot(up(d)) - 0.1;
      if (before > 0 && v <= 0 && count < 4 && e == 0.8)
        b.stepped("apex " + std::to_string(count + 1), std::max(highest, height), expected[count], 2), ++count;
      highest = v > 0 ? height : 0;
      heights.push_back(height);
      before = v;
    }
    if (e == 0.8) b.happens("four bounces", count == 4);
    // At rest it stays within 1e-7 m: bounces below that last a millisecond in all.
    std::size_t last = heights.size();
    while (last > 0 && std::abs(heights[last - 1] - heights.back()) <= 1e-7) --last;
    const double above = static_cast<double>(last) * h;
    // A step is the least error of a bounce's time; only where that is small, or a bounce has a time of its own, is
    // there a time of rest.
    if (h <= 1e-4 || b.row().events) b.stepped("rest with e = " + std::to_string(e).substr(0, 3), above, rest, 2);
  }
}

// A thin rod of length 1 and mass 1 whose lower end meets the floor with speed 1, without friction. With the lever
// c = cos θ/2 of the end: J = (1 + e)/(1 + 12·c²), v_G = J − 1, ω = 12·c·J.
void rod(Bench& b, double degrees, double restitution) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(0, restitution), b.row().soft ? 1e-4 : 1e-3);
  scene.gravity.setZero();
  const double r = 0.01, lever = 0.5 * std::cos(radians(degrees)), J = (1 + restitution) / (1 + 12 * lever * lever);
  BodyDescription rod = body("rod", capsule(r, 1));
  set_inertia(rod, 1, 1.0 / 12);
  // A capsule stands upright in its frame.
  rod.placement = turned(d, radians(degrees - 90), in_plane(d, 0, 0.5 * std::sin(radians(degrees)) + r));
  rod.velocity = -1.0 * up(d);
  scene.bodies.push_back(rod);
  Simulation sim = b.simulate(scene);
  const Vector3d impulse = b.impact(sim, "rod");
  const BodyState s = sim.state(sim.find_body("rod"));
  b.solve("impulse", impulse.dot(up(d)), J);
  b.solve("velocity", s.velocity.dot(up(d)), J - 1);
  b.solve("turning", std::abs(s.angular_velocity.dot(turn_axis(d))), 12 * lever * J);
}
void rod30(Bench& b) { rod(b, 30, 0.5); }  // 0.461538, −0.538462, 2.398224
void rod45(Bench& b) { rod(b, 45, 1); }    // 0.8, −0.2, 3.394113

// A ball of radius 0.1 that meets the floor; `inertia` in units of m·R².
struct Ball {
  double inertia, friction, restitution, vx, vy, omega;
};
BodyState bounce(Bench& b, const Ball& given) {
  const int d = b.dimension();
  SceneDescription scene = floor_scene(d, material(given.friction, given.restitution), b.row().soft ? 1e-4 : 1e-3);
  scene.gravity.setZero();
  BodyDescription ball = body("ball", sphere(0.1), 0.1 * up(d));
  set_inertia(ball, 1, given.inertia * 0.01);
  ball.velocity = in_plane(d, given.vx, given.vy);
  ball.angular_velocity = given.omega * turn_axis(d);
  scene.bodies.push_back(ball);
  Simulation sim = b.simulate(scene);
  b.impact(sim, "ball");
  return sim.state(sim.find_body("ball"));
}
void check_bounce(Bench& b, const std::string& name, const Ball& given, double vx, double omega) {
  const BodyState s = bounce(b, given);
  const double speed = std::abs(given.vy);
  b.solve(name + " along", s.velocity.x(), vx, speed);
  b.solve(name + " up", s.velocity.dot(up(b.dimension())), -given.restitution * given.vy, speed);
  b.solve(name + " turning", s.angular_velocity.dot(turn_axis(b.dimension())), omega, speed / 0.1);
}
void sphere_bounces(Bench& b) {
  check_bounce(b, "sticks", {0.4, 0.3, 0.8, 2, -4, 0}, 10.0 / 7, -100.0 / 7);
  check_bounce(b, "slips", {0.4, 0.05, 0.8, 2, -4, 0}, 1.64, -9.0);
}
void backspin(Bench& b) {
  check_bounce(b, "sticks", {0.4, 0.6, 0.7, 1, -3, 60}, -1.0, 10);
  check_bounce(b, "slips", {0.4, 0.2, 0.7, 1, -3, 60}, -0.02, 34.5);
}
void cushion(Bench& b) {
  const double v = std::sqrt(0.5);
  check_bounce(b, "disk", {0.5, 0.2, 0.9, v, -v, 0}, v * 2 / 3, -10 * v * 2 / 3);
}

// Painlevé's rod: half-length and mass 1, at 60°, μ = 2, its tip sliding at 1 m/s. No force would do: the step must
// find an impact without collision.
void painleve(Bench& b) {
  const int d = b.dimension();
  const double a = radians(60), r = 0.01;
  SceneDescription scene = floor_scene(d, material(2), 1e-4);
  BodyDescription rod = body("rod", sphere(r));
  set_inertia(rod, 1, 1.0 / 3);
  rod.center_of_mass = Vector3d::Zero();
  rod.shapes[0].placement.position = in_plane(d, -std::cos(a), r - std::sin(a));  // touches where the tip is
  rod.placement.position = std::sin(a) * up(d);
  rod.velocity = -Vector3d::UnitX();
  scene.bodies.push_back(rod);
  Simulation sim = b.simulate(scene);
  b.step(sim);
  const BodyState s = sim.state(sim.find_body("rod"));
  // The tip sticks: v_G + ω×tip = 0 with the impulse p at the tip gives these.
  const double c = std::cos(a), n = std::sin(a);
  // ω·(I + m·l²) is the angular momentum about the tip, before: l·sin 60° of the speed, less what gravity gives in a
  // step. Without that ω = 0.649519, v_G = (−0.5625, 0.324760).
  const double w = (n - c * kGravity * scene.step) / (1.0 / 3 + 1);
  b.solve("along", s.velocity.x(), -n * w, 1);
  b.solve("up", s.velocity.dot(up(d)), c * w, 1);
  b.solve("turning", s.angular_velocity.dot(turn_axis(d)), w, 1);
}

}  // namespace

std::vector<Case> impact_cases() {
  return {{"B13", "row of five balls, 1, 2, 3 of which come", {2, 3}, cradle},
          {"B14", "ball dropped from 1 m, e = 0.8 and 0.5", {2, 3}, bounces},
          {"B15", "rod at 30° on the floor, e = 0.5", {2, 3}, rod30},
          {"B16", "rod at 45° on the floor, e = 1", {2, 3}, rod45},
          {"B19", "sphere bounces with friction", {2, 3}, sphere_bounces},
          {"B20", "sphere bounces with backspin", {2, 3}, backspin},
          {"B21", "disk on a cushion at 45°", {2, 3}, cushion},
          {"B63", "Painlevé's rod jams", {2, 3}, painleve}};
}

}  // namespace touchstone::conformance
