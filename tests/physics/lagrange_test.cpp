// The model `lagrange`: constraint forces, collisions with joints, and the figures of thompson2003.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

SceneDescription lagrange_scene(int dimension, double h) {
  SceneDescription s = empty_scene(dimension, h);
  s.model.name = "lagrange";
  s.integrator = Integrator::kRk4;
  return s;
}

JointDescription pin(const std::string& a, const std::string& b, const Eigen::Vector3d& at) {
  JointDescription j;
  j.kind = JointKind::kHinge;
  j.body_a = a, j.body_b = b;
  j.point = at;
  return j;
}

BodyDescription rod(const std::string& name, const Eigen::Vector3d& middle, double angle) {
  BodyDescription b;
  b.name = name;
  b.placement = turned(2, angle, middle);
  set_inertia(b, 1, 1.0 / 12);
  return b;
}

// thompson2003, figure 3: a rectangle of 20 × 5 and mass 100, pinned 20 from its centre, starts level under a force of
// (0, 5), with a step of 1.
SceneDescription mason_pendulum(Integrator integrator) {
  SceneDescription s = lagrange_scene(2, 1);
  s.integrator = integrator;
  s.gravity.setZero();
  BodyDescription b;
  b.name = "pendulum";
  b.placement.position = {20, 0, 0};
  set_inertia(b, 100, 100 * (20.0 * 20 + 5.0 * 5) / 12);
  s.bodies = {b};
  s.joints = {pin("", "pendulum", Eigen::Vector3d::Zero())};
  SteadyForceDescription f;
  f.body = "pendulum", f.force = {0, 5, 0};
  s.forces = {f};
  return s;
}

// B51: its energy over m·g·d, that is 100, after 1000 steps.
TEST(Lagrange, B51EulerGainsWhatThePaperShowsAndRungeKuttaDoesNot) {
  const auto energy = [](Integrator integrator, int steps) {
    Simulation sim(mason_pendulum(integrator));
    const BodyId b = sim.find_body("pendulum");
    for (int k = 0; k < steps; ++k) sim.step();
    return (sim.report().kinetic_energy - 5 * sim.state(b).center_of_mass.y()) / 100;
  };
  EXPECT_LT(std::abs(energy(Integrator::kRk4, 1000)), 1e-6);
  // In the angle alone 1.3156 after 1000 steps. Here the bar is projected, too, and it turns over before that.
  EXPECT_GT(energy(Integrator::kExplicitEuler, 300), 0.2);
}

TEST(Lagrange, B51Period) {
  Simulation sim(mason_pendulum(Integrator::kRk4));
  const BodyId b = sim.find_body("pendulum");
  std::vector<double> turns;  // times at which it is level at the start's side and turns back
  double before = 0;
  for (int k = 0; k < 1000; ++k) {
    sim.step();
    const double now = sim.state(b).angular_velocity.z();
    if (before < 0 && now >= 0) turns.push_back(sim.time() - now / (now - before));
    before = now;
  }
  ASSERT_GE(turns.size(), 5u);
  EXPECT_NEAR((turns.back() - turns.front()) / static_cast<double>(turns.size() - 1), 154.753, 0.01);
}

// B52: a rod and a point, let go at 90°.
TEST(Lagrange, B52PendulumsAtRightAngles) {
  for (const bool point : {false, true}) {
    SceneDescription s = lagrange_scene(2, 1e-3);
    BodyDescription b = rod("bob", {point ? 1.0 : 0.5, 0, 0}, 0);
    if (point) set_inertia(b, 1, 1e-9);
    s.bodies = {b};
    s.joints = {pin("", "bob", Eigen::Vector3d::Zero())};
    Simulation sim(s);
    const BodyId id = sim.find_body("bob");
    double before = 0, found = 0;
    while (found == 0 && sim.time() < 3) {
      sim.step();
      const double now = sim.state(id).angular_velocity.z();
      if (before > 0 && now <= 0) found = sim.time() - 1e-3 * now / (now - before);
      before = now;
    }
    EXPECT_NEAR(2 * found / (point ? 2.367842 : 1.933335), sim.time() > 1.5 ? 2 : 1, 1e-4) << point;
  }
}

