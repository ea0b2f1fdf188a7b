// Bodies that collide between four walls without friction and loss, free or pinned to each other: what becomes of their
// energy and momentum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/papers/thompson2003/thompson2003.h"

namespace touchstone::thompson2003 {
namespace {

constexpr std::uint64_t kSteps = 10'000, kQuickSteps = 500, kPicture = 100;
constexpr double kElastic = 1e-9, kPinned = 1e-6;  // energy, relative
constexpr double kMomentum = 1e-12;                // an impact, relative to the momenta that it changes

struct Watched {
  double energy = 0, momentum = 0, joint = 0;  // the worst of all steps
  double collisions = 0, unconverged = 0;
};

// What the walls gave to the bodies in the last step [N·s], and the sum of all impulses' sizes.
Eigen::Vector3d from_walls(const Simulation& simulation, double& sizes) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  sizes = 0;
  for (std::size_t i = 0; i < simulation.contact_count(); ++i) {
    const ContactReport c = simulation.contact(i);
    sizes += c.impulse.norm();
    if (std::isinf(simulation.mass(c.body_a))) sum += c.impulse;
    if (std::isinf(simulation.mass(c.body_b))) sum -= c.impulse;
  }
  return sum;
}

// Returns whether the run came to its end.
bool watch(Simulation& simulation, std::uint64_t steps, const std::string& label, const PaperOptions& options,
           PaperStudy& study, Watched& worst, const std::function<void()>& each = {}) {
  const double energy = simulation.report().kinetic_energy;
  Eigen::Vector3d momentum = simulation.report().momentum;
  return advance(simulation, steps, options, label, study, [&](const StepReport& r) {
    double sizes = 0;
    const Eigen::Vector3d walls = from_walls(simulation, sizes);
    if (sizes > 0) worst.momentum = std::max(worst.momentum, (r.momentum - momentum - walls).norm() / sizes);
    momentum = r.momentum;
    worst.energy = std::max(worst.energy, std::abs(r.kinetic_energy / energy - 1));
    worst.joint = std::max(worst.joint, joint_error(simulation));
    worst.collisions += static_cast<double>(r.collisions);
    worst.unconverged += r.status != StepStatus::kOk;
    if (each) each();
    return false;
  });
}

void add_energy(const std::string& name, double bound, std::optional<double> demo, const Watched& worst,
                PaperStudy& study) {
  PaperRow row = row_at_most(name + ": kinetic energy, greatest change", "", bound, worst.energy);
  study.rows.push_back(demo ? beside_demo(row, *demo) : row);
  study.rows.push_back(row_at_most(name + ": steps that did not converge", "", 0, worst.unconverged));
}

}  // namespace

void collisions(const PaperOptions& options, PaperStudy& study) {
  const std::uint64_t steps = options.quick ? kQuickSteps : kSteps;
  const std::vector<SceneOverride> hundred{{"body.circle.scatter.count", "50"}, {"body.rectangle.scatter.count", "50"}};
  {
    Simulation simulation(scene_of(options, "collisions", hundred));
    simulation.set_threads(options.threads);
    Watched worst;
    const auto draw = [&] {
      if (simulation.step_count() == kPicture && !options.figures.empty())
        draw_now(simulation, "collisions [figure 1]", figure_path(options, "figure_1.png", study));
    };
    if (!watch(simulation, steps, "collisions", options, study, worst, draw)) return;
    const std::string name = fmt::format("100 bodies, {} steps", steps);
    add_energy(name, kElastic, 0.3, worst, study);
    study.rows.push_back(
        row_at_most(name + ": momentum that a step makes, over its impulses", "", kMomentum, worst.momentum));
  }
  // The model that is made after the paper, with the demo's own step, in which bodies move by their size.
  std::vector<SceneOverride> own = hundred;
  own.insert(own.end(), {{"model.name", "lagrange"}, {"simulation.integrator", "rk4"}, {"simulation.step", "1"}});
  Simulation simulation(scene_of(options, "collisions", own));
  simulation.set_threads(options.threads);
  Watched worst;
  const std::uint64_t of_one = options.quick ? 50 : kSteps;
  if (!watch(simulation, of_one, "collisions, lagrange", options, study, worst)) return;
  const std::string name = fmt::format("the same by lagrange, {} steps of 1 s", of_one);
  add_energy(name, kElastic, 0.3, worst, study);
  study.rows.push_back(
      row_at_most(name + ": momentum that a step makes, over its impulses", "", kMomentum, worst.momentum));
  study.rows.push_back(row_at_least(name + ": collisions", "", 1, worst.collisions));
}

void pinned_boxes(const PaperOptions& options, PaperStudy& study) {
  const std::uint64_t steps = options.quick ? kQuickSteps : kSteps;
  const SceneDescription scene = scene_of(options, "pinned_boxes");
  Simulation simulation(scene);
  Watched worst;
  const auto draw = [&] {
    if (simulation.step_count() == kPicture && !options.figures.empty())
      draw_now(simulation, "boxes that are pinned to each other", figure_path(options, "pinned_boxes.png", study),
               &scene);
  };
  if (!watch(simulation, steps, "pinned boxes", options, study, worst, draw)) return;
  const std::string name = fmt::format("{} steps of 1 s", steps);
  add_energy(name, kPinned, 1.0, worst, study);
  study.rows.push_back(row_at_most(name + ": greatest opening of the joint", "m", kJointError, worst.joint));
  study.rows.push_back(row_at_least(name + ": collisions", "", 1, worst.collisions));

  Simulation pairs(scene_of(options, "collisions_pinned"));
  pairs.set_threads(options.threads);
  Watched many;
  if (!watch(pairs, steps, "pinned pairs", options, study, many)) return;
  const std::string of_pairs = fmt::format("6 pairs and 6 circles by ncp, {} steps", steps);
  study.rows.push_back(row_info(of_pairs + ": kinetic energy, greatest change", "", {}, many.energy));
  study.rows.push_back(row_at_most(of_pairs + ": greatest opening of a joint", "m", kJointError, many.joint));
}

}  // namespace touchstone::thompson2003
