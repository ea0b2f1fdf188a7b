// The reference of a comparison: chosen by measured errors, and right where the answer is known by formula.
#include "study/compare/reference.h"

#include <cmath>

#include "study/compare/findings.h"
#include "study/compare/halving.h"
#include "study/compare/impact_log.h"
#include "study/compare_helpers.h"

namespace touchstone::compare::testing {
namespace {

class ReferenceTest : public CompareTest {
 protected:
  // The first scene of README.md.
  std::string readme_ball() const {
    return write("bouncing.toml", R"(touchstone = 1
dimension = 3
[simulation]
step = 0.001
duration = 2.0
[[material]]
name = "rubber"
friction = 0.5
restitution = 0.8
[[body]]
name = "floor"
kind = "static"
material = "rubber"
shape = { kind = "half_space", normal = [0, 0, 1] }
[[body]]
name = "ball"
material = "rubber"
position = [0, 0, 1.1]
shape = { kind = "sphere", radius = 0.1 }
)");
  }
};

// Height of the centre of a ball of radius r, dropped from rest with its lowest point at `drop`.
double height_of_bouncing_ball(double drop, double radius, double restitution, double gravity, double time) {
  double fall = std::sqrt(2 * drop / gravity), speed = gravity * fall;
  if (time < fall) return radius + drop - 0.5 * gravity * time * time;
  for (double t = time - fall;; t -= 2 * speed / gravity) {
    speed *= restitution;
    if (t < 2 * speed / gravity) return radius + speed * t - 0.5 * gravity * t * t;
  }
}

double end_height(const std::string& recording) {
  const Recording r = Recording::open(recording);
  return r.read_frame(r.frame_count() - 1).poses[1 * 7 + 2];
}

TEST_F(ReferenceTest, OfReadmesBallIsTheModelThatIsRight) {
  const double exact = height_of_bouncing_ball(1.0, 0.1, 0.8, 9.81, 2.0);
  EXPECT_NEAR(exact, 0.360742, 5e-7);
  CompareRequest request;
  request.scene = readme_ball();
  request.models = {"impulse", "mirtich"};
  const Comparison c = run(request);
  ASSERT_EQ(c.reference.label, "mirtich") << reference_text(c.reference);
  EXPECT_LE(std::abs(end_height(c.reference.recording) - exact), c.reference.error);
  EXPECT_LT(c.reference.error, 1e-4);
  // At its own step, mirtich is near and impulse is not.
  EXPECT_LT(of(c, "mirtich").numbers.distance->mean, 1e-5);
  const double off = std::abs(end_height(of(c, "impulse").recording) - exact);
  EXPECT_NEAR(off, 5.87e-3, 5e-6);
  EXPECT_NEAR(of(c, "impulse").numbers.distance->mean, off, c.reference.error + 1e-9);
  // Its own halved steps say so, too, without any other model.
  EXPECT_GT(of(c, "impulse").numbers.step_error, 0.9 * off);
  const Finding* found = finding(c, "impulse", "step_error");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->fault);
  EXPECT_NEAR(found->value, off, 1e-5);
  EXPECT_EQ(found->bodies, std::vector<std::string>{"ball"});
  EXPECT_FALSE(says(c, "mirtich", "step_error"));
}

// Semi-implicit Euler in free fall is off by ½·g·h·t, and each halving by half of that.
TEST_F(ReferenceTest, ErrorsOfFreeFallAreThoseOfTheFormula) {
  CompareRequest request;
  request.scene = write("fall.toml", R"(touchstone = 1
dimension = 3
[simulation]
step = 0.01
duration = 1.0
integrator = "semi_implicit_euler"
[model]
name = "free"
[[body]]
name = "stone"
shape = { kind = "sphere", radius = 0.1 }
)");
  request.models = {"free"};
  request.halvings = 3;
  const Comparison c = run(request);
  const Halving& h = of(c, "free").halving;
  ASSERT_EQ(h.differences.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(h.differences[k], 0.5 * 9.81 * 0.005 / std::pow(2, k), 1e-9);
  EXPECT_NEAR(h.error, 0.5 * 9.81 * 0.00125, 1e-9);  // of the finest run, exactly
  EXPECT_FALSE(h.settled);                           // 6 mm of 0.2 m
  EXPECT_EQ(c.reference.label, "");
  EXPECT_NE(reference_text(c.reference).find("no reference: free does not settle"), std::string::npos)
      << reference_text(c.reference);
  EXPECT_FALSE(of(c, "free").numbers.distance);
}

TEST_F(ReferenceTest, TheBudgetIncludesHalvingAndItIsSaidWhoWasCutOff) {
  CompareRequest request;
  request.scene = readme_ball();
  request.models = {"impulse"};
  request.halvings = kMostHalvings;
  request.budget = 1;
  const Comparison c = run(request);
  EXPECT_EQ(of(c, "impulse").outcome, Outcome::kFinished);
  EXPECT_TRUE(of(c, "impulse").halving.settled || of(c, "impulse").halving.cut_off);
  request.duration = 10000;
  request.budget = 0.5;
  const Comparison cut = run(request);
  const ModelRun& r = of(cut, "impulse");
  EXPECT_EQ(r.outcome, Outcome::kCutOff);
  EXPECT_EQ(r.verdict, Verdict::kCutOff);
  EXPECT_GT(r.numbers.steps, 0u);
  EXPECT_LT(r.elapsed, 5);
  EXPECT_NE(cut_off_text(cut).find("impulse at t ="), std::string::npos) << cut_off_text(cut);
  EXPECT_TRUE(r.numbers.yardstick);  // what was computed is there
}

TEST(HalvingError, IsThatOfAMethodOfOrderOne) {
  const auto steps = std::vector<double>{0.4, 0.2, 0.1};
  EXPECT_NEAR(halving_error(steps, {3 * 0.2, 3 * 0.1}), 3 * 0.1, 1e-15);
  EXPECT_NEAR(halving_error(steps, {3 * 0.2, 1e-9}), 3 * 0.1, 1e-15);  // small by chance
  EXPECT_NEAR(halving_error({0.4, 0.1, 0.05}, {3 * 0.3, 3 * 0.05}), 3 * 0.05, 1e-15);
  EXPECT_TRUE(std::isnan(halving_error({0.4, 0.2}, {0.1})));
  EXPECT_FALSE(does_not_shrink({1, 0.5, 0.25, 0.12}));
  EXPECT_FALSE(does_not_shrink({1, 1, 1}));
  EXPECT_TRUE(does_not_shrink({1, 0.9, 1.1, 0.8}));
}

// A ball strikes a row of three that touch: in a chain of impacts the last one leaves, all at once all of them move.
// Both answers obey the laws. A single ball that strikes a single one has one answer.
const char* kRow = R"(touchstone = 1
dimension = 2
[simulation]
step = 0.001
duration = 0.6
gravity = [0, 0]
[[material]]
name = "default"
friction = 0.0
restitution = 1.0
[[body]]
name = "striker"
position = [-0.5, 0]
velocity = [1, 0]
mass = 1.0
shape = { kind = "circle", radius = 0.1 }
)";
std::string ball(const std::string& name, double x) {
  return "[[body]]\nname = \"" + name + "\"\nposition = [" + std::to_string(x) +
         ", 0]\nmass = 1.0\nshape = { kind = \"circle\", radius = 0.1 }\n";
}

TEST_F(ReferenceTest, RunsThatPartAtAnImpactOfSeveralContactsAreBothRight) {
  CompareRequest request;
  request.scene = write("row.toml", kRow + ball("first", 0) + ball("second", 0.2) + ball("third", 0.4));
  request.models = {"mirtich", "ncp"};
  const Comparison c = run(request);
  ASSERT_NE(c.reference.label, "");
  const std::string other = c.reference.label == "ncp" ? "mirtich" : "ncp";
  const Finding* found = finding(c, other, "elsewhere");
  ASSERT_TRUE(found) << reference_text(c.reference);
  ASSERT_TRUE(of(c, other).parting);
  ASSERT_TRUE(of(c, other).parting->event) << found->text;
  // They are 0.3 m apart at 1 m/s.
  EXPECT_NEAR(of(c, other).parting->event->time, 0.3, 2e-3);
  EXPECT_NE(found->text.find("no fault"), std::string::npos) << found->text;
  EXPECT_EQ(of(c, other).verdict, Verdict::kKept);
}

TEST(ImpactLog, SeesSeveralContactsOfOneIslandAndNothingElse) {
  const auto events_of = [](const std::string& text) {
    const SceneDescription scene = parse_scene_text(text, "row.toml", {}, {});
    Simulation simulation(scene);
    const SceneFacts facts = scene_facts(simulation, scene);
    ImpactLog log(facts);
    for (int i = 0; i < 600; ++i) simulation.step(), log.observe(simulation);
    return log.events();
  };
  EXPECT_TRUE(events_of(kRow + ball("first", 0)).empty());
  EXPECT_TRUE(events_of(kRow + ball("first", 0) + ball("apart", 3) + ball("touching", 3.2)).empty());
  const std::string text = kRow + ball("first", 0) + ball("second", 0.2);
  const std::vector<ImpactEvent> events = events_of(text);
  ASSERT_FALSE(events.empty());
  EXPECT_NEAR(events[0].time, 0.3, 2e-3);
  EXPECT_EQ(events[0].points, 2u);
  EXPECT_EQ(events[0].bodies, (std::vector<std::string>{"first", "second", "striker"}));
}

}  // namespace
}  // namespace touchstone::compare::testing
