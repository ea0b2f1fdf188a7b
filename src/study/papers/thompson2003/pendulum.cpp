// The pendulum of the paper's public demo under three integrators, against the same methods on its angle alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/plot/plot.h"
#include "study/papers/thompson2003/thompson2003.h"

namespace touchstone::thompson2003 {
namespace {

constexpr std::uint64_t kSteps = 1000, kEulerSteps = 300;  // it turns over later, ever faster, until its pin opens
// As in the scene: mass, force, sides, distance of the centre from the pin, step.
constexpr double kMass = 100, kForce = 5, kLength = 20, kWidth = 5, kArm = 20, kStep = 1;
constexpr double kInertia = kMass * (kLength * kLength + kWidth * kWidth) / 12 + kMass * kArm * kArm;  // about the pin

// The angle φ of the centre as seen from the pin: I·φ'' = −F·d·cos φ. It starts level, on the left.
struct AngleState {
  double angle = std::numbers::pi, rate = 0;
};
double acceleration(double angle) { return -kForce * kArm * std::cos(angle) / kInertia; }
AngleState rate_of(const AngleState& s) { return {s.rate, acceleration(s.angle)}; }
AngleState moved(const AngleState& s, const AngleState& rate, double h) {
  return {s.angle + h * rate.angle, s.rate + h * rate.rate};
}
double energy(const AngleState& s) {  // over F·d
  return 0.5 * kInertia * s.rate * s.rate / (kForce * kArm) + std::sin(s.angle);
}

AngleState advanced(const AngleState& s, Integrator integrator) {  // eqs 11-13
  const double h = kStep;
  if (integrator == Integrator::kExplicitEuler) return moved(s, rate_of(s), h);
  if (integrator == Integrator::kSemiImplicitEuler) {
    const double rate = s.rate + h * acceleration(s.angle);
    return {s.angle + h * rate, rate};
  }
  const AngleState k1 = rate_of(s), k2 = rate_of(moved(s, k1, h / 2)), k3 = rate_of(moved(s, k2, h / 2)),
                   k4 = rate_of(moved(s, k3, h));
  return moved(
      s, {(k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle) / 6, (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate) / 6},
      h);
}

AngleState after_all(Integrator integrator) {
  AngleState s;
  for (std::uint64_t k = 0; k < kSteps; ++k) s = advanced(s, integrator);
  return s;
}

struct Swing {
  double energy = 0, angle = 0;  // at the end: over F·d; [rad]
  double highest = 0;            // of the centre, above the pin [m]
  double opening = 0;            // of the pin [m]
  std::vector<double> turns;     // times at which it turns round on the left [s]
  PlotSeries height;
  bool finished = false;
};

Swing swing(const char* integrator, std::uint64_t steps, const PaperOptions& options, PaperStudy& study, bool picture) {
  const SceneDescription scene =
      scene_of(options, "pendulum", {{"simulation.integrator", fmt::format("\"{}\"", integrator)}});
  Simulation simulation(scene);
  const BodyId bar = simulation.find_body("bar");
  Swing out;
  out.height.label = integrator;
  double rate = 0;
  bool drawn = !picture;
  out.finished =
      advance(simulation, steps, options, fmt::format("pendulum, {}", integrator), study, [&](const StepReport& r) {
        const BodyState s = simulation.state(bar);
        const double y = s.center_of_mass.y(), before = rate;
        rate = s.angular_velocity.z();
        if (before < 0 && rate >= 0) out.turns.push_back(r.time - kStep * rate / (rate - before));
        out.energy = (r.kinetic_energy + kForce * y) / (kForce * kArm);
        out.angle = s.placement.angle;
        out.opening = std::max(out.opening, joint_error(simulation));
        out.height.x.push_back(r.time), out.height.y.push_back(y);
        out.highest = std::max(out.highest, y);
        if (drawn || y < kArm / 2 || s.center_of_mass.x() < 0) return false;
        draw_now(simulation, fmt::format("pendulum by Euler's method after {:g} s [figure 3]", r.time),
                 figure_path(options, "figure_3.png", study), &scene);
        drawn = true;
        return false;
      });
  return out;
}

void add_angle_alone(PaperStudy& study) {
  struct Method {
    const char* name;
    Integrator integrator;
    double expected, tolerance;
  };
  // What follows from the methods and the numbers of the demo alone.
  for (const Method& m : {Method{"explicit Euler", Integrator::kExplicitEuler, 1.3156, 1e-4},
                          Method{"semi-implicit Euler", Integrator::kSemiImplicitEuler, 0.0068, 1e-4},
                          Method{"RK4", Integrator::kRk4, -9.9e-8, 1e-9}})
    study.rows.push_back(row_near(fmt::format("angle alone, {}: energy after 1000 steps", m.name), "F·d", m.expected,
                                  m.tolerance, energy(after_all(m.integrator))));
}

}  // namespace

void pendulum(const PaperOptions& options, PaperStudy& study) {
  add_angle_alone(study);
  const bool draws = !options.figures.empty();
  const Swing euler = swing("explicit_euler", kEulerSteps, options, study, draws);
  const Swing symplectic = swing("semi_implicit_euler", kSteps, options, study, false);
  const Swing rk4 = swing("rk4", kSteps, options, study, false);
  if (!euler.finished || !symplectic.finished || !rk4.finished) return;
  const double period = 4 * std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(kInertia / (kForce * kArm));
  const double swings = static_cast<double>(rk4.turns.size()) - 1;
  study.rows.push_back(row_near("rk4: period", "s", period, 0.01,
                                swings < 1 ? std::nan("") : (rk4.turns.back() - rk4.turns.front()) / swings));
  study.rows.push_back(row_at_most("rk4: energy after 1000 steps, size", "F·d", 1e-6, std::abs(rk4.energy)));
  study.rows.push_back(row_at_most("rk4: highest above the pin", "m", 1e-6 * kArm, rk4.highest));
  study.rows.push_back(row_near("rk4: angle turned after 1000 steps, as of the angle alone", "rad",
                                after_all(Integrator::kRk4).angle - std::numbers::pi, 1e-5, rk4.angle));
  study.rows.push_back(
      row_at_most("semi_implicit_euler: energy after 1000 steps, size", "F·d", 0.05, std::abs(symplectic.energy)));
  PaperRow gain = row_at_least("explicit_euler, 300 steps: highest above the pin", "m", 0.1 * kArm, euler.highest);
  gain.note = "figure 3: \"quickly gains energy\"";
  study.rows.push_back(gain);
  study.rows.push_back(row_info("explicit_euler, 300 steps: energy", "F·d", {}, euler.energy));
  study.rows.push_back(row_at_most("any: greatest opening of the pin", "m", kJointError,
                                   std::max({euler.opening, symplectic.opening, rk4.opening})));
  if (!draws) return;
  draw_plot({"Pendulum let go level: height of its centre",
             "time [s]",
             "height above the pin [m]",
             {euler.height, symplectic.height, rk4.height}},
            figure_path(options, "pendulum_heights.png", study));
}

}  // namespace touchstone::thompson2003
