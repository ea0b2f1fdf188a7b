// The yardstick through the public face, on worlds of the penalty model.
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "contact/hand_made.h"
#include "physics/scene_builders.h"
#include "recording/recorder.h"
#include "study/runner.h"
#include "study/verify.h"

namespace touchstone::testing {
namespace {

class YardstickInWorlds : public ::testing::TestWithParam<std::tuple<int, Integrator>> {
 protected:
  // A box that slides, one that rests, a ball that bounces, two that fly.
  SceneDescription scene() const {
    const auto [D, integrator] = GetParam();
    SceneDescription s = empty_scene(D, 2e-3);
    s.model.name = "penalty";
    s.integrator = integrator;
    s.duration = 0.2;
    s.materials = {material(0.4, 0.5)};
    s.materials[0].static_friction = 0.5;
    s.bodies = {fixed("floor", half_space(up(D))),
                body("slider", D == 2 ? box(0.4, 0.2) : box(0.4, 0.4, 0.2), 0.1 * up(D)),
                body("rest", D == 2 ? box(0.4, 0.2) : box(0.4, 0.4, 0.2), 0.1 * up(D) - 3 * Eigen::Vector3d::UnitX()),
                body("ball", sphere(0.1), 0.15 * up(D) + 2 * Eigen::Vector3d::UnitX()),
                body("flyer", D == 2 ? box(0.4, 0.2) : box(0.4, 0.3, 0.2), 9 * up(D))};
    s.bodies[1].velocity = {1, 0, 0};
    s.bodies[4].angular_velocity = {D == 2 ? 0.0 : 1.0, D == 2 ? 0.0 : 2.0, 3};
    return s;
  }
};
INSTANTIATE_TEST_SUITE_P(Penalty, YardstickInWorlds,
                         ::testing::Combine(::testing::Values(2, 3),
                                            ::testing::Values(Integrator::kSemiImplicitEuler, Integrator::kRk4)));

TEST_P(YardstickInWorlds, ItChangesNothing) {
  Simulation with(scene()), without(scene());
  with.set_yardstick(true);
  EXPECT_TRUE(with.yardstick());
  EXPECT_FALSE(without.yardstick());
  for (int i = 0; i < 100; ++i) {
    with.step();
    without.step();
    ASSERT_EQ(with.state_hash(), without.state_hash()) << i;
  }
  EXPECT_TRUE(with.measures().measured);
  EXPECT_FALSE(without.measures().measured);
  EXPECT_TRUE(std::isnan(find_report_field("natural_map")->get(without.report())));
}

TEST_P(YardstickInWorlds, SpringsObeyFrictionAndMomentumButNotSignorini) {
  const bool rk4 = std::get<1>(GetParam()) == Integrator::kRk4;
  Simulation sim(scene());
  sim.set_yardstick(true);
  double cone = 0, momentum = 0, penetration = 0, reported = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport& r = sim.step();
    const StepMeasures& m = r.measures;
    EXPECT_GE(m.solves, r.substeps);
    EXPECT_TRUE(std::isfinite(m.natural_map.worst));
    EXPECT_EQ(m.pulling.worst, 0);
    cone = std::max(cone, m.cone.worst);
    momentum = std::max(momentum, m.momentum_error.worst);
    penetration = std::max(penetration, m.penetration.worst);
    reported = std::max(reported, r.max_penetration);
  }
  // Euler: exact. RK4: the stages push at poses of their own, the impulse is shown at one of them.
  EXPECT_LT(momentum, rk4 ? 1e-3 : 1e-12);
  EXPECT_LT(cone, rk4 ? 1e-2 : 1e-12);
  EXPECT_GT(penetration, 1e-6);  // springs sink
  EXPECT_LE(penetration, reported * 1.01 + 1e-9);
  EXPECT_GT(penetration, 0.3 * reported);
}

TEST_P(YardstickInWorlds, ARestoredWorldIsJudgedTheSame) {
  Simulation a(scene()), b(scene());
  a.set_yardstick(true);
  b.set_yardstick(true);
  for (int i = 0; i < 40; ++i) a.step();
  b.restore(a.snapshot());
  for (int i = 0; i < 10; ++i) {
    for (const ReportField& field : report_fields()) {
      if (std::string(field.name) == "wall_time") continue;
      const double x = field.get(a.report()), y = field.get(b.report());
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << field.name << " in step " << a.step_count();
    }
    ASSERT_EQ(a.contact_count(), b.contact_count());
    for (std::size_t c = 0; c < a.contact_count(); ++c) EXPECT_EQ(a.contact(c).natural_map, b.contact(c).natural_map);
    a.step();
    b.step();
  }
}

TEST_P(YardstickInWorlds, TheSameForAnyNumberOfThreads) {
  Simulation a(scene()), b(scene());
  b.set_threads(3);
  for (Simulation* s : {&a, &b}) {
    s->set_yardstick(true);
    for (int i = 0; i < 50; ++i) s->step();
  }
  for (const MeasureInfo& info : measure_infos()) {
    EXPECT_EQ((a.measures().*info.value).worst, (b.measures().*info.value).worst) << info.name;
    EXPECT_EQ((a.measures().*info.value).mean, (b.measures().*info.value).mean) << info.name;
  }
}

TEST_P(YardstickInWorlds, AContactKnowsItsOwnResidual) {
  Simulation sim(scene());
  sim.set_yardstick(true);
  for (int i = 0; i < 50; ++i) sim.step();
  ASSERT_GT(sim.contact_count(), 0u);
  double worst = 0;
  for (std::size_t c = 0; c < sim.contact_count(); ++c) worst = std::max(worst, sim.contact(c).natural_map);
  EXPECT_EQ(worst, sim.measures().natural_map_velocity.worst);
  sim.set_yardstick(false);
  sim.step();
  EXPECT_FALSE(sim.measures().measured);
  for (std::size_t c = 0; c < sim.contact_count(); ++c) EXPECT_EQ(sim.contact(c).natural_map, 0);
}

TEST_P(YardstickInWorlds, ARecordingIsVerified) {
  const auto folder = std::filesystem::temp_directory_path() / ("touchstone-yardstick-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const SceneDescription s = scene();
  for (const bool on : {true, false}) {
    Simulation sim(s);
    RecordingInfo info;
    info.model = "penalty", info.dimension = s.dimension, info.step_size = s.step, info.duration = s.duration;
    info.record.yardstick = on;
    info.record.every = 3;  // frames hold the worst of the steps between them
    for (const BodyDescription& b : s.bodies) info.body_names.push_back(b.name);
    const std::string path = (folder / (on ? "on.h5" : "off.h5")).string();
    RecordingWriter recorder(path, info);
    const StepMeasures measures = run_simulation(sim, s.duration, info.record, &recorder, {}).measures;
    const double worst = measures.natural_map.worst;
    recorder.finish(true);
    const Recording recording = Recording::open(path);
    EXPECT_EQ(recording.info().record.yardstick, on);
    EXPECT_EQ(has_measures(recording), on);
    if (!on) {
      EXPECT_FALSE(measures.measured);
      EXPECT_THROW(verify_recording(recording), Error);
      continue;
    }
    const Verification found = verify_recording(recording);
    EXPECT_EQ(found.judged, found.steps);
    EXPECT_EQ(found.of("natural_map").worst, worst);
    EXPECT_GT(worst, 0);
    const MeasureSummary& depth = found.of("penetration");
    EXPECT_EQ(depth.body_a, "floor");
    EXPECT_EQ(depth.body_b, "ball");  // the impact sinks deepest
    EXPECT_NEAR(depth.time, static_cast<double>(depth.step) * s.step, 1e-12);
    EXPECT_THROW(found.of("natural_mup"), Error);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace touchstone::testing
