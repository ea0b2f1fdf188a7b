#pragma once
// B55: N four-bar linkages in a row (IFToMM's benchmark A02): N + 1 rods of 1 m and 1 kg stand on pins 1 m apart, N
// rods join their tops, and these move at 1 m/s at the start. Twice a turn all rods lie in one line, where the
// constraints lose rank and the linkage could fold another way; it has to go through on the branch of parallel rods.
#include <fmt/format.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {

// angle: of the standing rods from the right, counter-clockwise; speed: of their tops, to the right where they stand.
inline SceneDescription four_bars(int dimension, int n, double h, double angle = std::numbers::pi / 2,
                                  double speed = 1) {
  SceneDescription scene = empty_scene(dimension, h);
  const auto at = [&](double x, double y) { return in_plane(dimension, x, y); };
  const Eigen::Vector3d along = at(std::cos(angle), std::sin(angle)), across = at(std::sin(angle), -std::cos(angle));
  const auto rod = [&](const std::string& name, const Eigen::Vector3d& middle, double turn,
                       const Eigen::Vector3d& velocity) {
    BodyDescription b;  // without a shape: nothing collides
    b.name = name;
    b.placement = turned(dimension, turn, middle);
    b.velocity = velocity;
    set_inertia(b, 1, 1.0 / 12);
    scene.bodies.push_back(b);
  };
  const auto pin = [&](const std::string& a, const std::string& b, const Eigen::Vector3d& point) {
    JointDescription j;
    j.kind = JointKind::kHinge;
    j.name = a + "_" + b;
    j.body_a = a, j.body_b = b;
    j.point = point;
    if (dimension == 3) j.axis = turn_axis(3);
    scene.joints.push_back(j);
  };
  for (int i = 0; i <= n; ++i) {
    rod(fmt::format("rod_{}", i), at(i, 0) + 0.5 * along, angle, 0.5 * speed * across);
    scene.bodies.back().angular_velocity = -speed * turn_axis(dimension);
    pin("", fmt::format("rod_{}", i), at(i, 0));
  }
  for (int i = 0; i < n; ++i) {
    rod(fmt::format("top_{}", i), at(i + 0.5, 0) + along, 0, speed * across);
    pin(fmt::format("rod_{}", i), fmt::format("top_{}", i), at(i, 0) + along);
    pin(fmt::format("top_{}", i), fmt::format("rod_{}", i + 1), at(i + 1, 0) + along);
  }
  return scene;
}

// One turn of the one coordinate θ: ½·M·θ'² + G·cos θ = ½·M + G with M = n + (n+1)/3 and G = (n + (n+1)/2)·g, so that
// T = ∫ dθ/√(1 + 2·(G/M)·(1 − cos θ)). The trapezoidal rule converges at once: the integrand is periodic.
inline double four_bar_period(int n) {
  const double mass = n + (n + 1) / 3.0, weight = (n + (n + 1) / 2.0) * kGravity;
  constexpr int kPoints = 20'000;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i)
    sum += 1 / std::sqrt(1 + 2 * weight / mass * (1 - std::cos(2 * std::numbers::pi * i / kPoints)));
  return sum * 2 * std::numbers::pi / kPoints;
}

struct FourBarRun {
  double period = 0;            // [s], over all turns
  int turns = 0;                // whole ones
  double energy = 0, open = 0;  // the worst deviation over 2·G, which is twice the height's [J/J]; opening [m or rad]
};

// Steps of a linkage until `time`; stops at the first error.
inline FourBarRun run_four_bars(Simulation& sim, int dimension, int n, double time) {
  FourBarRun out;
  const BodyId rod = sim.find_body("rod_0");
  const double start = sim.report().energy(), scale = 2 * (n + (n + 1) / 2.0) * kGravity;
  double before = 0, turned_by = 0;
  std::vector<double> tops;  // times at which it stands again
  while (sim.time() < time) {
    sim.step();
    const BodyState s = sim.state(rod);
    const double now = std::remainder(turn_of(dimension, s) - std::numbers::pi / 2, 2 * std::numbers::pi);
    turned_by += std::remainder(now - before, 2 * std::numbers::pi);
    const double next = 2 * std::numbers::pi * static_cast<double>(tops.size() + 1);
    if (turned_by <= -next) tops.push_back(sim.time() - (-turned_by - next) / s.angular_velocity.norm());
    before = now;
    out.energy = std::max(out.energy, std::abs(sim.report().energy() - start) / scale);
    for (std::size_t j = 0; j < sim.joint_count(); ++j) out.open = std::max(out.open, sim.joint(j).position_error);
  }
  out.turns = static_cast<int>(tops.size());
  if (out.turns > 0) out.period = tops.back() / out.turns;
  return out;
}

}  // namespace touchstone::testing
