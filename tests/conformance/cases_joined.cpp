// Collisions of rods, free and jointed, and the belt on a capstan: B17, B18, B22, B30.
#include "conformance/conformance.h"

namespace touchstone::conformance {
namespace {

using namespace touchstone::testing;
using Eigen::Vector3d;

JointDescription pin(int d, const std::string& a, const std::string& b, const Vector3d& point) {
  JointDescription j;
  j.kind = JointKind::kHinge;
  j.body_a = a, j.body_b = b;
  j.point = point;
  if (d == 3) j.axis = turn_axis(3);
  return j;
}

// A rod of length and mass 1 along x, from `left` on, and a particle below its left or right end that comes up at
// 1 m/s.
constexpr double kThin = 0.01;  // [m] radius of rods and particles
BodyDescription level_rod(int d, const std::string& name, double left) {
  BodyDescription rod = body(name, capsule(kThin, 1));
  set_inertia(rod, 1, 1.0 / 12);
  rod.placement = turned(d, radians(-90), in_plane(d, left + 0.5, 0));
  return rod;
}
BodyDescription particle(int d, double x) {
  BodyDescription p = body("particle", sphere(kThin), in_plane(d, x, -2 * kThin));
  set_inertia(p, 1, 4e-5);
  p.velocity = up(d);
  return p;
}

void particle_on_rod(Bench& b) {
  const int d = b.dimension();
  SceneDescription scene = empty_scene(d, b.row().soft ? 1e-4 : 1e-3);
  scene.gravity.setZero();
  scene.materials = {material(0, 1)};
  scene.bodies = {level_rod(d, "rod", -0.5), particle(d, 0.5)};
  Simulation sim = b.simulate(scene);
  b.impact(sim, "rod");
  const BodyState r = sim.state(sim.find_body("rod"));
  b.solve("particle", sim.state(sim.find_body("particle")).velocity.dot(up(d)), 0.6);
  b.solve("rod", r.velocity.dot(up(d)), 0.4);
  b.solve("turning", r.angular_velocity.dot(turn_axis(d)), 2.4);
}

// In a step of 10 µs: at its end velocities fit the joint where it is then, and the rods have turned by ωh.
void pinned_rods(Bench& b) {
  const int d = b.dimension();
  SceneDescription scene = empty_scene(d, 1e-5);
  scene.gravity.setZero();
  scene.materials = {material(0, 1)};
  scene.bodies = {level_rod(d, "B", 0), level_rod(d, "C", 1), particle(d, 0)};
  scene.joints = {pin(d, "B", "C", in_plane(d, 1, 0))};
  Simulation sim = b.simulate(scene);
  const Vector3d J = b.impact(sim, "B");
  const BodyState B = sim.state(sim.find_body("B")), C = sim.state(sim.find_body("C"));
  b.solve("impulse", J.dot(up(d)), 4.0 / 9);
  b.solve("impulse of the pin", -sim.joint(0).impulse.dot(up(d)), 1.0 / 9);
  b.solve("v_A", sim.state(sim.find_body("particle")).velocity.dot(up(d)), 5.0 / 9);
  b.solve("v_B", B.velocity.dot(up(d)), 5.0 / 9);
  b.solve("v_C", C.velocity.dot(up(d)), -1.0 / 9);
  b.solve("turning of B", B.angular_velocity.dot(turn_axis(d)), -2);
  b.solve("turning of C", C.angular_velocity.dot(turn_axis(d)), 2.0 / 3);
  b.solve("energy", sim.report().kinetic_energy, 0.5);
}

// Two rods of length and mass 1 hang from the origin at 20° and 30° from the vertical and turn at −0.1 and −0.2 rad/s;
// the free end meets a floor with e = μ = 0.5. Newton's law with sticking gives |p_t|/p_n = 0.430643 and 1.587495
// times the energy: a gain, which the yardstick has to show. (With the angles θ as coordinates, M = [4/3, cos(θ1−θ2)/2;
// ., 1/3] and the end's J_t = (cos θ1, cos θ2), J_n = (sin θ1, sin θ2): J·θ̇⁺ = (0, −e·u_N).) By Poisson's and by
// Stronge's law, of models that have them, energy is lost. Compression ends at r_N = −u_N/(K_NN + μ·K_NT), while the
// end slides on; in expansion the slip stops and turns round, as sticking would need μ = 0.62.
struct PendulumImpact {
  const char* law;
  double friction, energy, gain;
};
constexpr PendulumImpact kPendulumImpacts[] = {
    // The gain is over the greater of the two energies.
    {"newton", -0.4306430551983193, 1.5874946869298494, 1 - 1 / 1.5874946869298494},
    {"poisson", 0.3570095566597479, 0.5450779868115936, 0},
    {"energetic", 0.3231130279762782, 0.5531879851644538, 0}};

SceneDescription double_pendulum_scene(int d) {
  const double t1 = radians(20), t2 = radians(30), u1 = -0.1, u2 = -0.2;
  const Vector3d along1 = in_plane(d, std::sin(t1), -std::cos(t1)), along2 = in_plane(d, std::sin(t2), -std::cos(t2)),
                 across1 = in_plane(d, std::cos(t1), std::sin(t1)), across2 = in_plane(d, std::cos(t2), std::sin(t2)),
                 tip = along1 + along2;
  SceneDescription scene = empty_scene(d);
  scene.gravity.setZero();
  scene.materials = {material(0.5, 0.5)};
  BodyDescription upper = body("upper", sphere(kThin), 0.5 * along1),
                  lower = body("lower", sphere(kThin), along1 + 0.5 * along2);
  set_inertia(upper, 1, 1.0 / 12), set_inertia(lower, 1, 1.0 / 12);
  upper.velocity = 0.5 * u1 * across1, upper.angular_velocity = u1 * turn_axis(d);
  lower.velocity = u1 * across1 + 0.5 * u2 * across2, lower.angular_velocity = u2 * turn_axis(d);
  upper.center_of_mass = lower.center_of_mass = Vector3d::Zero();
  lower.shapes[0].placement.position = 0.5 * along2 + kThin * up(d);  // touches the floor where the tip is
  scene.bodies = {fixed("floor", half_space(up(d)), tip.dot(up(d)) * up(d)), upper, lower};
  scene.joints = {pin(d, "", "upper", Vector3d::Zero()), pin(d, "upper", "lower", along1)};
  return scene;
}

void double_pendulum(Bench& b) {
  const int d = b.dimension();
  for (const PendulumImpact& e : kPendulumImpacts) {
    const std::string law = e.law, by = " by law " + law;
    if (law != "newton" && !b.offers("restitution_law")) continue;
    Simulation sim =
        b.simulate(double_pendulum_scene(d), law == "newton" ? Options{} : Options{{"restitution_law", law}});
    const double before = sim.report().kinetic_energy;
    sim.set_yardstick(true);
    const Vector3d p = b.impact(sim, "lower");
    b.solve("friction over normal impulse" + by, p.x() / p.dot(up(d)), e.friction);
    b.solve("energy over that before" + by, sim.report().kinetic_energy / before, e.energy);
    b.solve("gain that the yardstick shows" + by, sim.measures().impact_gain.worst, e.gain, 1);
  }
}

// A belt without weight over half of a polygon of 2n sides. It is n small blocks, each flat on the middle of a side,
// that are linked where they touch it, so that at each the belt turns by Δ = π/n. One end is held by 1 N; the other is
// pulled.
SceneDescription capstan(int n, double friction, double load) {
  const double delta = M_PI / n, apothem = std::cos(0.5 * delta), width = 0.1, height = 0.04;
  SceneDescription scene = empty_scene(2);
  scene.gravity.setZero();
  scene.materials = {material(friction)};
  std::vector<Eigen::Vector2d> corners;
  for (int i = 0; i < 2 * n; ++i) corners.push_back({std::cos(i * delta), std::sin(i * delta)});
  scene.bodies = {fixed("drum", prism(2, corners, 0))};
  for (int i = 0; i < n; ++i) {
    const double a = (i + 0.5) * delta;
    BodyDescription block = body("b" + std::to_string(i), box(width, height));
    block.mass = 0.01;
    block.placement = turned(2, a - 0.5 * M_PI, (apothem + 0.5 * height) * Vector3d(std::cos(a), std::sin(a), 0));
    scene.bodies.push_back(block);
  }
  const Vector3d foot(0, -0.5 * height, 0);
  for (int i = 0; i + 1 < n; ++i) {
    JointDescription link;
    link.kind = JointKind::kDistance;
    link.body_a = "b" + std::to_string(i), link.body_b = "b" + std::to_string(i + 1);
    link.point_a = link.point_b = foot;
    link.collide = true;
    scene.joints.push_back(link);
  }
  for (const int i : {0, n - 1}) {
    SteadyForceDescription f;
    f.body = "b" + std::to_string(i);
    f.force = {0, i == 0 ? -1.0 : -load, 0};
    f.point = foot;
    scene.forces.push_back(f);
  }
  return scene;
}

void belt(Bench& b) {
  const int n = 10;
  const double friction = 0.3, bite = friction * std::tan(0.5 * M_PI / n),
               ratio = std::pow((1 + bite) / (1 - bite), n);  // 2.588356
  b.still("moved with 1 % less", b.moved(capstan(n, friction, 0.99 * ratio), 0.1));
  b.happens("slips with 1 % more", b.moved(capstan(n, friction, 1.01 * ratio), 0.1) > 1e-4);
}

}  // namespace

std::vector<Case> joined_cases() {
  return {{"B17", "particle on the end of a free rod, e = 1", {2, 3}, particle_on_rod},
          {"B18", "double pendulum meets a floor, e = μ = 0.5: Newton's law gains energy", {2, 3}, double_pendulum},
          {"B22", "particle on the end of two pinned rods, e = 1", {2, 3}, pinned_rods},
          {"B30", "belt on a capstan of 10 corners, load bracketed by 1 %", {2}, belt}};
}

}  // namespace touchstone::conformance
