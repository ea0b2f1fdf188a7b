// Constraints: a bead on its wire, the multiplier of a pendulum, and a door on its hinge.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "recording/frame.h"
#include "study/papers/thompson2003/thompson2003.h"

namespace touchstone::thompson2003 {
namespace {

constexpr double kGravity = 9.81;        // [m/s²]
constexpr std::uint64_t kPicture = 300;  // step

// Returns whether the run came to its end; how far the bead has been from its wire at most.
bool slide(Simulation& simulation, std::uint64_t steps, const PaperOptions& options, PaperStudy& study,
           double& distance, const std::function<void()>& each = {}) {
  return advance(simulation, steps, options, "bead", study, [&](const StepReport&) {
    distance = std::max(distance, joint_error(simulation));
    if (each) each();
    return false;
  });
}

std::vector<double> poses_of(const Simulation& simulation) {
  Frame frame;
  capture_frame(simulation, RecordDescription{}, frame);
  return frame.poses;
}

bool add_straight(const PaperOptions& options, PaperStudy& study) {
  constexpr double kMass = 28.3;
  const std::uint64_t steps = options.quick ? 1000 : 10'000;
  Simulation simulation(scene_of(options, "bead"));
  double distance = 0;
  if (!slide(simulation, steps, options, study, distance)) return false;
  const Eigen::Vector3d end = simulation.state(simulation.find_body("bead")).center_of_mass;
  const double t = simulation.time(), way = t * t / (2 * std::sqrt(2.0) * kMass);
  const std::string name = fmt::format("y = x, {} steps: ", steps);
  study.rows.push_back(
      beside_demo(row_at_most(name + "greatest distance from the wire", "m", kJointError, distance), 59));
  study.rows.push_back(row_near(name + "way along it, over F·t²/(2·√2·m)", "", 1, 1e-9, end.head<2>().norm() / way));
  return true;
}

// A wire that turns: distance, and energy against the work of the force.
bool add_curved(const PaperOptions& options, PaperStudy& study) {
  const std::uint64_t steps = options.quick ? kPicture : 1000;
  const SceneDescription scene =
      scene_of(options, "bead", {{"joint.wire.curve", "\"y = 20*sin(x/10)\""}, {"force[0].force", "[0.1, 0]"}});
  Simulation simulation(scene);
  double distance = 0;
  const std::vector<double> start = poses_of(simulation);
  const auto draw = [&] {
    if (simulation.step_count() != kPicture || options.figures.empty()) return;
    draw_now(simulation, fmt::format("bead on a wire after {:g} s", simulation.time()),
             figure_path(options, "bead.png", study), &scene, {start, poses_of(simulation)});
  };
  if (!slide(simulation, steps, options, study, distance, draw)) return false;
  const BodyState end = simulation.state(simulation.find_body("bead"));
  const double work = 0.1 * end.center_of_mass.x();
  const std::string name = fmt::format("y = 20·sin(x/10), {} steps: ", steps);
  study.rows.push_back(row_at_most(name + "greatest distance from the wire", "m", kJointError, distance));
  study.rows.push_back(
      row_near(name + "kinetic energy, over the force's work", "", 1, 2e-5, simulation.report().kinetic_energy / work));
  return true;
}

// Eqs 25-33 with F = (3, 1) and m = 2: a = (1, 1), and the wire's force is (−1, 1).
void add_forces(const PaperOptions& options, PaperStudy& study) {
  constexpr double h = 1e-3;
  Simulation simulation(
      scene_of(options, "bead",
               {{"force[0].force", "[3, 1]"}, {"body.bead.mass", "2"}, {"simulation.step", fmt::format("{}", h)}}));
  simulation.step();
  const Eigen::Vector3d a = simulation.state(simulation.find_body("bead")).velocity / h, f = simulation.joint(0).force;
  for (const auto& [what, unit, expected, ours] :
       {std::tuple("acceleration, x", "m/s²", 1.0, a.x()), std::tuple("acceleration, y", "m/s²", 1.0, a.y()),
        std::tuple("force of the wire, x", "N", -1.0, f.x()), std::tuple("force of the wire, y", "N", 1.0, f.y())})
    study.rows.push_back(row_near(fmt::format("F = (3, 1), m = 2: {}", what), unit, expected, 1e-9, ours));
}

// A point of 1 kg at (0, −1) on a rod of 1 m, at 2 m/s: the force is λ·x with λ = −m·(g + v²/l).
void add_multiplier(PaperStudy& study) {
  constexpr double kSpeed = 2;
  SceneDescription scene;
  scene.dimension = 2;
  scene.step = 1e-6;
  scene.integrator = Integrator::kRk4;
  scene.model.name = "lagrange";
  scene.gravity = {0, -kGravity, 0};
  BodyDescription bob;
  bob.name = "bob";
  bob.mass = 1.0;
  bob.placement.position = {0, -1, 0};
  bob.velocity = {kSpeed, 0, 0};
  bob.shapes = {ShapeDescription::sphere(0.05)};
  scene.bodies = {bob};
  JointDescription rod;
  rod.kind = JointKind::kDistance;
  rod.body_b = "bob";
  rod.point_a = rod.point_b = Eigen::Vector3d::Zero();
  scene.joints = {rod};
  Simulation simulation(scene);
  simulation.step();
  study.rows.push_back(row_near("pendulum at 2 m/s: multiplier", "N/m", -(kGravity + kSpeed * kSpeed), 1e-4,
                                -simulation.joint(0).force.y()));
}

}  // namespace

void bead(const PaperOptions& options, PaperStudy& study) {
  add_forces(options, study);
  add_multiplier(study);
  if (add_straight(options, study)) add_curved(options, study);
}

// A ball of mass m strikes the door at r from the hinge with v: J = 2·v/(1/m + r²/I), without loss.
void door(const PaperOptions& options, PaperStudy& study) {
  constexpr double kDoor = 20, kLength = 0.8, kThick = 0.04, kCentre = 0.44, kBall = 2, kSpeed = 4, kArm = 0.7;
  constexpr double kInertia = kDoor * (kLength * kLength + kThick * kThick) / 12 + kDoor * kCentre * kCentre;
  constexpr double kImpulse = 2 * kSpeed / (1 / kBall + kArm * kArm / kInertia);
  constexpr double kSwings = 0.6, kEnd = 3;  // [s]
  const SceneDescription scene = scene_of(options, "door");
  Simulation simulation(scene);
  const BodyId door = simulation.find_body("door"), ball = simulation.find_body("ball");
  const double energy = simulation.report().kinetic_energy;
  double opening = 0, gain = 0, turn = std::nan(""), speed = std::nan("");
  const auto steps = static_cast<std::uint64_t>(std::lround(kEnd / simulation.step_size()));
  const bool finished = advance(simulation, steps, options, "door", study, [&](const StepReport& r) {
    opening = std::max(opening, joint_error(simulation));
    gain = std::max(gain, r.kinetic_energy / energy - 1);
    if (std::abs(r.time - kSwings) > 0.5 * simulation.step_size()) return false;
    turn = simulation.state(door).angular_velocity.z();
    speed = simulation.state(ball).velocity.y();
    if (!options.figures.empty())
      draw_now(simulation, "a ball strikes a door [figure 11]", figure_path(options, "door.png", study), &scene);
    return false;
  });
  if (!finished) return;
  study.rows.push_back(row_near("rate of the door after the impact", "rad/s", kArm * kImpulse / kInertia, 1e-9, turn));
  study.rows.push_back(row_near("velocity of the ball after it", "m/s", kSpeed - kImpulse / kBall, 1e-9, speed));
  study.rows.push_back(row_near("angle at the stop", "rad", 2, 1e-6, simulation.state(door).placement.angle));
  study.rows.push_back(row_at_most("kinetic energy made, relative", "", 1e-9, gain));
  study.rows.push_back(row_at_most("greatest opening of the hinge", "m", kJointError, opening));
}

}  // namespace touchstone::thompson2003
