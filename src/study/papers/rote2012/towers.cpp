// First accelerations of towers (program (Q)) by reduced coordinates and by points, and which towers stand.
#include <fmt/format.h>

#include <cmath>

#include "models/gauss/framework_motion.h"
#include "study/papers/rote2012/rote2012.h"

namespace touchstone::rote2012 {
namespace {

constexpr double kGravity = 9.81, kSame = 1e-8;  // [m/s²]; relative
constexpr double kStill = 1e-8;                  // [m/s²]

enum class Bodies { kReduced, kNinePoints, kCorners };
constexpr Bodies kAll[] = {Bodies::kReduced, Bodies::kNinePoints, Bodies::kCorners};
const char* name_of(Bodies b) {
  return b == Bodies::kReduced ? "3 unknowns" : b == Bodies::kNinePoints ? "9 points" : "4 corners";
}

// I/(m·w²) of a brick.
double inertia(Bodies bodies, const TowerOptions& o) {
  const double ratio = o.height / o.width, sum = 1 + ratio * ratio;
  return sum / (bodies == Bodies::kCorners ? 4 : 12);
}

// Upward accelerations of the bricks, in their order [m/s²].
std::vector<double> first_rates(const SceneDescription& scene, Bodies bodies) {
  std::vector<double> out;
  if (bodies == Bodies::kReduced) {
    Simulation simulation(scene);
    simulation.step();
    for (std::size_t i = 1; i < scene.bodies.size(); ++i)
      out.push_back(simulation.state(simulation.find_body(scene.bodies[i].name)).velocity.y() / simulation.step_size());
    return out;
  }
  const TowerFramework tower =
      tower_framework(scene, bodies == Bodies::kCorners ? BrickPoints::kCorners : BrickPoints::kNine, true);
  MotionOptions options;
  options.form = MotionForm::kAccelerations;
  FrameworkMotion motion(tower.framework, options);
  QpAnswer answer;
  const std::vector<Vec<2>>& a = motion.accelerate(answer);
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const Vec<2>* corner = &a[tower.first[i]];
    out.push_back(0.25 * (corner[0] + corner[1] + corner[2] + corner[3]).y());
  }
  return out;
}

void add(PaperStudy& study, const std::string& what, Bodies bodies, double expected, double ours) {
  PaperRow row =
      row_near(fmt::format("{}, {}", what, name_of(bodies)), "g", expected, kSame * std::abs(expected), ours);
  row.source = "formula";
  study.rows.push_back(row);
}

}  // namespace

void accelerations(const PaperOptions&, PaperStudy& study) {
  const TowerOptions o;
  const double thick = o.height * o.height / (4 * o.width * o.width);  // of I/(m·w²), where sides of bricks touch
  for (const Bodies bodies : kAll) {
    const double i = inertia(bodies, o), s = 0.1;
    add(study, "a brick 0.1 m past the edge", bodies, -s * s / (i + s * s),
        first_rates(tower_scene({{s}}, o, true), bodies)[0] / kGravity);
    add(study, "triangle of 3 rows, top middle", bodies, 1 / (3 + 16 * (i + thick)),
        first_rates(tower_scene(triangle_rows(3, o), o), bodies)[4] / kGravity);
    add(study, "diamond of 5 rows, top", bodies, 6 / (134 + 296 * (i + thick)),
        first_rates(tower_scene(diamond_rows(5, o), o), bodies).back() / kGravity);
  }
}

void stability(const PaperOptions&, PaperStudy& study) {
  const TowerOptions o;
  const auto fastest = [&](const TowerRows& rows) {
    double most = 0;
    for (const double a : first_rates(tower_scene(rows, o), Bodies::kReduced)) most = std::max(most, std::abs(a));
    return most;
  };
  for (int m = 1; m <= 6; ++m) {
    const std::string name = fmt::format("diamond of {}: fastest acceleration", m);
    const double a = fastest(diamond_rows(m, o));
    study.rows.push_back(m <= 4 ? row_at_most(name, "m/s²", kStill, a) : row_at_least(name, "m/s²", 0.1, a));
  }
  for (int m = 1; m <= 4; ++m) {
    const std::string name = fmt::format("triangle of {}: fastest acceleration", m);
    const double a = fastest(triangle_rows(m, o));
    study.rows.push_back(m <= 2 ? row_at_most(name, "m/s²", kStill, a) : row_at_least(name, "m/s²", 0.1, a));
  }
}

// A bar of two masses that turns with 1 rad/s, in steps of 0.01 s.
void lengths(const PaperOptions&, PaperStudy& study) {
  for (const LengthForm form : {LengthForm::kLast, LengthForm::kStart}) {
    Framework<2> bar;
    bar.start = {{-0.5, 0}, {0.5, 0}};
    bar.mass = {1, 1};
    bar.bars = {{0, 1, 1.0}};
    MotionOptions options;
    options.lengths = form;
    options.dt = 0.01;
    options.g.setZero();
    FrameworkMotion motion(bar, options);
    const std::vector<Vec<2>> turning = {{0, -0.5}, {0, 0.5}};
    motion.set_velocities(turning);
    for (int k = 0; k < 1000; ++k) motion.step();
    const double length = (motion.positions()[1] - motion.positions()[0]).norm();
    const bool last = form == LengthForm::kLast;
    // (L') takes (ωΔt)² from the square of the length in each step while the angular momentum stays: L⁴ = 1 − 2·n·(Δt)²
    // with L = ω = 1 at the start, up to terms of higher order.
    study.rows.push_back(
        last ? row_near("length after 1000 steps by (L')", "m", std::pow(1 - 2 * 1000 * 1e-4, 0.25), 5e-5, length)
             : row_near("length after 1000 steps by (L'')", "m", 1 + 0.5e-4, 1e-8, length));
  }
}

}  // namespace touchstone::rote2012
