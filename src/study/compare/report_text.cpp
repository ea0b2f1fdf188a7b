#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/compare/findings.h"
#include "study/compare/reference.h"
#include "study/compare/report.h"

namespace touchstone::compare {
namespace {

// Columns that a letter of more than one byte takes off a width.
std::size_t hidden_bytes(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }));
}
std::string left(const std::string& text, std::size_t width) {
  return fmt::format("{:<{}}", text, width + hidden_bytes(text));
}
std::string right(const std::string& text, std::size_t width) {
  return fmt::format("{:>{}}", text, width + hidden_bytes(text));
}

std::string value_text(double value) {
  if (!std::isfinite(value)) return "-";
  return value == 0 ? "0" : fmt::format("{:.3g}", value);
}

const MeasureInfo* find_measure(const std::string& name) {
  for (const MeasureInfo& info : measure_infos())
    if (name == info.name) return &info;
  return nullptr;
}

// What stands behind a model's name.
const char* heading_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "kept the laws";
    case Verdict::kBroke:
      return "broke the laws";
    case Verdict::kCutOff:
      return "was cut off";
    case Verdict::kInterrupted:
      return "was interrupted";
    case Verdict::kFailed:
      return "failed";
  }
  return "";
}

// Numbers down, models across.
std::string table_text(const Comparison& c) {
  constexpr std::size_t kName = 22, kUnit = 6;
  std::vector<const ModelRun*> runs;
  for (const ModelRun& run : c.runs)
    if (run.compared) runs.push_back(&run);
  std::string out = left("", kName) + left("unit", kUnit);
  for (const ModelRun* run : runs) out += "  " + right(run->label, 12);
  out += "\n";
  for (const Column& column : columns()) {
    std::string line = left(column.name, kName) + left(column.unit, kUnit);
    bool any = find_measure(column.name) == nullptr;  // a headline
    for (const ModelRun* run : runs) {
      const double value = column.value(*run);
      any = any || (std::isfinite(value) && value != 0);
      line += "  " + right(value_text(value), std::max<std::size_t>(12, run->label.size()));
    }
    if (any) out += line + "\n";
  }
  return out;
}

std::string convergence_table(const Convergence& study) {
  std::string out =
      fmt::format("\nConvergence: distance of the end from {} [m], and the order between neighbours\n", study.against);
  out += left("h [s]", 14);
  for (const ConvergenceRow& row : study.rows) out += "  " + right(row.label, 20);
  out += "\n";
  for (std::size_t k = 0; k < study.steps.size(); ++k) {
    out += left(fmt::format("{:g}", study.steps[k]), 14);
    for (const ConvergenceRow& row : study.rows) {
      std::string cell = row.errors[k] ? fmt::format("{:.3e}", *row.errors[k]) : "-";
      cell += k > 0 && row.orders[k - 1] ? fmt::format(" {:6.2f}", *row.orders[k - 1]) : "       ";
      out += "  " + right(cell, std::max<std::size_t>(20, row.label.size()));
    }
    out += "\n";
  }
  for (const ConvergenceRow& row : study.rows) out += fmt::format("{}: {}\n", row.label, row.text);
  return out;
}

}  // namespace

// The findings about one run: its name once, its sentences below each other.
std::string findings_text(const Comparison& c) {
  std::string out;
  for (const ModelRun& run : c.runs) {
    if (!run.compared) continue;
    out += fmt::format("\n{} {}:\n", run.label, heading_of(run.verdict));
    for (const Finding& f : c.findings)
      if (f.model == run.label) out += fmt::format("  - {}\n", f.text);
  }
  for (const LeftOut& each : c.left_out) out += fmt::format("\n{} was left out: {}\n", each.label, each.reason);
  if (const std::string cut = cut_off_text(c); !cut.empty()) out += fmt::format("\n{}\n", cut);
  return out;
}

std::string report_text(const Comparison& c) {
  std::string out = fmt::format("{}: {:g} s in steps of {:g} s\n", c.scene_name, c.duration, c.step);
  out += findings_text(c);
  out += "\n" + table_text(c);
  out +=
      "Each number is the greatest of the run unless its name says otherwise. Measures that are zero everywhere are "
      "not "
      "listed.\nDefinitions: docs/compare.md, --json.\n";
  out += c.reference.label.empty() ? reference_text(c.reference) + "\n"
                                   : fmt::format("The distance is from the end of {}.\n", reference_text(c.reference));
  if (c.convergence) out += convergence_table(*c.convergence);
  for (const std::string& note : c.notes) out += fmt::format("note: {}\n", note);
  return out;
}

}  // namespace touchstone::compare
