// Every rule on summaries made by hand: below its threshold it says nothing, above it one sentence with number, unit,
// time and names.
#include "study/compare/words.h"

#include <gtest/gtest.h>

#include <cmath>

namespace touchstone::compare {
namespace {

// A scene of bodies of 0.4 m and 2 kg under g = 10 m/s², so that √(g·size) = 2 m/s; one good run "good" and one to be
// spoilt, "bad", with steps of 1 ms.
struct Summaries : ::testing::Test {
  Summaries() {
    c.duration = 2, c.step = 1e-3;
    c.facts.gravity = 10, c.facts.size = 0.4, c.facts.lightest = 2, c.facts.can_touch = true;
    c.reference = "good";
    c.runs = {run("good"), run("bad")};
  }
  static ModelRun run(const std::string& label) {
    ModelRun r;
    r.label = r.model = label;
    r.step = 1e-3;
    r.outcome = Outcome::kFinished;
    r.recording = "somewhere.h5";
    RunNumbers& n = r.numbers;
    n.steps = n.total_steps = 2000, n.time = 2;
    n.step_time_mean = n.step_time_median = 1e-4;
    n.energy_scale = 50;
    n.yardstick.emplace();
    for (const MeasureInfo& info : measure_infos()) {
      MeasureSummary m;
      m.info = &info;
      n.yardstick->measures.push_back(m);
    }
    return r;
  }
  ModelRun& bad() { return c.runs[1]; }
  MeasureSummary& measure(const std::string& name) {
    for (MeasureSummary& m : bad().numbers.yardstick->measures)
      if (name == m.info->name) return m;
    throw std::runtime_error(name);
  }
  void spoil(const std::string& name, double worst, double mean = 0) {
    MeasureSummary& m = measure(name);
    m.worst = worst, m.mean = mean;
    m.step = 1200, m.time = 1.2;
    m.body_a = "floor", m.body_b = "cube_17";
  }
  // Rules that spoke about the bad run, and its verdict.
  std::vector<std::string> spoken() {
    std::vector<std::string> out;
    for (const Word& w : words_of(c))
      if (w.run == 1) out.push_back(w.rule), verdict = w.verdict, text = w.text;
    return out;
  }
  using Names = std::vector<std::string>;
  void expect_only(const std::string& rule, const std::vector<std::string>& parts) {
    EXPECT_EQ(spoken(), Names{rule}) << text;
    EXPECT_EQ(verdict, "gave up");
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
  void expect_held() {
    EXPECT_EQ(spoken(), Names{""}) << text;
    EXPECT_EQ(verdict, "held");
  }

  Comparison c;
  std::string verdict, text;
};

TEST_F(Summaries, AGoodRunSaysSo) {
  expect_held();
  EXPECT_NE(text.find("gave up nothing"), std::string::npos);
  spoil("natural_map", 1e-6, 1e-8);
  expect_held();
  EXPECT_NE(text.find("1e-06 at worst (between floor and cube_17 at t = 1.200 s)"), std::string::npos) << text;
}

TEST_F(Summaries, Penetration) {
  spoil("penetration", 0.0004), spoil("penetration_ratio", 0.0009);
  expect_held();
  spoil("penetration", 0.0031), spoil("penetration_ratio", 0.02);
  expect_only("penetration", {"sink into each other by up to 3.1 mm (2 % of the smaller body)",
                              "between floor and cube_17 at t = 1.200 s"});
  measure("penetration").body_b = "ball";
  expect_only("penetration", {"2 % of the smaller body, between floor and cube_17", "3.1 mm, between floor and ball"});
  spoil("penetration_ratio", 0.7);
  expect_only("penetration", {"go through each other"});
}

TEST_F(Summaries, CreepIsRelativeToTheBody) {
  Creep& creep = bad().numbers.creep;
  creep.known = true;
  creep.resting = 3, creep.body = "cube_4", creep.body_size = 0.4, creep.from = 1.8, creep.to = 2;
  creep.worst = 1.9e-6, creep.mean = 1e-6;
  expect_held();
  creep.worst = 4e-6;
  expect_only("creep",
              {"creep at up to 4 µm/s", "cube_4", "t = 1.800 s to 2.000 s", "1 µm/s on average over 3 resting bodies"});
  creep.body_size = 40;  // the same is nothing for a rock
  expect_held();
  creep.body_size = 0.4, creep.known = false;
  expect_held();
}

TEST_F(Summaries, EnergyThatCameFromNowhere) {
  bad().numbers.energy_made = 0.4;
  expect_held();
  bad().numbers.energy_made = 5, bad().numbers.energy_made_time = 0.25;
  expect_only("energy_made", {"5 J", "10 % of the energy in motion", "t = 0.250 s"});
  bad().numbers.energy_made = std::nan("");
  expect_held();
}

TEST_F(Summaries, Drift) {
  bad().numbers.energy_drift = 2, bad().numbers.energy_drift_time = 2;
  expect_held();
  bad().numbers.energy_drift = 10;
  expect_only("drift", {"10 J", "20 %", "t = 2.000 s"});
}

TEST_F(Summaries, MeasuresWithAThresholdOfTheirOwn) {
  struct Case {
    const char *measure, *rule;
    double below, above;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases{
      {"impact_gain", "impact_gain", 9e-4, 2e-2, {"gained 2 % of the kinetic energy"}},
      {"cone", "cone", 9e-4, 5e-2, {"by up to 5 % of it"}},
      {"pulling", "pulling", 1.9e-5, 2e-3, {"2 mN·s", "10 % of what the lightest body weighs"}},  // m·g·h = 0.02 N·s
      {"correction", "pushed_out", 0.19, 0.5, {"500 mm/s"}},
      {"momentum_error", "momentum", 9e-7, 1e-3, {"0.1 % of what the body has"}},
      {"joint_position", "joints", 3.9e-4, 2e-3, {"2 mm"}},
      {"joint_angle", "joints", 9e-4, 2e-3, {"2 mrad"}},
  };
  for (const Case& each : cases) {
    spoil(each.measure, each.below);
    expect_held();
    spoil(each.measure, each.above);
    std::vector<std::string> parts = each.parts;
    parts.push_back("between floor and cube_17 at t = 1.200 s");
    expect_only(each.rule, parts);
    spoil(each.measure, 0);
  }
}

TEST_F(Summaries, MeansDecideAboutLawsAndDirection) {
  spoil("natural_map", 0.9, 9e-4);
  expect_held();
  spoil("natural_map", 0.9, 3e-3);
  expect_only("laws", {"0.3 % of the speed at hand on average, 90 % at worst", "cube_17"});
  spoil("natural_map", 0);
  spoil("friction_angle", 3, 0.04);
  expect_held();
  spoil("friction_angle", 3, 0.2);
  expect_only("direction", {"0.2 rad", "3 rad at worst"});
}

TEST_F(Summaries, StepsThatDidNotConverge) {
  bad().numbers.not_converged = 12, bad().numbers.not_converged_time = 0.5;
  expect_only("not_converged", {"12 of 2000 steps", "t = 0.500 s"});
}

TEST_F(Summaries, EndingElsewhereAndTakingLongAreNoFaults) {
  bad().numbers.distance = StateDistance{0.03, 0.3, "ball"};
  expect_held();
  bad().numbers.distance = StateDistance{0.25, 1.5, "ball"};
  EXPECT_EQ(spoken(), (Names{"", "elsewhere"}));
  EXPECT_EQ(verdict, "held");
  EXPECT_NE(text.find("elsewhere than good: bodies are 250 mm away at t = 2.000 s"), std::string::npos) << text;
  EXPECT_NE(text.find("1.5 m for ball"), std::string::npos) << text;
  bad().numbers.distance.reset();
  bad().numbers.step_time_mean = 9e-4;
  expect_held();
  bad().numbers.step_time_mean = 3e-3;
  EXPECT_EQ(spoken(), (Names{"", "slow"}));
  EXPECT_NE(text.find("3 ms a step on average, 30 times as long as good"), std::string::npos) << text;
}

TEST_F(Summaries, RunsThatDidNotGetToTheEnd) {
  bad().outcome = Outcome::kStopped, bad().failure = "needs a step of at most 0.0007 s", bad().failed_step = 301;
  EXPECT_EQ(spoken(), Names{"failed"});
  EXPECT_EQ(verdict, "failed");
  EXPECT_NE(text.find("in step 301 (at t = 0.301 s): needs a step of at most 0.0007 s"), std::string::npos) << text;
  bad().numbers.yardstick.reset();  // it crashed before it was judged
  EXPECT_EQ(spoken(), Names{"failed"});
  bad().outcome = Outcome::kInterrupted, bad().failed_step = 0, bad().failure = "interrupted";
  EXPECT_EQ(spoken(), Names{"failed"});
  EXPECT_NE(text.find("was interrupted at t = 2.000 s"), std::string::npos) << text;
}

TEST_F(Summaries, RunsOfTheStudyOnlyAreNotTalkedAbout) {
  bad().compared = false;
  EXPECT_EQ(spoken(), Names{});
}

TEST(Units, GetThePrefixThatFits) {
  EXPECT_EQ(with_unit(3.1e-3, "m"), "3.1 mm");
  EXPECT_EQ(with_unit(4e-6, "m/s"), "4 µm/s");
  EXPECT_EQ(with_unit(0.9999, "m"), "1 m");
  EXPECT_EQ(with_unit(1500, "m"), "1.5e+03 m");
  EXPECT_EQ(with_unit(1500, "J"), "1.5 kJ");
  EXPECT_EQ(with_unit(0, "m"), "0 m");
  EXPECT_EQ(with_unit(1e-15, "m"), "1e-15 m");
  EXPECT_EQ(with_unit(2e-5, "rad"), "20 µrad");
  EXPECT_EQ(percent(0.02), "2 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0.996), "100 %");
}

}  // namespace
}  // namespace touchstone::compare
