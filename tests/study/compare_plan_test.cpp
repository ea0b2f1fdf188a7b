// What a comparison will run, and what it says before it computes anything; numbers and pages of a small one.
#include "study/compare/plan.h"

#include <sstream>

#include "io/replay/html.h"
#include "study/compare/html.h"
#include "study/compare/report.h"
#include "study/compare_helpers.h"

namespace touchstone::compare::testing {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class PlanTest : public CompareTest {
 protected:
  PlanTest() { request_.scene = scene_path("incline.toml"); }
  std::string refusal() const {
    try {
      make_plan(request_);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  CompareRequest request_;
};

TEST_F(PlanTest, EveryModelThatDoesTheSceneAndTheReasonsOfTheOthers) {
  const Plan plan = make_plan(request_);
  std::vector<std::string> labels;
  for (const PlannedRun& r : plan.runs) labels.push_back(r.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"impulse", "ncp", "lcp", "convex", "guendelman", "hahn", "mirtich",
                                              "gauss", "lagrange", "penalty"}));
  ASSERT_EQ(plan.left_out.size(), 1u);
  EXPECT_EQ(plan.left_out[0].label, "free");
  EXPECT_TRUE(has(plan.left_out[0].reason, "--models free")) << plan.left_out[0].reason;
  request_.models = {"free"};
  EXPECT_EQ(make_plan(request_).runs.size(), 1u);  // asked for by name
}

TEST_F(PlanTest, WhatAModelCannotDoIsAReasonNotAnError) {
  request_.scene = scene_path("tumbling_box.toml");  // rk4
  const Plan plan = make_plan(request_);
  ASSERT_EQ(plan.left_out.size(), 8u);
  EXPECT_TRUE(has(plan.left_out[0].reason, "integrator rk4")) << plan.left_out[0].reason;
  request_.models = {"impulse"};
  EXPECT_TRUE(has(refusal(), "no model does")) << refusal();
  EXPECT_TRUE(has(refusal(), "integrator rk4")) << refusal();
}

TEST_F(PlanTest, UnknownModelsAndOptionsAreNamed) {
  request_.models = {"impulse", "impuls"};
  EXPECT_TRUE(has(refusal(), "penalty")) << refusal();  // what there is
  request_.models = {"impulse:tolerence=1e-5"};
  EXPECT_TRUE(has(refusal(), "did you mean 'tolerance'")) << refusal();
  request_.models = {"impulse:preset"};
  EXPECT_TRUE(has(refusal(), "OPTION=VALUE")) << refusal();
  request_.models = {"impulse"};
  request_.sets = {{"penalty.sag", "1e-5"}};
  EXPECT_TRUE(has(refusal(), "not among those compared")) << refusal();
  request_.sets = {{"model.sag", "1e-5"}};
  EXPECT_TRUE(has(refusal(), "none of the models compared")) << refusal();
  request_.sets = {{"model.name", "ncp"}};
  EXPECT_TRUE(has(refusal(), "--models")) << refusal();
  request_.sets.clear();
  request_.reference = "penalty";
  EXPECT_TRUE(has(refusal(), "neither a recording nor a model that is compared")) << refusal();
}

TEST_F(PlanTest, OptionsGoToTheModelsTheyAreMeantFor) {
  request_.models = {"impulse", "penalty", "impulse:preset=fast"};
  request_.sets = {{"model.sag", "1e-4"}, {"impulse.sleep", "true"}, {"simulation.seed", "7"}};
  const Plan plan = make_plan(request_);
  ASSERT_EQ(plan.runs.size(), 3u);
  const auto options = [&](std::size_t i) { return plan.runs[i].loaded.scene.model.options; };
  EXPECT_EQ(options(0).count("sag"), 0u);
  EXPECT_EQ(options(0).count("sleep"), 1u);
  EXPECT_EQ(std::get<double>(options(1).at("sag")), 1e-4);
  EXPECT_EQ(options(1).count("sleep"), 0u);
  EXPECT_EQ(std::get<std::string>(options(2).at("preset")), "fast");
  EXPECT_EQ(plan.runs[1].loaded.scene.seed, 7u);
}

TEST_F(PlanTest, TheScenesOwnOptionsAreForItsOwnModelAndThatIsSaid) {
  request_.scene = write("own.toml", R"(touchstone = 1
dimension = 3
[model]
name = "penalty"
sag = 1e-4
[[body]]
name = "stone"
shape = { kind = "sphere", radius = 0.1 }
)");
  const Plan plan = make_plan(request_);
  for (const PlannedRun& r : plan.runs)
    EXPECT_EQ(r.loaded.scene.model.options.count("sag"), r.model == "penalty") << r.label;
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_TRUE(has(plan.notes[0], "for its own model, penalty")) << plan.notes[0];
}

TEST_F(PlanTest, FramesComeAtTheRateAskedFor) {
  request_.frames_per_second = 50;
  EXPECT_EQ(make_plan(request_).runs[0].loaded.scene.record.every, 20);
  request_.frames_per_second = 1e6;
  EXPECT_EQ(make_plan(request_).runs[0].loaded.scene.record.every, 1);
}

TEST_F(PlanTest, AModelThatStopsIsReportedAndTheOthersGoOn) {
  request_.models = {"penalty", "impulse"};
  request_.steps = {0.03};  // too long for the springs
  request_.halvings = 0;
  request_.sets = {{"penalty.sag", "1e-6"}};
  const Comparison c = run(request_);
  EXPECT_EQ(of(c, "penalty").outcome, Outcome::kStopped);
  EXPECT_EQ(of(c, "penalty").failed_step, 1u);
  EXPECT_TRUE(has(of(c, "penalty").failure, "need a step of at most")) << of(c, "penalty").failure;
  EXPECT_EQ(of(c, "impulse").outcome, Outcome::kFinished);
  EXPECT_TRUE(says(c, "penalty", "failed"));
}

// Numbers of the comparison against a simulation that is stepped by hand.
TEST_F(PlanTest, NumbersAreThoseOfTheRun) {
  request_.models = {"penalty", "ncp"};
  request_.duration = 0.3;
  request_.reference = "ncp";
  request_.halvings = 2;
  const Comparison c = run(request_);
  EXPECT_EQ(c.reference.label, "ncp");
  EXPECT_EQ(c.reference.step, 0.00025);
  Simulation sim(load_scene(request_.scene, {{"model.name", "penalty"}}));
  Simulation exact(load_scene(request_.scene, {{"model.name", "ncp"}, {"simulation.step", "0.00025"}}));
  sim.set_yardstick(true);
  double depth = 0, drift = 0, iterations = 0;
  for (int i = 0; i < 300; ++i) {
    const StepReport& r = sim.step();
    for (int k = 0; k < 4; ++k) exact.step();
    depth = std::max(depth, r.measures.penetration.worst);
    drift = std::max(drift, std::abs(r.energy_balance));
    iterations += static_cast<double>(r.iterations);
  }
  const RunNumbers& n = of(c, "penalty").numbers;
  EXPECT_EQ(n.steps, 300u);
  EXPECT_EQ(n.yardstick->of("penetration").worst, depth);
  EXPECT_EQ(n.energy_drift, drift);
  EXPECT_EQ(n.iterations_mean, iterations / 300);
  EXPECT_GT(n.step_time_mean, 0);
  EXPECT_GT(n.step_time_median, 0);
  double sum = 0;  // the blocks do not turn but in the last digits, so their points are as far apart as their centres
  for (const char* name : {"rough_block", "smooth_block"})
    sum += (sim.state(sim.find_body(name)).center_of_mass - exact.state(exact.find_body(name)).center_of_mass)
               .squaredNorm();
  ASSERT_TRUE(n.distance);
  EXPECT_NEAR(n.distance->mean, std::sqrt(sum / 2), 0.02 * std::sqrt(sum / 2));
  EXPECT_NEAR(of(c, "ncp").numbers.step_error, of(c, "ncp").numbers.distance->mean + c.reference.error, 1e-15);
}

TEST(PointDistance, IsTheMeanOverTheMassOfABody) {
  // A square of 8 equal masses at the corners of a box of 2 × 2 × 2 m: a half turn about z moves each by 2·√2 m.
  BodyFacts body;
  body.mass = 8;
  body.spread = Eigen::Matrix3d::Identity();
  BodyPose a, b;
  b.rotation = Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  EXPECT_NEAR(point_distance(body, a, b), std::sqrt(8.0), 1e-12);
  b.center = {1, 0, 0};
  EXPECT_NEAR(point_distance(body, a, b), 3, 1e-12);
}

TEST_F(PlanTest, ThePageHoldsRunsAndReport) {
  request_.models = {"impulse", "penalty"};
  request_.duration = 0.2;
  request_.halvings = 0;
  const Comparison c = run(request_);
  const std::string path = (root_ / "report.html").string();
  OutputFile file(path);
  const ReportPage written = write_report_page(c, "<html><body><!--touchstone:data--></body></html>", 30, file);
  file.commit();
  std::stringstream html;
  html << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.bytes, html.str().size());
  for (const char* part :
       {"touchstone-page", "touchstone-run-0", "touchstone-run-1", "\"embedded\"", "penetration_ratio"})
    EXPECT_TRUE(has(html.str(), part)) << html.str();
  const Json report = page_report(c, runs_to_show(c));
  ASSERT_EQ(report["table"]["rows"].size(), 2u);
  EXPECT_EQ(report["table"]["rows"][1]["run"], 1);
  EXPECT_EQ(report["table"]["rows"][0]["values"].size(), report["table"]["columns"].size());
  ASSERT_EQ(report["verdicts"].size(), 2u);
  EXPECT_EQ(report["verdicts"][0]["model"], report["table"]["rows"][0]["label"]);
  EXPECT_EQ(report["verdicts"][1]["verdict"], "broke");
  for (const Json& finding : report["findings"])
    for (const char* field : {"kind", "model", "bodies", "time", "value", "unit", "bound", "fault", "text"})
      EXPECT_TRUE(finding.contains(field)) << finding;
}

}  // namespace
}  // namespace touchstone::compare::testing
