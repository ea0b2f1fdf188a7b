// Blocks on slopes, against x = v0²/(2a), a = g·(μ·cos α − sin α), and the creep of those that have stopped.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/plot/plot.h"
#include "study/papers/bender2006/bender2006.h"

namespace touchstone::bender2006 {
namespace {

constexpr double kGravity = 9.81;         // [m/s²], as in the scenes
constexpr double kMostCreep = 1e-9;       // [m/s]
constexpr double kSettled = 0.05;         // after the time that stopping takes by the formula, before creep counts [s]
constexpr double kAcceleration = 1e-3;    // of those that go on, relative
constexpr double kAccelerationTime = 1.;  // over which that is measured [s]

struct Slope {
  int degrees;
  double speed;                  // at the start [m/s]
  std::vector<double> friction;  // of its blocks
};
const Slope kSlopes[] = {{10, 3, {0.1, 0.3, 0.5}}, {15, 2, {0.2, 0.4, 0.6}}, {20, 2, {0.2, 0.5, 0.7}}};

struct Block {
  BodyId body;
  double friction = 0, acceleration = 0;  // down the slope, by the formula [m/s²]
  Eigen::Vector3d start, stopped;
  double stopped_at = 0;  // [s]
  double gained = std::nan("");
  PlotSeries speed;
};

class InclineRun {
 public:
  InclineRun(const Slope& slope, int dimension, const PaperOptions& options)
      : slope_(slope),
        label_(fmt::format("{}° {}D", slope.degrees, dimension)),
        simulation_(scene_of(options, fmt::format("incline_{}_{}d", slope.degrees, dimension))) {
    const double angle = slope.degrees * std::numbers::pi / 180, s = std::sin(angle), c = std::cos(angle);
    down_ = dimension == 2 ? Eigen::Vector3d(c, -s, 0) : Eigen::Vector3d(c, 0, -s);
    for (const double mu : slope.friction) {
      Block b;
      b.body = simulation_.find_body(fmt::format("block_{:g}", mu));
      b.friction = mu;
      b.acceleration = kGravity * (s - mu * c);
      b.start = simulation_.state(b.body).center_of_mass;
      b.speed.label = fmt::format("{}, μ = {:g}", label_, mu);
      blocks_.push_back(b);
    }
  }

  bool run(const PaperOptions& options, PaperStudy& study) {
    const double rest = options.quick ? 5 : 60;
    double longest = kAccelerationTime;
    for (const Block& b : blocks_)
      if (b.acceleration < 0) longest = std::max(longest, -slope_.speed / b.acceleration + kSettled);
    const auto steps = static_cast<std::uint64_t>(std::ceil((longest + rest) / simulation_.step_size()));
    return advance(simulation_, steps, options, label_, study, [this](const StepReport& r) {
      watch(r.time);
      return false;
    });
  }

  void add_rows(PaperStudy& study) const {
    // The scheme is of first order: in a step of constant deceleration it may be wrong by v·h/2.
    const double tolerance = slope_.speed * simulation_.step_size();
    for (const Block& b : blocks_) {
      const std::string name = fmt::format("{}, μ = {:g}: ", label_, b.friction);
      if (b.acceleration > 0) {
        study.rows.push_back(row_near(name + "acceleration", "m/s²", b.acceleration, kAcceleration * b.acceleration,
                                      b.gained / kAccelerationTime));
        continue;
      }
      const Eigen::Vector3d end = simulation_.state(b.body).center_of_mass;
      const double formula = -slope_.speed * slope_.speed / (2 * b.acceleration);
      const double rest = simulation_.time() - b.stopped_at;
      study.rows.push_back(
          row_near(name + "stopping distance", "m", formula, tolerance, down_.dot(b.stopped - b.start)));
      study.rows.push_back(row_at_most(name + fmt::format("creep in {:.0f} s", rest), "m/s", kMostCreep,
                                       (end - b.stopped).norm() / rest));
    }
  }

  void add_series(Plot& plot) const {
    for (const Block& b : blocks_) plot.series.push_back(b.speed);
  }

 private:
  void watch(double time) {
    for (Block& b : blocks_) {
      const BodyState state = simulation_.state(b.body);
      const double speed = down_.dot(state.velocity);
      if (time < 2 && simulation_.step_count() % 10 == 0) b.speed.x.push_back(time), b.speed.y.push_back(speed);
      if (b.acceleration > 0 && std::abs(time - kAccelerationTime) < 0.5 * simulation_.step_size())
        b.gained = speed - slope_.speed;
      if (b.acceleration < 0 && b.stopped_at == 0 && time > -slope_.speed / b.acceleration + kSettled)
        b.stopped_at = time, b.stopped = state.center_of_mass;
    }
  }

  const Slope& slope_;
  std::string label_;
  Simulation simulation_;
  Eigen::Vector3d down_;
  std::vector<Block> blocks_;
};

}  // namespace

void inclines(const PaperOptions& options, PaperStudy& study) {
  Plot plot;
  plot.title = "Blocks on slopes: those above tan α stop and stay";
  plot.x_label = "time [s]";
  plot.y_label = "speed down the slope [m/s]";
  for (const Slope& slope : kSlopes) {
    for (const int dimension : {2, 3}) {
      InclineRun run(slope, dimension, options);
      if (!run.run(options, study)) return;
      run.add_rows(study);
      if (dimension == 3) run.add_series(plot);
    }
    if (options.quick) break;
  }
  if (!options.figures.empty()) draw_plot(plot, figure_path(options, "inclines.png", study));
}

}  // namespace touchstone::bender2006
