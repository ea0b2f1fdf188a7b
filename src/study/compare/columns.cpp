#include <cmath>
#include <limits>

#include "study/compare/report.h"

namespace touchstone::compare {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::optional<Where> where_of(const ModelRun& run, const std::string& name) {
  if (!run.numbers.yardstick) return std::nullopt;
  const MeasureSummary& m = run.numbers.yardstick->of(name);
  if (!(m.worst > 0)) return std::nullopt;
  return Where{m.step, m.time, m.body_a, m.body_b};
}

std::optional<Where> at_time(const ModelRun& run, double time) {
  if (!(time > 0)) return std::nullopt;
  return Where{static_cast<std::uint64_t>(std::llround(time / run.step)), time, "", ""};
}

Column measure_column(const MeasureInfo& info) {
  const std::string name = info.name;
  return {name, info.unit, info.help,
          [name](const ModelRun& r) { return r.numbers.yardstick ? r.numbers.yardstick->of(name).worst : kUnknown; },
          [name](const ModelRun& r) { return where_of(r, name); }};
}

Column mean_column(const std::string& measure, const std::string& unit, const std::string& help) {
  return {
      measure + "_mean", unit, help,
      [measure](const ModelRun& r) { return r.numbers.yardstick ? r.numbers.yardstick->of(measure).mean : kUnknown; },
      [](const ModelRun&) { return std::nullopt; }};
}

Column plain(const std::string& name, const std::string& unit, const std::string& help,
             double (*get)(const ModelRun&)) {
  return {name, unit, help, get, [](const ModelRun&) { return std::nullopt; }};
}

void add_headlines(std::vector<Column>& out) {
  out.push_back(mean_column("natural_map", "", "defect of the laws of contact, mean over contacts and steps"));
  out.push_back(mean_column("penetration", "m", "depth, root mean square over touching pairs, mean over steps"));
  out.push_back({"creep", "m/s", "greatest steady speed of a resting body, over the last tenth of the run",
                 [](const ModelRun& r) {
                   const Creep& c = r.numbers.creep;
                   return c.known && c.resting > 0 ? c.worst : kUnknown;
                 },
                 [](const ModelRun& r) -> std::optional<Where> {
                   const Creep& c = r.numbers.creep;
                   if (!c.known || c.body.empty()) return std::nullopt;
                   return Where{r.numbers.steps, c.to, c.body, ""};
                 }});
  out.push_back({"energy_made", "J",
                 "energy beyond that of the start and the work of forces, motors, drives and drag: greatest",
                 [](const ModelRun& r) { return r.numbers.energy_made; },
                 [](const ModelRun& r) { return at_time(r, r.numbers.energy_made_time); }});
  out.push_back(
      {"energy_drift", "J",
       "greatest |energy now - energy at the start - all work|: error of the time integration, or work not counted",
       [](const ModelRun& r) { return r.numbers.energy_drift; },
       [](const ModelRun& r) { return at_time(r, r.numbers.energy_drift_time); }});
  out.push_back({"distance", "m", "of the end from the reference's: root mean square over the bodies and their points",
                 [](const ModelRun& r) { return r.numbers.distance ? r.numbers.distance->mean : kUnknown; },
                 [](const ModelRun& r) -> std::optional<Where> {
                   if (!r.numbers.distance || !(r.numbers.distance->worst > 0)) return std::nullopt;
                   return Where{r.numbers.steps, r.numbers.time, r.numbers.distance->body, ""};
                 }});
  out.push_back(plain("step_error", "m",
                      "of the end, by halving the step: distance from the same model's finest run, and its error",
                      [](const ModelRun& r) { return r.numbers.step_error; }));
  out.push_back(plain("step_time_median", "s", "wall time of a step without the yardstick, median",
                      [](const ModelRun& r) { return r.numbers.step_time_median; }));
  out.push_back(plain("step_time_mean", "s", "wall time of a step without the yardstick, mean",
                      [](const ModelRun& r) { return r.numbers.step_time_mean; }));
  out.push_back(plain("real_time_factor", "", "simulated time over the wall time of the steps",
                      [](const ModelRun& r) { return r.step / r.numbers.step_time_mean; }));
  out.push_back(plain("contacts_most", "", "contact points that carried force in a step, most",
                      [](const ModelRun& r) { return r.numbers.contacts_most; }));
  out.push_back(plain("substeps_mean", "", "substeps of a step, mean",
                      [](const ModelRun& r) { return r.numbers.substeps_mean; }));
  out.push_back(plain("iterations_mean", "", "iterations of a step, mean; models that do not iterate have none",
                      [](const ModelRun& r) { return r.numbers.iterations_mean; }));
  out.push_back(plain("iterations_most", "", "iterations of a step, greatest",
                      [](const ModelRun& r) { return r.numbers.iterations_most; }));
  out.push_back({"not_converged", "steps", "steps that ended before the solver's own tolerance; where: the first",
                 [](const ModelRun& r) { return static_cast<double>(r.numbers.not_converged); },
                 [](const ModelRun& r) { return at_time(r, r.numbers.not_converged_time); }});
}

}  // namespace

const std::vector<Column>& columns() {
  static const std::vector<Column> all = [] {
    std::vector<Column> out;
    add_headlines(out);
    for (const MeasureInfo& info : measure_infos()) out.push_back(measure_column(info));
    return out;
  }();
  return all;
}

}  // namespace touchstone::compare
