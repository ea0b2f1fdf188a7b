#include "study/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/compare/findings.h"
#include "study/compare/reference.h"

namespace touchstone::compare {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json json_of(const Where& w) {
  return {{"step", w.step}, {"time", w.time}, {"body_a", w.body_a}, {"body_b", w.body_b}};
}

std::string failure_of(const ModelRun& run) {
  if (run.outcome == Outcome::kFinished) return "";
  if (run.failed_step == 0) return run.failure;
  return fmt::format("step {} (t = {:.6g} s): {}", run.failed_step, static_cast<double>(run.failed_step) * run.step,
                     run.failure);
}

std::string row_label(const ModelRun& run) {
  return !run.compared ? fmt::format("{}, h = {:g} s", run.label, run.step) : run.label;
}

Json measures_json(const Verification& found) {
  Json out;
  for (const MeasureSummary& m : found.measures) {
    const Where w{m.step, m.time, m.body_a, m.body_b};
    out[m.info->name] = {{"unit", m.info->unit}, {"worst", number(m.worst)}, {"mean", number(m.mean)}};
    out[m.info->name]["where"] = m.worst > 0 ? json_of(w) : Json(nullptr);
  }
  return out;
}

Json creep_json(const Creep& c) {
  if (!c.known) return nullptr;
  return {{"worst", c.worst}, {"mean", c.mean}, {"resting", c.resting},
          {"body", c.body},   {"from", c.from}, {"to", c.to}};
}

Json halving_json(const Halving& h) {
  if (h.steps.empty()) return nullptr;
  return {{"steps", h.steps},     {"differences", h.differences}, {"error", number(h.error)},
          {"settled", h.settled}, {"cut_off", h.cut_off},         {"ended", h.ended}};
}

Json parting_json(const std::optional<Parting>& p) {
  if (!p) return nullptr;
  Json j{{"time", p->time}, {"bodies", p->bodies}, {"distance", p->distance}, {"explained", p->explained}};
  j["event"] = nullptr;
  if (p->event) j["event"] = {{"time", p->event->time}, {"contacts", p->event->points}, {"bodies", p->event->bodies}};
  return j;
}

Json run_json(const ModelRun& run) {
  const RunNumbers& n = run.numbers;
  Json j{{"label", run.label},
         {"model", run.model},
         {"step_size", run.step},
         {"compared", run.compared},
         {"outcome", outcome_name(run.outcome)}};
  if (run.compared) j["verdict"] = verdict_name(run.verdict);
  if (run.outcome != Outcome::kFinished) j["failure"] = {{"message", run.failure}, {"step", run.failed_step}};
  j["steps"] = n.steps;
  j["simulated_time"] = n.time;
  for (const Column& column : columns()) {
    const std::optional<Where> where = column.where(run);
    j["numbers"][column.name] = {{"value", number(column.value(run))}};
    if (where) j["numbers"][column.name]["where"] = json_of(*where);
  }
  j["energy_scale"] = number(n.energy_scale);
  j["creep"] = creep_json(n.creep);
  j["distance"] = nullptr;
  if (n.distance)
    j["distance"] = {{"mean", n.distance->mean}, {"worst", n.distance->worst}, {"body", n.distance->body}};
  j["halving"] = halving_json(run.halving);
  j["parting"] = parting_json(run.parting);
  j["yardstick"] = n.yardstick ? measures_json(*n.yardstick) : Json(nullptr);
  return j;
}

// One card of the page each.
Json verdicts_json(const Comparison& c) {
  Json out = Json::array();
  for (const ModelRun& run : c.runs)
    if (run.compared) out.push_back({{"model", run.label}, {"verdict", verdict_name(run.verdict)}});
  return out;
}

Json reference_json(const Reference& r) {
  return {{"model", r.label},
          {"step_size", r.step > 0 ? Json(r.step) : Json(nullptr)},
          {"error", number(r.error)},
          {"text", reference_text(r)}};
}

std::string all_rows(const Convergence& convergence) {
  std::string out = fmt::format("Errors are distances of the end from {}.", convergence.against);
  for (const ConvergenceRow& row : convergence.rows) out += fmt::format(" {}: {}.", row.label, row.text);
  return out;
}

Json convergence_json(const Convergence& convergence) {
  Json j{{"dts", convergence.steps}, {"against", convergence.against}, {"rows", Json::array()}};
  for (const ConvergenceRow& row : convergence.rows) {
    Json r{{"label", row.label}, {"errors", Json::array()}, {"orders", Json::array()}, {"text", row.text}};
    for (const auto& e : row.errors) r["errors"].push_back(number(e));
    for (const auto& p : row.orders) r["orders"].push_back(number(p));
    j["rows"].push_back(r);
  }
  j["text"] = all_rows(convergence);
  return j;
}

Json left_out_json(const Comparison& c) {
  Json out = Json::array();
  for (const LeftOut& each : c.left_out) out.push_back({{"model", each.label}, {"reason", each.reason}});
  return out;
}

Json columns_json() {
  Json out = Json::array();
  for (const Column& column : columns())
    out.push_back({{"name", column.name}, {"unit", column.unit}, {"help", column.help}});
  return out;
}

std::string title_of(const Comparison& c) {
  const auto compared = [](const ModelRun& r) { return r.compared; };
  const auto models = std::count_if(c.runs.begin(), c.runs.end(), compared);
  return fmt::format("{} under {} contact model{}", c.scene_name, models, models == 1 ? "" : "s");
}

}  // namespace

