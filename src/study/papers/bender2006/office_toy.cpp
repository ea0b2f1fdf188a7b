// The office toy: five balls on threads, k of them let go. Newton's law from pair to pair sends the last k away with
// the speed of the first k; all at once it would not.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/plot/plot.h"
#include "study/papers/bender2006/bender2006.h"

namespace touchstone::bender2006 {
namespace {

constexpr std::size_t kBalls = 5;
constexpr double kLength = 0.2, kLift = 0.5;  // of the pendulums, as in the scenes [m], [rad]
constexpr double kGravity = 9.81;             // [m/s²]
constexpr double kSpeedTolerance = 1e-4;      // relative: gravity changes a speed by half of this within the step
constexpr double kMostEnergy = 1e-6;          // relative to the energy of the swing
constexpr std::int64_t kCollisions = 1000;
constexpr std::uint64_t kMostSteps = 1'000'000;

class OfficeToy {
 public:
  OfficeToy(const PaperOptions& options, std::size_t released)
      : released_(released), simulation_(scene_of(options, fmt::format("office_toy_{}", released))) {
    for (std::size_t i = 0; i < kBalls; ++i) balls_[i] = simulation_.find_body(fmt::format("ball_{}", i + 1));
    const double lifted = simulation_.mass(balls_[0]) * kGravity * kLength * (1 - std::cos(kLift));
    swing_ = static_cast<double>(released) * lifted;
    start_ = simulation_.report().energy();
    for (std::size_t i = 0; i < kBalls; ++i) swings_[i].label = fmt::format("ball {}", i + 1);
    energy_.label = fmt::format("{} let go", released);
  }

  bool run(const PaperOptions& options, PaperStudy& study) {
    const std::int64_t wanted = options.quick ? kCollisions / 20 : kCollisions;
    return advance(simulation_, kMostSteps, options, fmt::format("office toy {}", released_), study,
                   [&](const StepReport& r) { return watch(r) >= wanted; });
  }

  void add_rows(PaperStudy& study) const {
    const std::string name = fmt::format("{} let go: ", released_);
    study.rows.push_back(row_near(name + "speed before the impact", "m/s",
                                  std::sqrt(2 * kGravity * kLength * (1 - std::cos(kLift))), 1e-3, before_));
    study.rows.push_back(row_near(name + "slowest of the last, over that", "", 1, kSpeedTolerance, slowest_ / before_));
    study.rows.push_back(row_near(name + "fastest of the last, over that", "", 1, kSpeedTolerance, fastest_ / before_));
    study.rows.push_back(row_at_most(name + "fastest of the others, over that", "", kSpeedTolerance, left_ / before_));
    study.rows.push_back(row_at_most(name + "energy, drift at turning points", "", kMostEnergy, drift_));
    study.rows.push_back(row_info(name + "energy, greatest error in a swing", "", {}, worst_));
    study.rows.push_back(row_info(name + "collisions", "", {}, static_cast<double>(collisions_)));
  }

  void draw(const PaperOptions& options, PaperStudy& study) const {
    Plot plot{fmt::format("Office toy: {} of 5 let go", released_), "time [s]", "displacement [m]", {}};
    plot.series.assign(swings_.begin(), swings_.end());
    draw_plot(plot, figure_path(options, fmt::format("office_toy_{}.png", released_), study));
  }
  const PlotSeries& energy() const { return energy_; }

 private:
  std::int64_t watch(const StepReport& r) {
    std::array<double, kBalls> speed{};
    for (std::size_t i = 0; i < kBalls; ++i) {
      const BodyState s = simulation_.state(balls_[i]);
      speed[i] = s.velocity.norm();
      if (r.time <= 3) swings_[i].x.push_back(r.time), swings_[i].y.push_back(s.center_of_mass.x());
    }
    if (collisions_ == 0 && r.collisions > 0) {
      const auto last = speed.end() - static_cast<std::ptrdiff_t>(released_);
      slowest_ = *std::min_element(last, speed.end());
      fastest_ = *std::max_element(last, speed.end());
      left_ = *std::max_element(speed.begin(), last);
    } else if (collisions_ == 0) {
      before_ = speed[0];
    }
    collisions_ += r.collisions;
    const double error = (r.energy() - start_) / swing_;
    worst_ = std::max(worst_, std::abs(error));
    // The scheme's error comes and goes with the speed; where all hang still, as at the start, only what is lost is
    // left.
    const bool turning = kinetic_ < before_kinetic_ && kinetic_ <= r.kinetic_energy;
    if (turning) drift_ = std::max(drift_, std::abs(last_error_));
    before_kinetic_ = kinetic_, kinetic_ = r.kinetic_energy, last_error_ = error;
    if (r.step % 100 == 0) energy_.x.push_back(r.time), energy_.y.push_back(error);
    return collisions_;
  }

  std::size_t released_;
  Simulation simulation_;
  std::array<BodyId, kBalls> balls_{};
  double swing_ = 0, start_ = 0;                                                                          // [J]
  double before_ = std::nan(""), slowest_ = std::nan(""), fastest_ = std::nan(""), left_ = std::nan("");  // [m/s]
  double worst_ = 0, drift_ = 0, last_error_ = 0;
  double kinetic_ = 0, before_kinetic_ = 0;  // of the last two steps [J]
  std::int64_t collisions_ = 0;
  std::array<PlotSeries, kBalls> swings_;
  PlotSeries energy_;
};

}  // namespace

void office_toy(const PaperOptions& options, PaperStudy& study) {
  Plot energies{"Office toy: error of the energy", "time [s]", "error, over the energy of the swing", {}};
  for (const std::size_t released : {1u, 2u, 3u}) {
    OfficeToy toy(options, released);
    if (!toy.run(options, study)) return;
    toy.add_rows(study);
    energies.series.push_back(toy.energy());
    if (!options.figures.empty() && released == 2) toy.draw(options, study);
  }
  if (!options.figures.empty()) draw_plot(energies, figure_path(options, "office_toy_energy.png", study));
}

}  // namespace touchstone::bender2006
