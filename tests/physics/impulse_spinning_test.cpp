// The impulse model against the validation catalogue: plates and disks that spin. 1 %, steps as stated.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

struct Stop {
  double time, way, angle;
};
// A plate 0.2 by 0.2 that spins on its four corners, until it rests. It is thin: friction at its lower side must not
// shift the load.
Stop spin(double speed, double turning, double h) {
  SceneDescription scene = impulse_floor(3, material(0.3), h);
  const double thickness = 1e-3;
  BodyDescription b = body("plate", box(0.2, 0.2, thickness), {0, 0, 0.5 * thickness});
  b.velocity = {speed, 0, 0};
  b.angular_velocity = {0, 0, turning};
  scene.bodies.push_back(b);
  Simulation sim(scene);
  const BodyId id = sim.find_body("plate");
  Stop out{0, 0, 0};
  while (sim.time() < 2) {
    sim.step();
    const BodyState s = sim.state(id);
    out.angle += h * s.angular_velocity.z();
    if (std::abs(s.angular_velocity.z()) < 1e-6 && s.velocity.norm() < 1e-6) break;
  }
  out.time = sim.time(), out.way = sim.state(id).center_of_mass.x();
  return out;
}

TEST(ImpulseSpinning, B59Plate) {
  const Stop s = spin(0, 10, 1e-3);
  check_relative("B59_time", s.time, 0.160178, 0.01);
  check_relative("B59_angle", s.angle, 0.800891, 0.01);
}

TEST(ImpulseSpinning, B60PlateThatSlidesAndSpins) {
  const Stop s = spin(1, 10, 1e-4);  // the catalogue's values are for h → 0
  check_relative("B60_time", s.time, 0.41499, 0.01);
  check_relative("B60_way", s.way, 0.23018, 0.01);
  check_relative("B60_angle", s.angle, 1.42426, 0.01);
}

// Euler's disk in steady motion: its centre rests, it rolls on its rim and precesses. h so that it goes round by 0.001
// rad a step; drift of the tilt is asked for over five turns.
void check_disk(const std::string& name, double radius, double degrees, double precession) {
  const double a = radians(degrees), h = 1e-3 / precession;
  SceneDescription scene = impulse_floor(3, material(5), h);
  const double thickness = 1e-4 * radius;
  BodyDescription disk = body("disk", cylinder(radius, thickness));
  disk.mass = 1;
  disk.inertia = Eigen::Vector3d(0.25, 0.25, 0.5).asDiagonal() * Eigen::Matrix3d::Identity() * radius * radius;
  // The lowest point of the rim lies towards +x.
  const Eigen::AngleAxisd tilt(a, Eigen::Vector3d::UnitY());
  const Eigen::Vector3d to_rim = tilt * Eigen::Vector3d(radius, 0, -0.5 * thickness),
                        axis = tilt * Eigen::Vector3d(0, 0, 1);
  disk.placement.orientation = tilt;
  disk.placement.position = {0, 0, -to_rim.z()};
  disk.angular_velocity = precession * (Eigen::Vector3d::UnitZ() - std::cos(a) * axis);
  scene.bodies.push_back(disk);
  Simulation sim(scene);
  const BodyId id = sim.find_body("disk");
  double turned = 0, before = 0, worst = 0;
  const auto heading = [&](const Eigen::Vector3d& n) { return std::atan2(n.y(), n.x()); };
  before = heading(axis);
  while (turned < 10 * M_PI && sim.time() < 20 * M_PI / precession) {
    sim.step();
    const Eigen::Vector3d n = sim.state(id).placement.orientation * Eigen::Vector3d::UnitZ();
    turned += std::remainder(heading(n) - before, 2 * M_PI), before = heading(n);
    worst = std::max(worst, std::abs(std::acos(n.z()) - a));
  }
  check_relative(name + "_precession", turned / sim.time(), precession, 0.01);
  check(name + "_tilt_drift_percent", 100 * worst / a, 0, 1);
}

TEST(ImpulseSpinning, B49EulersDisk) {
  check_disk("B49_10deg", 0.0375, 10, 77.6272);
  check_disk("B49_5deg", 0.0375, 5, 109.5723);
  check_disk("B49_15deg", 0.1, 15, 38.9373);
}

