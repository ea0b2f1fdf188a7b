#include "joints/steps.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "programs/processor_time.h"
#include "touchstone/touchstone.h"

namespace touchstone::bench {
namespace {

SceneDescription plane_scene() {
  SceneDescription s;
  s.dimension = 2;
  s.step = 1e-3;
  s.gravity = {0, -9.81, 0};
  s.integrator = Integrator::kRk4;
  s.model.name = "lagrange";
  return s;
}

void add_rod(SceneDescription& s, const std::string& name, const Eigen::Vector3d& middle, double angle) {
  BodyDescription b;
  b.name = name;
  b.placement.position = middle;
  b.placement.angle = angle;
  b.mass = 1;
  b.inertia = Eigen::Matrix3d::Identity() / 12;
  s.bodies.push_back(b);
}

void add_pin(SceneDescription& s, const std::string& a, const std::string& b, const Eigen::Vector3d& at) {
  JointDescription j;
  j.kind = JointKind::kHinge;
  j.body_a = a, j.body_b = b;
  j.point = at;
  s.joints.push_back(j);
}

SceneDescription chain(int links) {
  SceneDescription s = plane_scene();
  for (int k = 0; k < links; ++k) {
    add_rod(s, fmt::format("link_{}", k), {k + 0.5, 0, 0}, 0);
    add_pin(s, k == 0 ? "" : fmt::format("link_{}", k - 1), fmt::format("link_{}", k), {1.0 * k, 0, 0});
  }
  return s;
}

SceneDescription four_bars(int n) {
  SceneDescription s = plane_scene();
  for (int i = 0; i <= n; ++i) {
    add_rod(s, fmt::format("rod_{}", i), {1.0 * i, 0.5, 0}, std::numbers::pi / 2);
    s.bodies.back().velocity = {0.5, 0, 0}, s.bodies.back().angular_velocity = {0, 0, -1};
    add_pin(s, "", fmt::format("rod_{}", i), {1.0 * i, 0, 0});
  }
  for (int i = 0; i < n; ++i) {
    add_rod(s, fmt::format("top_{}", i), {i + 0.5, 1, 0}, 0);
    s.bodies.back().velocity = {1, 0, 0};
    add_pin(s, fmt::format("rod_{}", i), fmt::format("top_{}", i), {1.0 * i, 1, 0});
    add_pin(s, fmt::format("top_{}", i), fmt::format("rod_{}", i + 1), {i + 1.0, 1, 0});
  }
  return s;
}

SceneDescription scene_of(const std::string& name) {
  if (name.starts_with("chain_")) return chain(std::stoi(name.substr(6)) / 2);
  if (name.starts_with("four_bars_")) return four_bars(std::stoi(name.substr(10)));
  SceneDescription s = load_scene(TOUCHSTONE_SOURCE_DIR "/scenes/" + name + ".toml");
  s.model = {"lagrange", {}};
  return s;
}

}  // namespace

const std::vector<std::string>& step_scenes() {
  static const std::vector<std::string> names{"chain_100",   "chain_300",    "chain_1000",   "chain_3000", "chain_10000",
                                              "four_bars_1", "four_bars_10", "four_bars_40", "car"};
  return names;
}

StepRow measure_steps(const std::string& name) {
  constexpr double kLong = 2;  // [s]
  Simulation sim(scene_of(name));
  StepRow out;
  out.bodies = sim.slot_count();
  for (std::size_t j = 0; j < sim.joint_count(); ++j) out.rows += name == "car" ? 5 : 2;
  sim.step();
  const std::int64_t most = name == "car" ? 2200 : 1000;
  const double start = processor_time();
  while (out.steps < most && (out.steps < 3 || name == "car" || processor_time() - start < kLong)) {
    out.not_converged += sim.step().status != StepStatus::kOk;
    ++out.steps;
  }
  out.seconds = (processor_time() - start) / static_cast<double>(out.steps);
  return out;
}

}  // namespace touchstone::bench
