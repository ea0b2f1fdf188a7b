// Rolling: B09-B12.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;

// A round body of mass 1 and radius 0.1 on a floor that falls to the right; `inertia` in units of m·R².
SceneDescription round_body(int d, double friction, double inertia, double speed, double degrees = 0) {
  SceneDescription scene = floor_scene(d, material(friction), 1e-3, degrees);
  BodyDescription ball = body("ball", sphere(0.1), 0.1 * up(d));
  set_inertia(ball, 1, inertia * 0.01);
  ball.velocity = {speed, 0, 0};
  scene.bodies.push_back(ball);
  return scene;
}

double slip_of(const Simulation& sim) {
  const BodyState s = sim.state(sim.find_body("ball"));
  return s.velocity.x() + 0.1 * s.angular_velocity.dot(turn_axis(sim.dimension()));
}

// From v0 = 5 m/s, μ = 0.2: rolls at v0/(1 + k), k = I/(m·R²), after the time in which friction has taken the rest.
void slide_to_roll(Bench& b, const std::string& name, double inertia, const SceneDescription& scene) {
  const double end = 5 / (1 + inertia), a = 0.2 * kGravity, time = (5 - end) / a;
  Simulation sim = b.simulate(scene);
  const BodyId ball = sim.find_body("ball");
  while (sim.time() < 1.2 * time && slip_of(sim) > 1e-3) b.step(sim);
  b.stepped(name + " time", sim.time(), time);
  b.stepped(name + " distance", sim.state(ball).center_of_mass.x(), 0.5 * (5 + end) * time);
  b.run(sim, 0.1);
  b.stepped(name + " speed", sim.state(ball).velocity.x(), end);
  b.still(name + " slip after", slip_of(sim));
}

// 25/7 m/s after 0.728120 s and 3.120514 m.
void sphere_rolls(Bench& b) { slide_to_roll(b, "sphere", 0.4, round_body(b.dimension(), 0.2, 0.4, 5)); }

// Cylinder 2/3·v0 after 0.849473 s, hoop v0/2 after 1.274210 s. In 3D also a true cylinder, which lies on a line.
void cylinder_and_hoop_roll(Bench& b) {
  const int d = b.dimension();
  slide_to_roll(b, "cylinder", 0.5, round_body(d, 0.2, 0.5, 5));
  slide_to_roll(b, "hoop", 1.0, round_body(d, 0.2, 1.0, 5));
  if (d == 2) return;
  SceneDescription scene = floor_scene(3, material(0.2));
  BodyDescription ball = body("ball", cylinder(0.1, 0.3), {0, 0, 0.1});
  ball.placement.orientation = Eigen::AngleAxisd(radians(90), Eigen::Vector3d::UnitX());
  ball.velocity = {5, 0, 0};
  scene.bodies.push_back(ball);
  slide_to_roll(b, "lying cylinder", 0.5, scene);
}

// a = g·sin 15°/(1 + k), for which friction of at least tan 15°·k/(1 + k) is needed; with 2 % less the slip grows by
// (1 + 1/k) times the 2 % that are missing.
void rolls_down(Bench& b) {
  const struct {
    const char* name;
    double inertia;
  } kinds[] = {{"sphere", 0.4}, {"cylinder", 0.5}, {"hoop", 1}, {"shell", 2.0 / 3}};
  const double tilt = radians(15), seconds = 0.5;
  for (const auto& kind : kinds) {
    const double k = kind.inertia, least = std::tan(tilt) * k / (1 + k), pull = kGravity * std::sin(tilt);
    Simulation rolls = b.simulate(round_body(b.dimension(), 1.02 * least, k, 0, 15));
    Simulation slips = b.simulate(round_body(b.dimension(), 0.98 * least, k, 0, 15));
    b.run(rolls, seconds);
    b.run(slips, seconds);
    const std::string name = kind.name;
    b.stepped(name + " acceleration", rolls.state(rolls.find_body("ball")).velocity.x() / seconds, pull / (1 + k));
    b.still(name + " slip with 2 % more", slip_of(rolls));
    b.stepped(name + " slip with 2 % less", slip_of(slips) / seconds, 0.02 * pull);
  }
}

void slips_down(Bench& b) {
  Simulation sim = b.simulate(round_body(b.dimension(), 0.1, 0.4, 0, 45));
  b.run(sim, 1);
  const BodyState s = sim.state(sim.find_body("ball"));
  b.stepped("acceleration", s.velocity.x(), 6.243046);
  b.stepped("turning", -s.angular_velocity.dot(turn_axis(b.dimension())), 17.34179);
}

}  // namespace

std::vector<Case> rolling_cases() {
  return {{"B09", "sliding sphere comes to roll", {2, 3}, sphere_rolls},
          {"B10", "sliding cylinder and hoop come to roll", {2, 3}, cylinder_and_hoop_roll},
          {"B11", "rolling on 15°, least friction bracketed by 2 %", {2, 3}, rolls_down},
          {"B12", "slipping sphere on 45°", {2, 3}, slips_down}};
}

}  // namespace touchstone::conformance
