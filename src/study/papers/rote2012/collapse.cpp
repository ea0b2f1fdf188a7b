// 1000 steps of 5 × 5 bricks, and the state of least energy of flat ones: figures 2 and 11.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/picture/picture.h"
#include "models/gauss/flat_bricks.h"
#include "study/papers/rote2012/rote2012.h"

namespace touchstone::rote2012 {
namespace {

constexpr std::uint64_t kSteps = 1000, kQuickSteps = 100;
constexpr double kSnapshot = 1.2;     // figure 11 [s]; the paper does not say
constexpr double kMostEnergy = 1e-6;  // of the energy at the start
constexpr double kPaperTime = 300;    // "about 5 minutes" [s]

// How far any brick is from the mirror image of its partner [m, rad].
double asymmetry(const Simulation& simulation) {
  double worst = 0;
  const std::vector<BodyId> ids = simulation.bodies();
  for (const BodyId a : ids) {
    const BodyState x = simulation.state(a);
    double nearest = HUGE_VAL;
    for (const BodyId b : ids) {
      const BodyState y = simulation.state(b);
      nearest = std::min(nearest, std::abs(x.center_of_mass.x() + y.center_of_mass.x()) +
                                      std::abs(x.center_of_mass.y() - y.center_of_mass.y()) +
                                      std::abs(x.placement.angle + y.placement.angle));
    }
    worst = std::max(worst, nearest);
  }
  return worst;
}

struct Run {
  const char *label, *scene;
  std::vector<SceneOverride> overrides;
  double most_time;  // [s]
};

void run(const Run& r, bool draw, const PaperOptions& options, PaperStudy& study) {
  Simulation simulation(paper_scene(options, "rote2012", r.scene, r.overrides));
  const std::uint64_t steps = options.quick ? kQuickSteps : kSteps;
  double wall = 0, made = 0, certificate = 0, unconverged = 0;
  const double energy = simulation.report().energy();
  if (draw) draw_tower(simulation, "5 × 5 bricks [figure 2]", figure_path(options, "figure_2.png", study));
  const auto watch = [&](const StepReport& s) {
    wall += s.wall_time;
    made = std::max(made, s.energy_made());
    certificate = std::max(certificate, s.certificate);
    unconverged += s.status == StepStatus::kNotConverged;
    if (draw && std::abs(s.time - kSnapshot) < 0.5 * simulation.step_size())
      draw_tower(simulation, fmt::format("5 × 5 bricks after {:g} s [figure 11]", s.time),
                 figure_path(options, "figure_11.png", study));
    return false;
  };
  if (!advance(simulation, steps, options, r.label, study, watch)) return;
  const std::string name = fmt::format("{}: ", r.label);
  PaperRow time = options.quick ? row_info(name + "time of all steps", "s", {}, wall)
                                : row_at_most(name + "time of 1000 steps", "s", r.most_time, wall);
  time.expected = options.quick ? std::nullopt : std::optional(kPaperTime);
  time.source = "paper";
  study.rows.push_back(time);
  study.rows.push_back(row_at_most(name + "energy made", "of the start's", kMostEnergy, made / energy));
  study.rows.push_back(row_at_most(name + "steps that did not converge", "", 0, unconverged));
  study.rows.push_back(row_info(name + "worst certificate", "", {}, certificate));
  PaperRow mirror = row_info(name + "distance from its mirror image", "m, rad", {}, asymmetry(simulation));
  mirror.note = "the paper's is seen by eye";
  study.rows.push_back(mirror);
}

// Flat bricks as outlines: the lower side from end to end, and the thickness straight up.
void draw_flat(const std::vector<FlatBrick>& bricks, const FlatBricks& answer, double thickness,
               const std::string& path) {
  SceneDescription scene;
  scene.dimension = 2;
  scene.gravity.setZero();  // a picture only
  scene.model.name = "free";
  for (std::size_t i = 0; i < bricks.size(); ++i) {
    BodyDescription b;
    b.name = fmt::format("brick_{}", i + 1);
    const double l = bricks[i].left, r = bricks[i].right;
    b.shapes = {ShapeDescription::convex({{l, answer.left[i], 0},
                                          {r, answer.right[i], 0},
                                          {r, answer.right[i] + thickness, 0},
                                          {l, answer.left[i] + thickness, 0}})};
    scene.bodies.push_back(b);
  }
  draw_tower(Simulation(scene), "flat bricks where their energy is least [figure 2, right]", path);
}

}  // namespace

void collapse(const PaperOptions& options, PaperStudy& study) {
  run({"3 unknowns a brick", "diamond_5", {}, 2}, !options.figures.empty() && !options.quick, options, study);
  run({"9 points a brick", "diamond_5", {{"model.bodies", "\"nine_points\""}}, 10}, false, options, study);
  run({"4 corners a brick", "diamond_5_corners", {{"model.bodies", "\"corners\""}}, 10}, false, options, study);
}

void flat(const PaperOptions& options, PaperStudy& study) {
  const TowerOptions o;
  for (const int m : {4, 5}) {
    std::vector<FlatBrick> bricks;
    const TowerRows rows = diamond_rows(m, o);
    double level = 0;
    for (std::uint32_t r = 0; r < rows.size(); ++r)
      for (const double x : rows[r]) {
        bricks.push_back({x - 0.5 * o.width, x + 0.5 * o.width, o.mass, r});
        level += o.mass * o.gravity * r * o.height;
      }
    const FlatBricks answer = least_energy(bricks, o.height, o.gravity);
    const std::string name = fmt::format("diamond of {}: energy that it gives up by turning", m);
    // A tower that stands has no lower state beside it.
    study.rows.push_back(m == 4 ? row_at_most(name, "J", 1e-9, level - answer.energy)
                                : row_at_least(name, "J", 1e-3, level - answer.energy));
    if (m == 5 && !options.figures.empty())
      draw_flat(bricks, answer, o.height, figure_path(options, "figure_2_right.png", study));
  }
}

}  // namespace touchstone::rote2012
