// One contact at h = 0.04 s with a tolerance of 1e-6 m: how often the loop goes round.
#include <algorithm>

#include "study/papers/bender2006/bender2006.h"

namespace touchstone::bender2006 {
namespace {

constexpr double kTolerance = 1e-6;  // [m]

}  // namespace

void one_contact(const PaperOptions& options, PaperStudy& study) {
  for (const char* body : {"rod", "box"}) {
    const SceneDescription scene = scene_of(options, std::string("one_contact_") + body);
    Simulation simulation(scene);
    simulation.set_yardstick(true);
    double sweeps = 0, most = 0, depth = 0, steps = 0;
    const auto watch = [&](const StepReport& r) {
      if (r.contacts > 1) return true;  // it has fallen over
      if (r.contacts < 1) return false;
      const double each = static_cast<double>(r.iterations);
      sweeps += each, most = std::max(most, each), ++steps;
      depth = std::max({depth, r.max_penetration, r.measures.penetration.worst});
      return false;
    };
    const auto count = static_cast<std::uint64_t>(scene.duration / scene.step + 0.5);
    if (!advance(simulation, count, options, body, study, watch)) return;
    const std::string name = std::string(body) + ": ";
    study.rows.push_back(row_at_least(name + "steps with one contact", "", 3, steps));
    study.rows.push_back(row_at_most(name + "iterations, most", "a step", 2, most));
    study.rows.push_back(row_info(name + "iterations, mean", "a step", {}, sweeps / std::max(steps, 1.0)));
    study.rows.push_back(row_at_most(name + "penetration at the end of a step", "m", kTolerance, depth));
  }
}

}  // namespace touchstone::bender2006