// B53: the double pendulum of rods, with angles from the vertical.
TEST(Lagrange, B53DoublePendulum) {
  SceneDescription s = lagrange_scene(2, 1e-3);
  s.bodies = {rod("a", {0.5, 0, 0}, 0), rod("b", {1.5, 0, 0}, 0)};
  s.joints = {pin("", "a", Eigen::Vector3d::Zero()), pin("a", "b", {1, 0, 0})};
  Simulation sim(s);
  const BodyId a = sim.find_body("a"), b = sim.find_body("b");
  const auto angle = [&](BodyId id) { return sim.state(id).placement.angle + std::numbers::pi / 2; };
  for (int k = 0; k < 500; ++k) sim.step();
  EXPECT_NEAR(angle(a), 0.448143, 1e-5);
  EXPECT_NEAR(angle(b), 1.041963, 1e-5);
  for (int k = 0; k < 500; ++k) sim.step();
  EXPECT_NEAR(angle(a), -1.207716, 1e-5);
  EXPECT_NEAR(angle(b), -0.814391, 1e-5);
}

// B57: a point of 1 kg at (0, −1) on a rod of 1 m, at 2 m/s: λ = −13.81 along its position, m·(g + v²/l).
TEST(Lagrange, B57MultiplierOfAPendulum) {
  SceneDescription s = lagrange_scene(2, 1e-6);
  s.bodies = {rod("bob", {0, -1, 0}, 0)};
  s.bodies[0].velocity = {2, 0, 0};
  JointDescription j;
  j.kind = JointKind::kDistance;
  j.body_b = "bob";
  j.point_a = Eigen::Vector3d::Zero(), j.point_b = Eigen::Vector3d::Zero();
  s.joints = {j};
  Simulation sim(s);
  sim.step();
  EXPECT_NEAR(sim.joint(0).impulse.y() / 1e-6, kGravity + 4, 1e-4);
}

// B22: a point of 1 kg at 1 m/s hits the free end of the first of two rods that are pinned to each other. All together,
// and by the equations of the paper.
TEST(Lagrange, B22JointsAreLegalAfterACollision) {
  for (const char* impacts : {"simultaneous", "pairwise"}) {
    SceneDescription s = lagrange_scene(2, 1e-3);
    s.model.options["impacts"] = std::string(impacts);
    s.gravity.setZero();
    s.materials = {material(0, 1)};
    BodyDescription ball = body("a", sphere(0.05), {0, 0.2, 0});
    set_inertia(ball, 1, 1);
    ball.velocity = {0, -1, 0};
    BodyDescription b = rod("b", {0.5, 0, 0}, 0), c = rod("c", {1.5, 0, 0}, 0);
    b.shapes = {box(1, 0.02)};
    s.bodies = {ball, b, c};
    s.joints = {pin("b", "c", {1, 0, 0})};
    Simulation sim(s);
    while (sim.time() < 0.3) sim.step();
    const auto state = [&](const char* name) { return sim.state(sim.find_body(name)); };
    EXPECT_NEAR(state("a").velocity.y(), -5.0 / 9, 1e-9);
    // The rods turn on until 0.3 s; momentum and energy stay.
    EXPECT_NEAR(state("b").velocity.y() + state("c").velocity.y(), -4.0 / 9, 1e-9);
    EXPECT_NEAR(sim.report().kinetic_energy, 0.5, 1e-9);
    EXPECT_LT(sim.joint(0).position_error, 1e-8);
  }
}

