// One contact at h = 0.04 s with a tolerance of 1e-6 m: how often the loop goes round, and what gap it leaves.
#include <algorithm>
#include <cmath>

#include "study/papers/bender2006/bender2006.h"

namespace touchstone::bender2006 {
namespace {

constexpr double kTolerance = 1e-6;  // [m]

}  // namespace

void one_contact(const PaperOptions& options, PaperStudy& study) {
  for (const char* body : {"rod", "box"}) {
    const SceneDescription scene = scene_of(options, std::string("one_contact_") + body);
    Simulation simulation(scene);
    const BodyId floor = simulation.find_body("floor"), moving = simulation.find_body(body);
    double sum = 0, most = 0, gap = 0, depth = 0, steps = 0;
    const auto watch = [&](const StepReport& r) {
      if (r.contacts != 1) return r.contacts > 1;  // it has fallen over
      const double iterations = static_cast<double>(r.iterations);
      sum += iterations, most = std::max(most, iterations), ++steps;
      const double now = simulation.closest_points(floor, moving)->gap;
      gap = std::max(gap, now), depth = std::max(depth, -now);
      return false;
    };
    const auto count = static_cast<std::uint64_t>(std::llround(scene.duration / scene.step));
    if (!advance(simulation, count, options, body, study, watch)) return;
    const std::string name = std::string(body) + ": ";
    study.rows.push_back(row_at_least(name + "steps with one contact", "", 3, steps));
    study.rows.push_back(row_at_most(name + "iterations, most", "a step", 2, most));
    study.rows.push_back(row_info(name + "iterations, mean", "a step", {}, sum / std::max(steps, 1.0)));
    study.rows.push_back(row_at_most(name + "depth after a step, most", "m", kTolerance, depth));
    study.rows.push_back(row_at_most(name + "gap after a step, most", "m", kTolerance, gap));
  }
}

}  // namespace touchstone::bender2006
