// The public face of compare.
#include "touchstone/compare.h"

#include "base/json_text.h"
#include "study/compare/report.h"
#include "study/compare/workplace.h"

namespace touchstone {

CompareReport compare_models(const std::string& scene_file, const CompareSettings& settings) {
  compare::CompareRequest request;
  request.scene = scene_file;
  request.models = settings.models;
  request.sets = settings.sets;
  request.steps = settings.steps;
  request.duration = settings.duration;
  request.reference = settings.reference;
  if (settings.budget) request.budget = *settings.budget;
  const compare::Plan plan = compare::make_plan(request);
  const compare::Workplace folder(settings.keep);
  compare::CompareOptions options;
  options.jobs = settings.jobs;
  options.folder = folder.path();
  options.progress = [&](std::span<const compare::RunProgress>) { return !(settings.stop && *settings.stop); };
  const compare::Comparison found = compare::run_comparison(plan, request, options);
  CompareReport out;
  for (const compare::ModelRun& run : found.runs)
    out.runs.push_back({run.label, run.model, run.step, run.outcome == compare::Outcome::kFinished, run.failure,
                        settings.keep.empty() ? "" : run.recording});
  out.reference = found.reference.label;
  out.reference_error = found.reference.error;
  out.interrupted = found.interrupted;
  out.text = compare::report_text(found);
  out.json = json_text(compare::report_json(found), 2);
  return out;
}

}  // namespace touchstone
