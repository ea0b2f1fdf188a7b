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

}  // namespace
}  // namespace touchstone::testing
