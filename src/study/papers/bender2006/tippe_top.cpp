// The tippe top of R. I. Leine and Ch. Glocker (2003). Letters: e its axis, towards the stem; k up; θ between them.
// Whatever the friction, the gliding sphere keeps Jellett's integral J = R1·L·k − a1·L·e.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/plot/plot.h"
#include "study/papers/bender2006/bender2006.h"

namespace touchstone::bender2006 {
namespace {

constexpr double kR1 = 0.015, kA1 = 0.003, kR2 = 0.005, kA2 = 0.016;  // as in the scenes [m]
constexpr double kI1 = 8e-7, kI3 = 7e-7;                              // [kg·m²]
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kAngleTolerance = 0.1;                            // [°]
constexpr double kMostDrift = 1e-4;                                // of Jellett's integral, relative
constexpr double kSpinLow = 117.5 - 0.1, kSpinHigh = 117.7 + 0.1;  // reference, and 0.1 % [rad/s]
constexpr double kTimePart = 0.01;                                 // of the time of stem contact
constexpr std::uint32_t kStem = 1;                                 // place among the top's shapes

struct TopState {
  double theta, spin, jellett;  // [rad], ω·k [rad/s], J
};

TopState look(const BodyState& s) {
  const Eigen::Vector3d e = s.placement.orientation * Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d l = kI1 * s.angular_velocity + (kI3 - kI1) * e.dot(s.angular_velocity) * e;
  return {std::acos(std::clamp(e.z(), -1.0, 1.0)), s.angular_velocity.z(), kR1 * l.z() - kA1 * l.dot(e)};
}

bool on_stem(const Simulation& simulation) {
  const BodyId top = simulation.find_body("top");
  for (std::size_t i = 0; i < simulation.contact_count(); ++i) {
    const ContactReport c = simulation.contact(i);
    if ((c.body_a == top && c.shape_a == kStem) || (c.body_b == top && c.shape_b == kStem)) return true;
  }
  return false;
}

}  // namespace

void tippe_top(const PaperOptions& options, PaperStudy& study) {
  Plot plot{"Tippe top: angle of the axis", "time [s]", "θ [°]", {}};
  const double stem_angle = std::acos(-(kR1 - kR2) / (kA2 - kA1)) / kDegree;
  // When the stem touches, of the equations of motion with the scenes' law of friction [s].
  for (const auto& [mu, reference] : {std::pair(0.2, 1.848), std::pair(0.3, 1.501), std::pair(0.1, 3.538)}) {
    const SceneDescription scene = scene_of(options, fmt::format("tippe_top_{:g}", mu));
    Simulation simulation(scene);
    const BodyId top = simulation.find_body("top");
    const TopState start = look(simulation.state(top));
    TopState last = start, stem{std::nan(""), std::nan(""), 0};
    double stem_time = std::nan(""), drift = 0, depth = 0, greatest = 0;
    PlotSeries series;
    series.label = fmt::format("μ = {:g}", mu);
    const auto watch = [&](const StepReport& r) {
      const TopState now = look(simulation.state(top));
      depth = std::max(depth, r.max_penetration);
      greatest = std::max(greatest, now.theta / kDegree);
      if (r.step % 200 == 0) series.x.push_back(r.time), series.y.push_back(now.theta / kDegree);
      if (!std::isnan(stem_time)) return options.quick;
      if (on_stem(simulation)) stem = last, stem_time = r.time;  // before the stem pushes
      drift = std::max(drift, std::abs(last.jellett / start.jellett - 1));
      last = now;
      return false;
    };
    const auto steps = static_cast<std::uint64_t>(std::llround(scene.duration / scene.step));
    if (!advance(simulation, steps, options, fmt::format("tippe top {:g}", mu), study, watch)) return;
    const std::string name = fmt::format("μ = {:g}: ", mu);
    study.rows.push_back(row_near(name + "θ at stem contact", "°", stem_angle, kAngleTolerance, stem.theta / kDegree));
    study.rows.push_back(row_between(name + "ω_z at stem contact", "rad/s", kSpinLow, kSpinHigh, stem.spin));
    study.rows.push_back(row_at_most(name + "drift of Jellett's integral", "", kMostDrift, drift));
    study.rows.push_back(row_near(name + "time of stem contact", "s", reference, kTimePart * reference, stem_time));
    study.rows.push_back(row_info(name + "greatest penetration, of the model", "m", {}, depth));
    if (!options.quick) study.rows.push_back(row_at_least(name + "greatest θ", "°", 170, greatest));
    plot.series.push_back(series);
    if (options.quick) break;
  }
  if (!options.figures.empty()) draw_plot(plot, figure_path(options, "tippe_top.png", study));
}

}  // namespace touchstone::bender2006