std::vector<std::size_t> runs_to_show(const Comparison& comparison) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    if (comparison.runs[i].compared && !comparison.runs[i].recording.empty()) out.push_back(i);
  return out;
}

Json page_report(const Comparison& c, const std::vector<std::size_t>& shown) {
  Json j{{"title", title_of(c)}, {"scene", c.scene_name}, {"verdicts", verdicts_json(c)}};
  j["findings"] = findings_json(c.findings);
  j["table"]["columns"] = columns_json();
  j["table"]["rows"] = Json::array();
  for (std::size_t i = 0; i < c.runs.size(); ++i) {
    const ModelRun& run = c.runs[i];
    const auto at = std::find(shown.begin(), shown.end(), i);
    Json row{{"run", at == shown.end() ? Json(nullptr) : Json(at - shown.begin())}, {"label", row_label(run)}};
    row["values"] = Json::array();
    row["where"] = Json::array();
    for (const Column& column : columns()) {
      const std::optional<Where> where = column.where(run);
      row["values"].push_back(number(column.value(run)));
      row["where"].push_back(where ? json_of(*where) : Json(nullptr));
    }
    const std::string failed = failure_of(run);
    row["failed"] = failed.empty() ? Json(nullptr) : Json(failed);
    j["table"]["rows"].push_back(row);
  }
  if (c.convergence) j["convergence"] = convergence_json(*c.convergence);
  j["reference"] = reference_text(c.reference);
  j["left_out"] = left_out_json(c);
  j["notes"] = c.notes;
  return j;
}

Json report_json(const Comparison& c) {
  Json j{{"scene", c.scene},    {"name", c.scene_name},         {"duration", c.duration},
         {"step_size", c.step}, {"interrupted", c.interrupted}, {"reference", reference_json(c.reference)},
         {"budget", c.budget},  {"cut_off", cut_off_text(c)},   {"left_out", left_out_json(c)},
         {"notes", c.notes},    {"columns", columns_json()}};
  j["scales"] = {{"size", c.facts.size}, {"gravity", c.facts.gravity}, {"weight_energy", c.facts.weight_energy}};
  j["runs"] = Json::array();
  for (const ModelRun& run : c.runs) j["runs"].push_back(run_json(run));
  j["findings"] = findings_json(c.findings);
  j["rules"] = Json::array();
  for (const Rule& rule : rules())
    j["rules"].push_back({{"kind", rule.kind}, {"threshold", rule.threshold}, {"fault", rule.fault}});
  if (c.convergence) j["convergence"] = convergence_json(*c.convergence);
  return j;
}

}  // namespace touchstone::compare