// Circles and rectangles, frictionless and elastic, between walls.
SceneDescription collisions(int columns, int rows, double h, unsigned seed) {
  SceneDescription s = lagrange_scene(2, h);
  s.gravity.setZero();
  s.materials = {material(0, 1)};
  const double cell = 60, w = cell * columns, l = cell * rows;
  s.bodies = {fixed("low", box(w + 20, 10), {w / 2, -5, 0}), fixed("high", box(w + 20, 10), {w / 2, l + 5, 0}),
              fixed("left", box(10, l + 20), {-5, l / 2, 0}), fixed("right", box(10, l + 20), {w + 5, l / 2, 0})};
  std::mt19937 bits(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      BodyDescription b = body(fmt::format("body_{}_{}", i, j), (i + j) % 2 ? sphere(7) : box(14, 7),
                               {(i + 0.5) * cell + 5 * u(bits), (j + 0.5) * cell + 5 * u(bits), 0});
      b.density = 1;
      b.velocity = {u(bits), u(bits), 0};
      s.bodies.push_back(b);
    }
  return s;
}

void expect_energy_kept(int columns, int rows, int steps, const char* impacts = "simultaneous") {
  SceneDescription s = collisions(columns, rows, 1, 1);
  s.model.options["impacts"] = std::string(impacts);
  Simulation sim(s);
  const double start = sim.report().kinetic_energy;
  double worst = 0;
  std::int64_t hits = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport& r = sim.step();
    worst = std::max(worst, std::abs(r.kinetic_energy / start - 1));
    hits += r.collisions;
    ASSERT_EQ(r.status, StepStatus::kOk) << r.reason;
  }
  EXPECT_LT(worst, 1e-9);
  EXPECT_GT(hits, steps / 10);
}

