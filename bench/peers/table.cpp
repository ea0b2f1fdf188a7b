#include "peers/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace touchstone::bench {
namespace {

std::string ratio_text(const Row& row) { return row.ratio > 0 ? fmt::format("{:.2f}", row.ratio) : "-"; }

std::string standing_text(const Row& row) {
  if (!row.stands || row.result.steps == 0) return "";
  return fmt::format("sag {:.3g} mm, drift {:.3g} mm", 1e3 * row.result.verdict.sag, 1e3 * row.result.verdict.drift);
}

std::string remarks(const Row& row) {
  std::string text = standing_text(row);
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  const RunResult& r = row.result;
  if (row.start_energy > 0 && r.steps > 0)
    add(fmt::format("energy {:+.2g} %", 100 * (r.verdict.kinetic_energy / row.start_energy - 1)));
  if (r.verdict.lost) add(fmt::format("{} lost", r.verdict.lost));
  if (r.verdict.broken) add(fmt::format("{} not finite", r.verdict.broken));
  if (r.trouble[0]) add(fmt::format("after {} steps: {}", r.steps, r.trouble));
  return text;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

void fill_ratios(std::vector<Row>& rows, const std::string& reference) {
  for (Row& row : rows)
    for (const Row& other : rows)
      if (other.engine == reference && other.scene == row.scene && other.result.ms_per_step > 0 &&
          other.result.steps == row.result.steps)
        row.ratio = row.result.ms_per_step / other.result.ms_per_step;
}

void print_heading() {
  fmt::print("{:<14} {:<11} {:>9} {:>6} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10} {:>8}  {}\n", "scene",
             "engine", "ms/step", "ratio", "contacts", "touching", "max mm", "p99 mm", "mean mm", "run mm", "made mm",
             "kinetic J", "B/body", "remarks");
}

void print_row(const Row& row) {
  const RunResult& r = row.result;
  const Verdict& v = r.verdict;
  fmt::print(
      "{:<14} {:<11} {:>9.4g} {:>6} {:>8} {:>8} {:>9.4g} {:>9.4g} {:>9.4g} {:>9.4g} {:>9.4g} {:>10.4g} {:>8.0f}  {}\n",
      row.scene, row.engine, r.ms_per_step, ratio_text(row), r.contacts, v.touching, 1e3 * v.penetration_max,
      1e3 * v.penetration_p99, 1e3 * v.penetration_mean, 1e3 * r.penetration_run, 1e3 * r.penetration_made,
      v.kinetic_energy, r.memory, remarks(row));
  std::fflush(stdout);
}

std::string as_markdown(const std::vector<Row>& rows, const std::string& reference) {
  std::string text = "| scene | engine | ms per step | ratio to " + reference +
                     " | contacts | touching pairs | greatest, mm | 99 %, mm | mean, "
                     "mm "
                     "| during the run, mm | of that made, mm | kinetic energy, J | bytes per body | remarks |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Row& row : rows) {
    const RunResult& r = row.result;
    const Verdict& v = r.verdict;
    text += fmt::format(
        "| {} | {} | {:.3g} | {} | {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.0f} | {} |\n",
        row.scene, row.engine, r.ms_per_step, ratio_text(row), r.contacts, v.touching, 1e3 * v.penetration_max,
        1e3 * v.penetration_p99, 1e3 * v.penetration_mean, 1e3 * r.penetration_run, 1e3 * r.penetration_made,
        v.kinetic_energy, r.memory, remarks(row));
  }
  return text;
}

std::string as_json(const std::vector<Row>& rows, const std::string& reference) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    const RunResult& r = row.result;
    const Verdict& v = r.verdict;
    nlohmann::ordered_json one{{"engine", row.engine},
                               {"scene", row.scene},
                               {"bodies", row.bodies},
                               {"steps", r.steps},
                               {"ms_per_step", r.ms_per_step},
                               {"ms_per_step_of_runs", row.times},
                               {"ratio_to_" + reference, nullptr},
                               {"contacts", r.contacts},
                               {"touching_pairs", v.touching},
                               {"penetration_max", v.penetration_max},
                               {"penetration_p99", v.penetration_p99},
                               {"penetration_mean", v.penetration_mean},
                               {"penetration_run", r.penetration_run},
                               {"penetration_made", r.penetration_made},
                               {"kinetic_energy", v.kinetic_energy},
                               {"memory", r.memory},
                               {"lost", v.lost},
                               {"not_finite", v.broken},
                               {"trouble", r.trouble}};
    if (row.ratio > 0) one["ratio_to_" + reference] = row.ratio;
    if (row.stands) one["sag"] = v.sag, one["drift"] = v.drift;
    list.push_back(one);
  }
  return json_text(list, 2) + "\n";
}

}  // namespace touchstone::bench