// The tippe top of the catalogue, on a belly R1 whose centre is a1 off the centre of mass, with a stem R2 at a2.
struct Top {
  static constexpr double R1 = 0.015, a1 = 0.003, R2 = 0.005, a2 = 0.016, I1 = 8e-7, I3 = 7e-7;
  Simulation sim;
  Top(double friction, double slip_speed, double h) : sim(scene(friction, slip_speed, h)) {}
  static SceneDescription scene(double friction, double slip_speed, double h) {
    SceneDescription scene = impulse_floor(3, material(friction), h);
    scene.model.options["slip_speed"] = slip_speed;
    BodyDescription top = body("top", sphere(R1));
    top.shapes.push_back(sphere(R2));
    top.shapes[0].placement.position = {0, 0, a1};
    top.shapes[1].placement.position = {0, 0, a2};
    top.mass = 6e-3, top.center_of_mass = Eigen::Vector3d::Zero();
    top.inertia = Eigen::Vector3d(I1, I1, I3).asDiagonal();
    top.placement.position = {0, 0, R1 - a1 * std::cos(0.1)};
    top.placement.orientation = Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitY());
    top.angular_velocity = 180 * Eigen::Vector3d(std::sin(0.1), 0, std::cos(0.1));
    scene.bodies.push_back(top);
    return scene;
  }
  BodyState state() const { return sim.state(sim.find_body("top")); }
  Eigen::Vector3d axis() const { return state().placement.orientation * Eigen::Vector3d::UnitZ(); }
  double jellett() const {
    const Eigen::Vector3d e = axis(), w = state().angular_velocity, l = I1 * w + (I3 - I1) * e.dot(w) * e;
    return R1 * l.z() - a1 * l.dot(e);
  }
};

// Times are of the equations of motion with this law of friction. The stem touches at (a2 − a1)·cos θ = R2 − R1.
TEST(ImpulseSpinning, B64TippeTopTurnsOver) {
  for (const auto& [friction, time] : {std::pair(0.3, 1.501), std::pair(0.1, 3.538)}) {
    Top top(friction, 0.01, 1e-4);
    const double start = top.jellett();
    double spin = 0, drift = 0;
    while (top.axis().z() > (Top::R2 - Top::R1) / (Top::a2 - Top::a1) + 1e-3 && top.sim.time() < 5) {
      spin = top.state().angular_velocity.z();
      drift = std::max(drift, std::abs(top.jellett() / start - 1));
      top.sim.step();
    }
    check_relative("B64_time", top.sim.time(), time, 0.01);
    check("B64_spin", spin, 117.6, 0.2);
    check("B64_drift_of_jellett", drift, 0, 1e-6);
  }
}
// With Coulomb's law at a point the slip ends within milliseconds, and a rolling top precesses on and on.
TEST(ImpulseSpinning, B64TippeTopThatRollsStaysUp) {
  Top top(0.3, 0, 1e-4);
  double lowest = 1;
  while (top.sim.time() < 5) {
    top.sim.step();
    lowest = std::min(lowest, top.axis().z());
  }
  check("B64_rolling_greatest_angle", std::acos(lowest), 0.1, 1e-3);
}

// Without contact the order is that of free_turn.h: a body of three different moments tumbles.
TEST(ImpulseSpinning, FreeRotationIsOfFourthOrder) {
  const auto tumble = [](const std::string& model, double h) {
    SceneDescription scene = impulse_scene(3, h);
    if (model == "free") scene.model = {}, scene.model.name = model, scene.integrator = Integrator::kRk4;
    BodyDescription b = body("body", box(0.5, 0.3, 0.2));
    b.angular_velocity = {3, 4, -2};
    scene.bodies = {b};
    Simulation sim(scene);
    run(sim, 1);
    return sim.state(sim.find_body("body"));
  };
  const BodyState exact = tumble("free", 1.0 / 2048);
  const auto error = [&](double h) {
    const BodyState s = tumble("impulse", h);
    return s.placement.orientation.angularDistance(exact.placement.orientation) +
           (s.angular_velocity - exact.angular_velocity).norm();
  };
  const double coarse = error(1.0 / 64), fine = error(1.0 / 128);  // shorter steps are down to rounding
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3) << "errors " << coarse << " and " << fine;
}

}  // namespace
}  // namespace touchstone::testing
