// 1000 cubes through the funnel: figures 3 and 4.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/plot/plot.h"
#include "study/papers/bender2006/bender2006.h"

namespace touchstone::bender2006 {
namespace {

constexpr double kTolerance = 1e-4;             // of the paper and of the scene [m]
constexpr double kShare = 5;                    // within this factor of the paper's mean counts
constexpr std::uint64_t kJudgeEvery = 10;       // steps whose penetration is measured anew, by the yardstick
constexpr double kPictureTimes[] = {1.5, 3.5};  // [s]

struct Totals {
  double collisions = 0, resting = 0, wall = 0;
  double depth_model = 0, depth_judged = 0;
  std::int64_t most_collisions = 0, most_resting = 0, not_converged = 0, timed = 0;
};

// Means over windows of `kWindow` steps: single steps are too many to draw.
class Curve {
 public:
  Curve(std::string label) { series.label = std::move(label); }
  void add(double time, double value) {
    sum_ += value;
    if (++count_ < kWindow) return;
    series.x.push_back(time);
    series.y.push_back(sum_ / kWindow);
    sum_ = 0, count_ = 0;
  }
  PlotSeries series;

 private:
  static constexpr int kWindow = 20;
  double sum_ = 0;
  int count_ = 0;
};

void draw(const PaperOptions& options, const Curve& collisions, const Curve& resting, const Curve& wall,
          PaperStudy& study) {
  Plot counts{"Cubes through a funnel: contacts a step [figure 4]", "time [s]", "number", {}};
  counts.series = {collisions.series, resting.series};
  draw_plot(counts, figure_path(options, "funnel_contacts.png", study));
  Plot times{"Cubes through a funnel: time of a step [figure 4]", "time [s]", "wall time of a step [ms]", {}};
  times.series = {wall.series};
  draw_plot(times, figure_path(options, "funnel_times.png", study));
}

}  // namespace

void funnel(const PaperOptions& options, PaperStudy& study) {
  std::vector<SceneOverride> overrides;
  if (options.quick) overrides = {{"body.cube.repeat.count", "[5, 5, 4]"}};
  const SceneDescription scene = scene_of(options, "funnel", overrides);
  Simulation simulation(scene);
  simulation.set_threads(options.threads);
  const auto steps = static_cast<std::uint64_t>(options.quick ? 2500 : std::llround(scene.duration / scene.step));
  Totals t;
  Curve collisions("collisions"), resting("resting contacts"), wall("all of the step");
  const auto watch = [&](const StepReport& r) {
    t.collisions += static_cast<double>(r.collisions), t.resting += static_cast<double>(r.resting);
    if (r.measures.measured)  // the yardstick takes time of its own
      t.depth_judged = std::max(t.depth_judged, r.measures.penetration.worst);
    else
      t.wall += r.wall_time, ++t.timed, wall.add(r.time, 1e3 * r.wall_time);
    simulation.set_yardstick((r.step + 1) % kJudgeEvery == 0);
    t.most_collisions = std::max(t.most_collisions, r.collisions);
    t.most_resting = std::max(t.most_resting, r.resting);
    t.depth_model = std::max(t.depth_model, r.max_penetration);
    t.not_converged += r.status == StepStatus::kNotConverged;
    collisions.add(r.time, static_cast<double>(r.collisions));
    resting.add(r.time, static_cast<double>(r.resting));
    if (options.figures.empty() || options.quick) return false;
    for (const double time : kPictureTimes)
      if (std::abs(r.time - time) < 0.5 * scene.step)
        draw_now(simulation, fmt::format("1000 cubes through a funnel: t = {:g} s", time),
                 figure_path(options, fmt::format("funnel_{:g}s.png", time), study));
    return false;
  };
  if (!advance(simulation, steps, options, "funnel", study, watch)) return;
  const double n = static_cast<double>(steps);
  const auto count_row = [&](const char* name, double paper, double ours) {
    PaperRow row = row_info(name, "a step", options.quick ? std::nullopt : std::optional(paper), ours);
    // The paper does not say how the cubes begin, so that only the order of magnitude can be asked for.
    if (!options.quick) row.low = paper / kShare, row.high = paper * kShare;
    study.rows.push_back(row);
  };
  count_row("collisions, mean", 41, t.collisions / n);
  study.rows.push_back(row_info("collisions, most", "a step", {}, static_cast<double>(t.most_collisions)));
  count_row("resting contacts, mean", 426, t.resting / n);
  study.rows.push_back(row_info("resting contacts, most", "a step", {}, static_cast<double>(t.most_resting)));
  study.rows.push_back(row_at_most("greatest penetration, of the model", "m", kTolerance, t.depth_model));
  PaperRow judged = row_at_most("greatest penetration, measured anew", "m", kTolerance, t.depth_judged);
  judged.note = fmt::format("in every {}th step", kJudgeEvery);
  study.rows.push_back(judged);
  study.rows.push_back(row_info("steps that did not converge", "", {}, static_cast<double>(t.not_converged)));
  PaperRow time = row_info("time, mean", "ms/step", options.quick ? std::nullopt : std::optional(3.09 + 6.30),
                           1e3 * t.wall / static_cast<double>(t.timed));
  time.note = "the paper's on a Pentium 4 of 3.4 GHz, without detection";
  study.rows.push_back(time);
  if (!options.figures.empty()) draw(options, collisions, resting, wall, study);
}

}  // namespace touchstone::bender2006
