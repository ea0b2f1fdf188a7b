// Every number and finding of `compare`, `verify` and `run` on the listed examples, held against an auditor that knows
// only the scene and where the bodies are and how they move (audit_scene.h).
#include "study/audited.h"

namespace touchstone::compare::testing {
namespace {

struct Example {
  const char* scene;
  std::vector<std::string> models;
  double duration;  // long enough for what the scene shows to begin [s]
  Sight sight = {};
};
void PrintTo(const Example& e, std::ostream* out) { *out << e.scene; }

class AuditedExample : public Audited, public ::testing::WithParamInterface<Example> {};

TEST_P(AuditedExample, SaysWhatTheAuditorFinds) {
  const Example& e = GetParam();
  for (const auto& run : audit(e.scene, e.models, e.duration, e.sight))
    for (const std::string& wrong : run->contradictions()) ADD_FAILURE() << wrong;
}

std::string scene_name(const ::testing::TestParamInfo<Example>& i) { return i.param.scene; }

const std::vector<std::string> kAll{"impulse", "ncp", "lcp", "convex", "penalty", "mirtich"};
const std::vector<std::string> kJointed{"impulse", "ncp", "lcp", "convex"};
// Cylinders and ellipsoids are searched by steps of 1e-9 rad.
const Sight kSearched{false, 1e-5, 1e-8};
// The ground's ridges are not seen by the auditor, and other depths than along a triangle's normal.
const Sight kGround{false, 0.5, 1e-5};

INSTANTIATE_TEST_SUITE_P(Scene, AuditedExample,
                         ::testing::Values(Example{"arm", kJointed, 1.0}, Example{"bouncing_ball", kAll, 1.0},
                                           Example{"car", kJointed, 0.4, kSearched}, Example{"conveyor", kAll, 0.5},
                                           Example{"demo", {"impulse"}, 1.0}, Example{"gripper", kJointed, 0.8},
                                           Example{"incline", kAll, 0.5}, Example{"pendulum_spring", {"free"}, 3.0},
                                           Example{"shaker", {"impulse", "ncp", "penalty"}, 0.35},
                                           Example{"side_by_side", {"impulse", "ncp", "penalty"}, 0.6},
                                           Example{"table_top", kAll, 0.6},
                                           Example{"terrain", {"impulse"}, 0.5, kGround},
                                           Example{"tumbling_box", {"free"}, 5.0}, Example{"turntable", kAll, 0.3}),
                         scene_name);

class LongAuditedExample : public AuditedExample {};
TEST_P(LongAuditedExample, SaysWhatTheAuditorFinds) {
  const Example& e = GetParam();
  for (const auto& run : audit(e.scene, e.models, e.duration, e.sight))
    for (const std::string& wrong : run->contradictions()) ADD_FAILURE() << wrong;
}
INSTANTIATE_TEST_SUITE_P(LongScene, LongAuditedExample,
                         ::testing::Values(Example{"arm", kJointed, 3.0}, Example{"bouncing_ball", kAll, 4.0},
                                           Example{"car", kJointed, 4.0, kSearched}, Example{"conveyor", kAll, 3.0},
                                           Example{"demo", {"impulse", "penalty"}, 1.5},
                                           Example{"gripper", kJointed, 4.0}, Example{"incline", kAll, 1.5},
                                           Example{"pendulum_spring", {"free"}, 10.0}, Example{"shaker", kAll, 3.0},
                                           Example{"side_by_side", kAll, 1.0}, Example{"table_top", kAll, 3.0},
                                           Example{"terrain", {"impulse"}, 4.0, kGround},
                                           Example{"tumbling_box", {"free"}, 20.0}, Example{"turntable", kAll, 4.0}),
                         scene_name);

// An auditor that sees nothing would agree with everything.
using TheAuditor = Audited;

TEST_F(TheAuditor, NoticesABodyThatIsElsewhere) {
  for (const char* scene : {"conveyor", "gripper"}) {
    const auto run = std::move(audit(scene, {"impulse"}, 0.05)[0]);
    ASSERT_TRUE(run->contradictions().empty()) << run->contradictions()[0];
    audit::BodyAt& body = run->instants.back().bodies[scene == std::string("conveyor") ? 1 : 3];
    body.origin.z() -= 2e-3, body.centre.z() -= 2e-3;
    run->look_again();
    EXPECT_FALSE(run->contradictions().empty()) << scene;
  }
}

TEST_F(TheAuditor, NoticesEnergyThatNobodyPutIn) {
  for (const char* scene : {"arm", "bouncing_ball", "turntable", "pendulum_spring", "tumbling_box"}) {
    const bool free = scene == std::string("pendulum_spring") || scene == std::string("tumbling_box");
    const auto run = std::move(audit(scene, {free ? "free" : "impulse"}, 0.1)[0]);
    ASSERT_TRUE(run->contradictions().empty()) << scene << ": " << run->contradictions()[0];
    for (std::size_t k = run->instants.size() / 2; k < run->instants.size(); ++k)
      for (audit::BodyAt& body : run->instants[k].bodies) body.v *= 1.01, body.w *= 1.01;
    run->look_again();
    EXPECT_FALSE(run->contradictions().empty()) << scene;
  }
}

TEST_F(TheAuditor, NoticesAFindingThatIsNotTrueOrMissing) {
  const auto run = std::move(audit("bouncing_ball", {"penalty"}, 0.5)[0]);
  ASSERT_TRUE(run->contradictions().empty()) << run->contradictions()[0];
  const std::vector<Finding> compared = run->compare_findings, verified = run->verify_findings,
                             said = run->run_findings;
  const auto changed = [&](auto change) {
    run->compare_findings = compared, run->verify_findings = verified, run->run_findings = said;
    change();
    return !run->contradictions().empty();
  };
  ASSERT_GE(compared.size(), 2u);
  EXPECT_EQ(compared[0].kind, "penetration");
  EXPECT_TRUE(changed([&] { run->compare_findings.erase(run->compare_findings.begin()); }));
  EXPECT_TRUE(changed([&] { run->compare_findings[0].value *= 1.01; }));
  EXPECT_TRUE(changed([&] { *run->compare_findings[0].time += 0.0004; }));
  EXPECT_TRUE(changed([&] { run->compare_findings[0].bodies[0] = "nobody"; }));
  EXPECT_TRUE(changed([&] { run->verify_findings.clear(); }));
  EXPECT_TRUE(changed([&] { run->run_findings.clear(); }));
  for (const char* kind : {"creep", "energy_made", "drift", "joints"})
    EXPECT_TRUE(changed([&] { run->compare_findings.push_back({.kind = kind, .value = 1}); })) << kind;
}

// A claim of the steps' reports.
TEST_F(TheAuditor, NoticesWorkThatIsBookedWrongly) {
  const auto run = std::move(audit("conveyor", {"impulse"}, 0.1)[0]);
  ASSERT_TRUE(run->contradictions().empty()) << run->contradictions()[0];
  const std::vector<StepReport> reports = run->reports;
  for (double StepReport::*part : {&StepReport::driven_work, &StepReport::contact_work, &StepReport::correction_work,
                                   &StepReport::kinetic_energy, &StepReport::energy_balance}) {
    run->reports = reports;
    for (std::size_t k = reports.size() / 2; k < reports.size(); ++k) {
      run->reports[k].*part += 0.1;  // [J]
      // Of which the balance is made.
      if (part == &StepReport::driven_work || part == &StepReport::contact_work) run->reports[k].energy_balance -= 0.1;
    }
    EXPECT_FALSE(run->contradictions().empty());
  }
}

}  // namespace
}  // namespace touchstone::compare::testing
