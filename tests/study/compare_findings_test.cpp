// Every rule on summaries made by hand: below its threshold it finds nothing, above it one finding with value, unit,
// bound, time and bodies, and a sentence that says the same.
#include "study/compare/findings.h"

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
    c.reference.label = "good", c.reference.step = 1e-3, c.reference.error = 1e-6;
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
  // Kinds of the findings about the bad run; the last of them is `last`.
  std::vector<std::string> found() {
    std::vector<std::string> out;
    for (const Finding& f : find_all(c))
      if (f.model == "bad") out.push_back(f.kind), last = f;
    verdict = verdict_name(bad().verdict), text = last.text;
    return out;
  }
  using Names = std::vector<std::string>;
  void expect_only(const std::string& kind, const std::vector<std::string>& parts) {
    EXPECT_EQ(found(), Names{kind}) << text;
    EXPECT_EQ(verdict, "broke");
    EXPECT_TRUE(last.fault);
    EXPECT_GT(last.value, last.bound) << kind;
    EXPECT_TRUE(last.time) << kind;
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
  void expect_kept() {
    EXPECT_EQ(found(), Names{"kept"}) << text;
    EXPECT_EQ(verdict, "kept");
    EXPECT_FALSE(last.fault);
  }

  Comparison c;
  std::string verdict, text;
  Finding last;
};

TEST_F(Summaries, AGoodRunSaysSo) {
  expect_kept();
  EXPECT_NE(text.find("No measure is above its threshold"), std::string::npos);
  spoil("natural_map", 1e-6, 1e-8);
  expect_kept();
  EXPECT_NE(text.find("1e-06 at worst (between floor and cube_17 at t = 1.200 s)"), std::string::npos) << text;
  EXPECT_EQ(last.value, 1e-8);
  EXPECT_EQ(last.bodies, (Names{"floor", "cube_17"}));
}

TEST_F(Summaries, Penetration) {
  spoil("penetration", 0.0004), spoil("penetration_ratio", 0.0009);
  expect_kept();
  spoil("penetration", 0.0031), spoil("penetration_ratio", 0.02);
  expect_only("penetration", {"sink into each other by up to 3.1 mm (2 % of the smaller body)",
                              "between floor and cube_17 at t = 1.200 s"});
  EXPECT_EQ(last.value, 0.02);
  EXPECT_EQ(last.bound, kPenetrationRatio);
  EXPECT_EQ(last.unit, "");
  EXPECT_EQ(last.time, 1.2);
  EXPECT_EQ(last.bodies, (Names{"floor", "cube_17"}));
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
  expect_kept();
  creep.worst = 4e-6;
  expect_only("creep",
              {"creep at up to 4 µm/s", "cube_4", "t = 1.800 s to 2.000 s", "1 µm/s on average over 3 resting bodies"});
  creep.body_size = 40;  // the same is nothing for a rock
  expect_kept();
  creep.body_size = 0.4, creep.known = false;
  expect_kept();
}

TEST_F(Summaries, EnergyThatCameFromNowhere) {
  bad().numbers.energy_made = 0.4;
  expect_kept();
  bad().numbers.energy_made = 5, bad().numbers.energy_made_time = 0.25;
  expect_only("energy_made", {"5 J", "10 % of the energy in motion", "t = 0.250 s"});
  EXPECT_EQ(last.unit, "J");
  EXPECT_EQ(last.bound, 0.5);
  bad().numbers.energy_made = std::nan("");
  expect_kept();
}

TEST_F(Summaries, Drift) {
  bad().numbers.energy_drift = 2, bad().numbers.energy_drift_time = 2;
  expect_kept();
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
      {"momentum_error", "momentum", 9e-7, 1e-3, {"0.1 % of the body's momentum"}},
      {"joint_position_ratio", "joints", 9e-4, 2e-3, {"0.2 % of the smaller body"}},
      {"joint_angle", "joints", 9e-4, 2e-3, {"2 mrad"}},
      {"gathered_slip_ratio", "slip", 9e-4, 2e-3, {"0.2 % of the smaller body"}},
  };
  for (const Case& each : cases) {
    spoil(each.measure, each.below);
    expect_kept();
    spoil(each.measure, each.above);
    std::vector<std::string> parts = each.parts;
    parts.push_back("between floor and cube_17 at t = 1.200 s");
    expect_only(each.rule, parts);
    spoil(each.measure, 0);
  }
}

TEST_F(Summaries, MeansDecideAboutLawsAndDirection) {
  spoil("natural_map", 0.9, 9e-4);
  expect_kept();
  spoil("natural_map", 0.9, 3e-3);
  expect_only("laws", {"0.3 % of the speed at hand on average, 90 % at worst", "cube_17"});
  spoil("natural_map", 0);
  spoil("friction_angle", 3, 0.04);
  expect_kept();
  spoil("friction_angle", 3, 0.2);
  expect_only("direction", {"0.2 rad", "3 rad at worst"});
}

