#pragma once
// Holds what `compare`, `verify` and `run` say of a run against the auditor's own numbers, and lists what does not
// agree.
#include "study/audit_ledger.h"
#include "study/compare/comparison.h"

namespace touchstone::audit {

// How the auditor can see a scene.
struct Sight {
  bool events = false;       // the model's impulses act at any time of a step
  double depth_part = 1e-6;  // of a depth: how exact the auditor's routine is there
  double depth_rest = 2e-9;  // [m]
};

class AuditedRun {
 public:
  AuditedRun(const compare::ModelRun& run, const SceneDescription& scene, const std::vector<Finding>& findings,
             const Sight& sight);

  // One sentence for each number or finding that the audit does not confirm, and for each finding that is missing.
  std::vector<std::string> contradictions() const;

  Scene scene;
  std::vector<Instant> instants;        // every step, by a simulation of the auditor's own
  std::vector<StepReport> reports;      // what its steps say: the claims
  std::vector<Instant> frames() const;  // the recorded ones
  compare::ModelRun run;
  std::vector<Finding> compare_findings, verify_findings, run_findings;
  Sight sight;
  void look_again();  // after a change to `instants`

 private:
  class Checker;
  void simulate();
  std::unique_ptr<Touching> touching_;
  Ledger ledger_;
  double scale_ = 0;
};

}  // namespace touchstone::audit
