// Every number and finding of `compare` and `verify` on the listed examples, held against an auditor that knows only
// the scene and where the bodies are and how they move (audit_scene.h).
#include "study/audit_findings.h"
#include "study/compare/plan.h"
#include "study/compare_helpers.h"

namespace touchstone::compare::testing {
namespace {

using audit::AuditedRun;
using audit::Sight;

struct Example {
  const char* name;
  std::vector<std::string> models;
  double duration;
  Sight sight = {};
};
void PrintTo(const Example& e, std::ostream* out) { *out << e.name; }

class Audited : public CompareTest {
 protected:
  Comparison runs(const std::string& scene, const std::vector<std::string>& models, double duration) {
    CompareRequest request;
    request.scene = scene_path(scene + ".toml");
    request.models = models;
    request.duration = duration;
    request.halvings = 0;
    request.frames_per_second = 200;
    plan_ = make_plan(request);
    CompareOptions options;
    options.folder = root_.string();
    options.jobs = 1;
    return run_comparison(plan_, request, options);
  }
  std::vector<std::unique_ptr<AuditedRun>> audit(const Comparison& c, const Sight& sight) {
    std::vector<std::unique_ptr<AuditedRun>> out;
    for (std::size_t i = 0; i < c.runs.size(); ++i) {
      Sight how = sight;
      how.events = c.runs[i].model == "mirtich";
      out.push_back(std::make_unique<AuditedRun>(c.runs[i], plan_.runs[i].loaded.scene, c.findings, how));
    }
    return out;
  }
  Plan plan_;
};

class AuditedExample : public Audited, public ::testing::WithParamInterface<Example> {};

TEST_P(AuditedExample, SaysWhatTheAuditorFinds) {
  const Example& e = GetParam();
  const Comparison c = runs(e.name, e.models, e.duration);
  for (const Finding& f : c.findings) std::cout << f.model << " " << f.kind << " " << f.text << "\n";
  for (const auto& run : audit(c, e.sight))
    for (const std::string& wrong : run->contradictions()) ADD_FAILURE() << wrong;
}

const std::vector<std::string> kAll{"impulse", "ncp", "lcp", "convex", "penalty", "mirtich"};
const std::vector<std::string> kJointed{"impulse", "ncp", "lcp", "convex"};
INSTANTIATE_TEST_SUITE_P(Scene, AuditedExample,
                         ::testing::Values(Example{"arm", kJointed, 1.0}, Example{"bouncing_ball", kAll, 2.0},
                                           Example{"car", kJointed, 1.2}, Example{"conveyor", kAll, 1.0},
                                           Example{"gripper", kJointed, 1.0}, Example{"incline", kAll, 1.0},
                                           Example{"pendulum_spring", {"free"}, 3.0}, Example{"shaker", kAll, 0.6},
                                           Example{"side_by_side", kAll, 1.0}, Example{"table_top", kAll, 1.0},
                                           Example{"tumbling_box", {"free"}, 5.0}, Example{"turntable", kAll, 1.0}),
                         [](const auto& i) { return std::string(i.param.name); });

}  // namespace
}  // namespace touchstone::compare::testing
