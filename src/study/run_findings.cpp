#include "study/run_findings.h"

#include "study/compare/scene_facts.h"
#include "study/verify.h"

namespace touchstone {
namespace {

MeasureSummary summary_of(const MeasureInfo& info, const StepMeasures& measures, const Simulation& simulation) {
  const Measure& m = measures.*info.value;
  MeasureSummary out;
  out.info = &info;
  out.worst = m.worst, out.mean = m.mean;
  out.step = m.step, out.time = static_cast<double>(m.step) * simulation.step_size();
  out.body_a = name_of_slot(simulation, m.body_a), out.body_b = name_of_slot(simulation, m.body_b);
  return out;
}

MeasureSummary energy_error_of(const RunSummary& s, double weight_energy) {
  MeasureSummary out;
  out.info = &energy_error_info();
  if (!(s.largest_balance > 0)) return out;
  out.worst = s.largest_balance / energy_reference(s.greatest_kinetic, weight_energy, s.greatest_energy);
  out.step = s.largest_balance_step, out.time = s.largest_balance_time;
  return out;
}

}  // namespace

std::vector<Finding> findings_of_run(const RunSummary& summary, const Simulation& simulation,
                                     const SceneDescription& scene) {
  if (!summary.measures.measured) return {};
  Verification found;
  for (const MeasureInfo& info : measure_infos())
    found.measures.push_back(summary_of(info, summary.measures, simulation));
  found.measures.push_back(energy_error_of(summary, compare::scene_facts(simulation, scene).weight_energy));
  return findings_above(found, usual_bounds(), simulation.model_name());
}

}  // namespace touchstone
