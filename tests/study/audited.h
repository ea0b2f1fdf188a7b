#pragma once
// Runs of a listed example under several models, compared and audited.
#include "study/audit_findings.h"
#include "study/compare/plan.h"
#include "study/compare_helpers.h"

namespace touchstone::compare::testing {

using audit::AuditedRun;
using audit::Sight;

class Audited : public CompareTest {
 protected:
  Comparison compare(const std::string& scene, const std::vector<std::string>& models, double duration, int halvings,
                     const std::vector<SceneOverride>& sets = {}) {
    CompareRequest request;
    request.scene = scene_path(scene + ".toml");
    request.models = models;
    request.duration = duration;
    request.halvings = halvings;
    request.sets = sets;
    request.budget = 3600;  // no run is cut off, however busy the machine is
    request.frames_per_second = 200;
    plan_ = make_plan(request);
    CompareOptions options;
    options.folder = root_.string();
    options.jobs = 1;
    return run_comparison(plan_, request, options);
  }

  std::vector<std::unique_ptr<AuditedRun>> audit(const std::string& scene, const std::vector<std::string>& models,
                                                 double duration, Sight sight = {}) {
    const Comparison c = compare(scene, models, duration, 0);
    std::vector<std::unique_ptr<AuditedRun>> out;
    for (std::size_t i = 0; i < c.runs.size(); ++i) {
      sight.events = c.runs[i].model == "mirtich";
      out.push_back(std::make_unique<AuditedRun>(c.runs[i], plan_.runs[i].loaded.scene, c.findings, sight));
    }
    return out;
  }

  Plan plan_;
};

}  // namespace touchstone::compare::testing
