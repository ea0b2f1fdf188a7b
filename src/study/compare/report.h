#pragma once
// A comparison as text, as JSON for machines, and as the object that the page of the HTML report draws.
#include <nlohmann/json.hpp>
#include <span>

#include "study/compare/comparison.h"

namespace touchstone::compare {

using Json = nlohmann::ordered_json;

// Where the worst of a number was.
struct Where {
  std::uint64_t step = 0;
  double time = 0;
  std::string body_a, body_b;
};

// One number of a run.
struct Column {
  std::string name, unit, help;
  std::function<double(const ModelRun&)> value;  // NaN: not known
  std::function<std::optional<Where>(const ModelRun&)> where;
};
// The ones to look at first, then every measure of the yardstick (the worst).
const std::vector<Column>& columns();

// The findings about each model, and which models were left out.
std::string findings_text(const Comparison& comparison);
std::string report_text(const Comparison& comparison);
// Everything: definitions, runs with every measure (worst, mean, where), findings, rules, convergence.
Json report_json(const Comparison& comparison);
// {"title", "scene", "verdicts", "findings", "table", "convergence", "left_out", "notes"}: what the page draws. The
// replays of the page are the runs of `shown`, in that order.
Json page_report(const Comparison& comparison, const std::vector<std::size_t>& shown);
// The runs that a page can replay: those that are compared and have a recording.
std::vector<std::size_t> runs_to_show(const Comparison& comparison);

}  // namespace touchstone::compare
