// Single impacts, one solve each: the bodies touch at the start, and the step is too short for them to move.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/papers/thompson2003/thompson2003.h"

namespace touchstone::thompson2003 {
namespace {

constexpr double kStep = 1e-9, kSame = 1e-8;

class Impact {
 public:
  Impact(const PaperOptions& options, const char* scene, const char* touching)
      : simulation_(scene_of(options, scene,
                             {{"simulation.step", fmt::format("{}", kStep)}, {"body.ball.position", touching}})),
        momentum_(simulation_.report().momentum),
        turning_(simulation_.report().angular_momentum) {
    simulation_.step();
  }

  BodyState state(const char* body) const { return simulation_.state(simulation_.find_body(body)); }
  const Simulation& simulation() const { return simulation_; }

  // How much momentum and angular momentum (about the origin, over 1 m) it has made of what there was.
  double made() const {
    const StepReport& r = simulation_.report();
    return std::max((r.momentum - momentum_).norm(), (r.angular_momentum - turning_).norm()) / momentum_.norm();
  }

 private:
  Simulation simulation_;
  Eigen::Vector3d momentum_, turning_;
};

class Rows {
 public:
  Rows(std::string name, PaperStudy& study) : name_(std::move(name)), study_(study) {}
  void near(const char* what, const char* unit, double expected, double ours) {
    study_.rows.push_back(row_near(name_ + what, unit, expected, kSame, ours));
  }
  void conserves(const Impact& impact) {
    study_.rows.push_back(row_at_most(name_ + "momentum made, relative", "", 1e-12, impact.made()));
  }

 private:
  std::string name_;
  PaperStudy& study_;
};

// Eqs 16-24: J = 2·m·v/(1 + 1 + 12·(L/2)²/L²) = 0.4·m·v.
void free_rod(const PaperOptions& options, PaperStudy& study) {
  const Impact impact(options, "rod_impact", "[0, 0.06]");
  Rows rows("end of a free rod: ", study);
  rows.near("velocity of the ball", "m/s", -0.6, impact.state("ball").velocity.y());
  rows.near("velocity of the rod", "m/s", -0.4, impact.state("rod").velocity.y());
  rows.near("rate of the rod", "rad/s", 2.4, impact.state("rod").angular_velocity.z());
  rows.conserves(impact);
}

// Eqs 47-54.
void jointed_rods(const PaperOptions& options, PaperStudy& study) {
  const Impact impact(options, "jointed_rods", "[0, 0.06]");
  Rows rows("end of two jointed rods: ", study);
  const BodyState b = impact.state("rod_b"), c = impact.state("rod_c");
  rows.near("velocity of the ball", "m/s", -5.0 / 9, impact.state("ball").velocity.y());
  rows.near("velocity of rod B", "m/s", -5.0 / 9, b.velocity.y());
  rows.near("rate of rod B", "rad/s", 2, b.angular_velocity.z());
  rows.near("velocity of rod C", "m/s", 1.0 / 9, c.velocity.y());
  rows.near("rate of rod C", "rad/s", -2.0 / 3, c.angular_velocity.z());
  rows.near("impulse of the pin on C", "N·s", 1.0 / 9, impact.simulation().joint(0).impulse.y());
  rows.near("kinetic energy", "J", 0.5, impact.simulation().report().kinetic_energy);
  study.rows.push_back(row_at_most("end of two jointed rods: velocity at which the pin opens", "m/s", 1e-10,
                                   impact.simulation().joint(0).velocity_error));
  rows.conserves(impact);
}

// What the paper leaves to the future: friction turns the ball. At these numbers it sticks: v_t = 2/3 of what it was.
void cushion(const PaperOptions& options, PaperStudy& study) {
  const Impact impact(options, "cushion", "[0, 0.1]");
  const double in = std::sqrt(0.5), out = 2.0 / 3 * in;
  Rows rows("billiard ball on the cushion: ", study);
  const BodyState ball = impact.state("ball");
  rows.near("velocity along it", "m/s", out, ball.velocity.x());
  rows.near("velocity away from it", "m/s", 0.9 * in, ball.velocity.y());
  rows.near("speed of its rim by the spin", "m/s", out, 0.1 * std::abs(ball.angular_velocity.z()));
}

}  // namespace

void impacts(const PaperOptions& options, PaperStudy& study) {
  free_rod(options, study);
  jointed_rods(options, study);
  cushion(options, study);
}

}  // namespace touchstone::thompson2003