TEST_F(Summaries, StepsThatDidNotConverge) {
  bad().numbers.not_converged = 12, bad().numbers.not_converged_time = 0.5;
  EXPECT_EQ(found(), (Names{"kept", "not_converged"}));  // no law is broken by that alone
  EXPECT_NE(text.find("12 of 2000 steps, first at t = 0.500 s"), std::string::npos) << text;
  EXPECT_EQ(last.value, 12);
}

TEST_F(Summaries, EndingElsewhereAndTakingLongAreNoFaults) {
  bad().numbers.distance = StateDistance{0.03, 0.3, "ball"};
  expect_kept();
  bad().numbers.distance = StateDistance{0.25, 1.5, "ball"};
  EXPECT_EQ(found(), (Names{"kept", "elsewhere"}));
  EXPECT_EQ(verdict, "kept");
  EXPECT_NE(text.find("250 mm from that of the reference at t = 2.000 s"), std::string::npos) << text;
  EXPECT_NE(text.find("1.5 m for ball"), std::string::npos) << text;
  EXPECT_EQ(last.value, 0.25);
  EXPECT_EQ(last.bound, 0.1 * 0.4);
  bad().numbers.distance.reset();
  bad().numbers.step_time_mean = 9e-4;
  expect_kept();
  bad().numbers.step_time_mean = 3e-3;
  EXPECT_EQ(found(), (Names{"kept", "slow"}));
  EXPECT_NE(text.find("3 ms on average, 30 times as long as with good"), std::string::npos) << text;
}

// "No fault" is said only of a run that kept the laws and parted at an impact with several contacts.
TEST_F(Summaries, SeveralAnswersAreNamedWithTimeAndBodies) {
  const auto no_fault = [&] { return found(), text.find("no fault") != std::string::npos; };
  bad().numbers.distance = StateDistance{0.25, 1.5, "ball"};
  EXPECT_FALSE(no_fault()) << text;  // nothing is known of where they part
  bad().parting = Parting{0.7, {"ball", "striker"}, 0.02, 1e-4, std::nullopt};
  EXPECT_FALSE(no_fault()) << text;  // no event
  EXPECT_EQ(last.time, 0.7);
  bad().parting->event = ImpactEvent{0.69, 3, {"ball", "striker"}};
  EXPECT_TRUE(no_fault()) << text;
  EXPECT_NE(text.find("3 contacts at once of ball, striker at t = 0.690 s"), std::string::npos) << text;
  EXPECT_EQ(last.time, 0.69);
  EXPECT_EQ(last.bodies, (Names{"ball", "striker"}));
  spoil("natural_map", 0.9, 3e-3);
  EXPECT_FALSE(no_fault()) << text;  // it did not keep the laws
}

TEST_F(Summaries, AnEndThatTheStepExplainsIsNotElsewhere) {
  bad().numbers.distance = StateDistance{0.25, 0.3, "ball"};
  bad().numbers.step_error = 0.2;
  bad().halving.steps = {1e-3, 5e-4, 2.5e-4};
  EXPECT_EQ(found(), (Names{"kept", "step_error"}));
  EXPECT_NE(text.find("with h/4 it ends 200 mm from here"), std::string::npos) << text;
  bad().numbers.step_error = 0.1;
  EXPECT_EQ(found(), (Names{"kept", "elsewhere"}));
  bad().numbers.distance = StateDistance{0.003, 0.004, "ball"};  // below 1 % of the size
  expect_kept();
}

TEST_F(Summaries, RunsThatDidNotGetToTheEnd) {
  bad().outcome = Outcome::kStopped, bad().failure = "needs a step of at most 0.0007 s", bad().failed_step = 301;
  EXPECT_EQ(found(), Names{"failed"});
  EXPECT_EQ(verdict, "failed");
  EXPECT_NE(text.find("step 301 failed (at t = 0.301 s): needs a step of at most 0.0007 s"), std::string::npos) << text;
  EXPECT_DOUBLE_EQ(last.time.value(), 0.301);
  bad().numbers.yardstick.reset();  // it crashed before it was judged
  EXPECT_EQ(found(), Names{"failed"});
  bad().outcome = Outcome::kInterrupted, bad().failed_step = 0, bad().failure = "interrupted";
  EXPECT_EQ(found(), Names{"failed"});
  EXPECT_EQ(verdict, "interrupted");
  EXPECT_NE(text.find("was interrupted at t = 2.000 s"), std::string::npos) << text;
  c.budget = 60, c.duration = 3, bad().outcome = Outcome::kCutOff;
  EXPECT_EQ(found(), Names{"failed"});
  EXPECT_EQ(verdict, "cut off");
  EXPECT_NE(text.find("cut off at t = 2.000 s of 3 s: its 60 s of wall time"), std::string::npos) << text;
  EXPECT_NE(cut_off_text(c).find("bad at t = 2 s of 3 s (100 µs a step)"), std::string::npos) << cut_off_text(c);
}

TEST_F(Summaries, RunsOfTheStudyOnlyAreNotTalkedAbout) {
  bad().compared = false;
  EXPECT_EQ(found(), Names{});
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