TEST(Lagrange, ElasticCollisionsKeepTheEnergy) { expect_energy_kept(5, 4, 1000); }
TEST(Lagrange, PairwiseImpactsKeepItToo) { expect_energy_kept(5, 4, 1000, "pairwise"); }
TEST(LongLagrange, AHundredBodiesKeepTheirEnergyForTenThousandSteps) { expect_energy_kept(10, 10, 10'000); }

// Without walls: momentum and angular momentum of all bodies, to rounding, however many collisions there were.
TEST(Lagrange, CollisionsKeepMomentum) {
  SceneDescription s = collisions(6, 6, 1, 3);
  s.bodies.erase(s.bodies.begin(), s.bodies.begin() + 4);
  const Eigen::Vector3d middle(180, 180, 0);
  for (BodyDescription& b : s.bodies) b.velocity = (middle - b.placement.position) / 100;  // they meet
  Simulation sim(s);
  const Eigen::Vector3d p = sim.report().momentum, l = sim.report().angular_momentum;
  const double scale = 36 * 98.0;
  std::int64_t hits = 0;
  for (int k = 0; k < 200; ++k) hits += sim.step().collisions;
  EXPECT_GT(hits, 30);
  EXPECT_LT((sim.report().momentum - p).norm() / scale, 1e-12 * static_cast<double>(hits));
  EXPECT_LT((sim.report().angular_momentum - l).norm() / (scale * 180), 1e-12 * static_cast<double>(hits));
}

// robots.md, "Other demos": a free box and a pinned pair. The public engine more than doubles the energy.
SceneDescription pinned_boxes() {
  SceneDescription s = collisions(4, 4, 1, 1);
  s.bodies.resize(4);
  const auto add = [&](const char* name, double x, double y, double w, double l, double v) {
    BodyDescription b = body(name, box(w, l), {x, y, 0});
    b.density = 1;
    b.velocity = {v, v, 0};
    s.bodies.push_back(b);
  };
  add("free", 60, 60, 10, 20, 1), add("first", 120, 120, 20, 10, 0.5), add("second", 140, 120, 20, 10, 0.5);
  s.joints = {pin("first", "second", {130, 120, 0})};
  return s;
}

TEST(Lagrange, PinnedBoxesKeepTheirEnergyForTenThousandSteps) {
  Simulation sim(pinned_boxes());
  const double start = sim.report().kinetic_energy;
  double worst = 0, open = 0;
  std::int64_t hits = 0;
  for (int k = 0; k < 10'000; ++k) {
    hits += sim.step().collisions;
    worst = std::max(worst, std::abs(sim.report().kinetic_energy / start - 1));
    open = std::max(open, sim.joint(0).position_error);
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_LT(open, 1e-8);
  EXPECT_GT(hits, 50);
}

// Halving and regula falsi find the same collisions.
TEST(Lagrange, BothWaysToTheTimeOfImpactAgree) {
  const auto height = [](const char* method) {
    SceneDescription s = lagrange_scene(2, 0.05);
    s.model.options["time_of_impact"] = std::string(method);
    s.materials = {material(0, 0.8)};
    s.bodies = {fixed("floor", half_space({0, 1, 0})), body("ball", sphere(0.1), {0, 1.1, 0})};
    Simulation sim(s);
    while (sim.time() < 2) sim.step();
    return sim.state(sim.find_body("ball")).center_of_mass.y();
  };
  // Exact: bounces at t₀ = √(2/g), then every 0.8ᵏ·2·t₀.
  const double t0 = std::sqrt(2 / kGravity);
  double t = t0, v = 0.8 * kGravity * t0;
  while (t + 2 * v / kGravity < 2) t += 2 * v / kGravity, v *= 0.8;
  const double exact = 0.1 + v * (2 - t) - 0.5 * kGravity * (2 - t) * (2 - t);
  EXPECT_NEAR(height("regula_falsi"), exact, 2e-5);
  EXPECT_NEAR(height("binary_search"), exact, 2e-5);
}

// A ball that would be past a thin wall at the end of the step.
TEST(Lagrange, NothingPassesThroughAThinWall) {
  for (const int dimension : {2, 3}) {
    SceneDescription s = lagrange_scene(dimension, 1);
    s.gravity.setZero();
    s.materials = {material(0, 1)};
    s.bodies = {fixed("wall", dimension == 2 ? box(0.001, 4) : box(0.001, 4, 4)),
                body("ball", sphere(0.1), {-5, 0, 0})};
    s.bodies[1].velocity = {20, 0, 0};
    Simulation sim(s);
    sim.step();
    const auto state = sim.state(sim.find_body("ball"));
    EXPECT_NEAR(state.velocity.x(), -20, 1e-9);
    EXPECT_NEAR(state.center_of_mass.x(), -0.1005 - (20 - 4.8995), 1e-4);
  }
}

// What the document's public engine leaves out: contacts at rest. A stack stands, and a block on a slope sticks.
TEST(Lagrange, BlocksRest) {
  for (const int dimension : {2, 3}) {
    SceneDescription s = lagrange_scene(dimension, 1e-3);
    s.bodies = {fixed("floor", half_space(up(dimension)))};
    for (int k = 0; k < 5; ++k)
      s.bodies.push_back(
          body(fmt::format("block_{}", k), dimension == 2 ? box(1, 1) : box(1, 1, 1), (k + 0.5) * up(dimension)));
    Simulation sim(s);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(sim.step().status, StepStatus::kOk) << sim.report().reason;
    for (int k = 0; k < 5; ++k) {
      const auto state = sim.state(sim.find_body(fmt::format("block_{}", k)));
      EXPECT_LT((state.center_of_mass - (k + 0.5) * up(dimension)).norm(), 1e-6) << k;
    }
    EXPECT_LT(sim.report().kinetic_energy, 1e-12);
  }
}

// The order of convergence: four with Runge and Kutta, one with Euler, for the double pendulum.
TEST(Lagrange, OrdersOfConvergence) {
  const auto angle_after = [](Integrator integrator, double h) {
    SceneDescription s = lagrange_scene(2, h);
    s.integrator = integrator;
    s.model.options["energy_tolerance"] = 1.0;  // no substeps
    s.bodies = {rod("a", {0.5, 0, 0}, 0), rod("b", {1.5, 0, 0}, 0)};
    s.joints = {pin("", "a", Eigen::Vector3d::Zero()), pin("a", "b", {1, 0, 0})};
    Simulation sim(s);
    const int steps = static_cast<int>(std::lround(0.5 / h));
    for (int k = 0; k < steps; ++k) sim.step();
    return sim.state(sim.find_body("b")).placement.angle;
  };
  for (const auto& [integrator, order] :
       {std::pair(Integrator::kRk4, 4.0), std::pair(Integrator::kSemiImplicitEuler, 1.0)}) {
    const double a = angle_after(integrator, 0.02), b = angle_after(integrator, 0.01),
                 c = angle_after(integrator, 0.005);
    EXPECT_NEAR(std::log2(std::abs((a - b) / (b - c))), order, 0.35);
  }
}

// Feedback as the document has it lets a joint drift a little; projection does not.
TEST(Lagrange, StabilisationIsAChoice) {
  const auto open = [](const char* stabilisation) {
    SceneDescription s = mason_pendulum(Integrator::kRk4);
    s.model.options["stabilisation"] = std::string(stabilisation);
    Simulation sim(s);
    double worst = 0;
    for (int k = 0; k < 1000; ++k) {
      sim.step();
      worst = std::max(worst, sim.joint(0).position_error);
    }
    return worst;
  };
  EXPECT_LT(open("projection"), 1e-8);
  EXPECT_LT(open("feedback"), 1e-3);
  EXPECT_GT(open("none"), 10 * open("projection"));
}

// Two pins at one place hold as one does.
TEST(Lagrange, CoincidentPinsMoveAsOne) {
  const auto angle = [](int pins, const char* solver) {
    SceneDescription s = lagrange_scene(2, 1e-3);
    s.model.options["solver"] = std::string(solver);
    s.bodies = {rod("a", {0.5, 0, 0}, 0), rod("b", {1.5, 0, 0}, 0)};
    s.joints = {pin("", "a", Eigen::Vector3d::Zero())};
    for (int k = 0; k < pins; ++k) s.joints.push_back(pin("a", "b", {1, 0, 0}));
    Simulation sim(s);
    for (int k = 0; k < 300; ++k) sim.step();
    return sim.state(sim.find_body("b")).placement.angle;
  };
  const double one = angle(1, "cholesky");
  for (const char* solver : {"cholesky", "cg", "bicg"}) EXPECT_NEAR(angle(2, solver), one, 1e-9) << solver;
}

// A motor reaches its speed and a limit stops it.
TEST(Lagrange, MotorsAndLimits) {
  SceneDescription s = lagrange_scene(2, 1e-3);
  s.gravity.setZero();
  s.bodies = {rod("arm", {0.5, 0, 0}, 0)};
  s.joints = {pin("", "arm", Eigen::Vector3d::Zero())};
  s.joints[0].motor_speed = 2, s.joints[0].motor_max_force = 1;
  s.joints[0].upper = 1.5;
  Simulation sim(s);
  const BodyId arm = sim.find_body("arm");
  // I = 1/3 about the pin: 1 N·m takes 2/3 s to 2 rad/s, and 2/3 rad.
  for (int k = 0; k < 333; ++k) sim.step();
  EXPECT_NEAR(sim.state(arm).angular_velocity.z(), 3 * 0.333, 1e-9);
  while (sim.time() < 0.9) sim.step();
  EXPECT_NEAR(sim.state(arm).angular_velocity.z(), 2, 1e-6);
  while (sim.time() < 2) sim.step();
  EXPECT_NEAR(sim.state(arm).placement.angle, 1.5, 2e-6);
  EXPECT_NEAR(sim.state(arm).angular_velocity.z(), 0, 1e-6);
}

}  // namespace
}  // namespace touchstone::testing
