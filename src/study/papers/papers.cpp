#include "study/papers/papers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "study/papers/bender2006/bender2006.h"
#include "study/papers/drumwright2009/drumwright2009.h"
#include "study/papers/rote2012/rote2012.h"
#include "study/papers/thompson2003/thompson2003.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

PaperRow bounded(std::string quantity, std::string unit, std::optional<double> low, std::optional<double> high,
                 double ours) {
  PaperRow row;
  row.quantity = std::move(quantity);
  row.unit = std::move(unit);
  row.low = low;
  row.high = high;
  row.ours = ours;
  return row;
}

// Columns, not bytes: "μ" is two bytes.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}
std::string padded(const std::string& text, std::size_t width) {
  const std::size_t has = columns(text);
  return has < width ? text + std::string(width - has, ' ') : text;
}

std::string bounds_text(const PaperRow& row) {
  if (row.low && row.high) return fmt::format("{:.6g} to {:.6g}", *row.low, *row.high);
  if (row.high) return fmt::format("at most {:.6g}", *row.high);
  if (row.low) return fmt::format("at least {:.6g}", *row.low);
  return "";
}

std::string grid_text(const PaperGrid& grid) {
  std::vector<std::size_t> width(grid.columns.size());
  const auto widen_by = [&](const std::vector<std::string>& line) {
    for (std::size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], columns(line[i]));
  };
  widen_by(grid.columns);
  for (const std::vector<std::string>& line : grid.lines) widen_by(line);
  std::string text;
  const auto add = [&](const std::vector<std::string>& line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) out += (i == 0 ? "  " : " | ") + padded(line[i], width[i]);
    text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  };
  add(grid.columns);
  for (const std::vector<std::string>& line : grid.lines) add(line);
  for (const std::string& note : grid.notes) text += "  " + note + "\n";
  return text;
}

const PaperExperiment& find_experiment(const Paper& paper, const std::string& name) {
  std::vector<std::string> names;
  for (const PaperExperiment& e : paper.experiments) {
    if (e.name == name) return e;
    names.push_back(e.name);
  }
  throw Error(ErrorKind::kBadInput, fmt::format("{} has no experiment '{}'{}; there are {}", paper.name, name,
                                                did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kInformation:
      return "";
    case Verdict::kPass:
      return "ok";
    case Verdict::kFail:
      return "FAIL";
  }
  return "";
}

Verdict PaperRow::verdict() const {
  if (!low && !high) return Verdict::kInformation;
  const bool within = std::isfinite(ours) && (!low || ours >= *low) && (!high || ours <= *high);
  return within ? Verdict::kPass : Verdict::kFail;
}

PaperRow row_near(std::string quantity, std::string unit, double expected, double tolerance, double ours) {
  PaperRow row = bounded(std::move(quantity), std::move(unit), expected - tolerance, expected + tolerance, ours);
  row.expected = expected;
  row.source = "formula";
  return row;
}
PaperRow row_at_most(std::string quantity, std::string unit, double bound, double ours) {
  return bounded(std::move(quantity), std::move(unit), std::nullopt, bound, ours);
}
PaperRow row_at_least(std::string quantity, std::string unit, double bound, double ours) {
  return bounded(std::move(quantity), std::move(unit), bound, std::nullopt, ours);
}
PaperRow row_between(std::string quantity, std::string unit, double low, double high, double ours) {
  return bounded(std::move(quantity), std::move(unit), low, high, ours);
}
PaperRow row_info(std::string quantity, std::string unit, std::optional<double> expected, double ours) {
  PaperRow row = bounded(std::move(quantity), std::move(unit), std::nullopt, std::nullopt, ours);
  row.expected = expected;
  if (expected) row.source = "paper";
  return row;
}

bool PaperStudy::passed() const {
  return finished &&
         std::none_of(rows.begin(), rows.end(), [](const PaperRow& row) { return row.verdict() == Verdict::kFail; });
}

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{bender2006_paper(), drumwright2009_paper(), rote2012_paper(),
                                      thompson2003_paper()};
  return all;
}

const Paper& find_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : papers()) {
    if (paper.name == name) return paper;
    names.push_back(paper.name);
  }
  throw Error(ErrorKind::kBadInput, fmt::format("there is no paper '{}'{}; there are {}", name,
                                                did_you_mean(name, names), fmt::join(names, ", ")));
}

PaperStudy run_paper(const Paper& paper, const PaperOptions& options) {
  PaperStudy study;
  study.paper = paper.name;
  study.quick = options.quick;
  std::vector<const PaperExperiment*> chosen;
  for (const std::string& name : options.only) chosen.push_back(&find_experiment(paper, name));
  if (chosen.empty())
    for (const PaperExperiment& e : paper.experiments) chosen.push_back(&e);
  for (const PaperExperiment* e : chosen) {
    const std::size_t first = study.rows.size();
    e->run(options, study);
    for (std::size_t i = first; i < study.rows.size(); ++i) study.rows[i].experiment = e->name;
    if (!study.finished) break;
  }
  return study;
}

std::string paper_table(const PaperStudy& study) {
  std::size_t width = 8;
  for (const PaperRow& row : study.rows) width = std::max(width, columns(row.quantity));
  std::string text, last;
  std::size_t failed = 0, judged = 0;
  for (const PaperRow& row : study.rows) {
    if (row.experiment != last) {
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", row.experiment);
      text += fmt::format("  {} {:>12} {:>12}  {} {} {}\n", padded("", width), "expected", "ours", padded("unit", 7),
                          padded("must be", 22), "verdict");
      last = row.experiment;
    }
    const Verdict verdict = row.verdict();
    judged += verdict != Verdict::kInformation;
    failed += verdict == Verdict::kFail;
    std::string line = fmt::format("  {} {:>12} {:>12.6g}  {} {} {}", padded(row.quantity, width),
                                   row.expected ? fmt::format("{:.6g}", *row.expected) : "", row.ours,
                                   padded(row.unit, 7), padded(bounds_text(row), 22), verdict_name(verdict));
    if (!row.note.empty()) line += fmt::format("{}{}", verdict == Verdict::kInformation ? "" : "  ", row.note);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  for (const PaperGrid& grid : study.grids) text += "\n" + grid_text(grid);
  text += fmt::format("\n{}: {} of {} judged rows hold{}{}\n", study.paper, judged - failed, judged,
                      study.quick ? " (quick)" : "", study.finished ? "" : "; interrupted");
  for (const std::string& figure : study.figures) text += fmt::format("wrote {}\n", figure);
  return text;
}

nlohmann::ordered_json paper_json(const PaperStudy& study) {
  using Json = nlohmann::ordered_json;
  // JSON has no NaN.
  const auto number = [](std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); };
  Json j{{"paper", study.paper}, {"quick", study.quick}, {"finished", study.finished}, {"passed", study.passed()}};
  j["rows"] = Json::array();
  for (const PaperRow& row : study.rows) {
    const Verdict verdict = row.verdict();
    j["rows"].push_back({{"experiment", row.experiment},
                         {"quantity", row.quantity},
                         {"unit", row.unit},
                         {"expected", number(row.expected)},
                         {"source", row.source},
                         {"ours", number(row.ours)},
                         {"low", number(row.low)},
                         {"high", number(row.high)},
                         {"verdict", verdict == Verdict::kInformation ? "information"
                                     : verdict == Verdict::kPass      ? "ok"
                                                                      : "fail"},
                         {"note", row.note}});
  }
  j["grids"] = Json::array();
  for (const PaperGrid& grid : study.grids)
    j["grids"].push_back({{"columns", grid.columns}, {"lines", grid.lines}, {"notes", grid.notes}});
  j["figures"] = study.figures;
  return j;
}

}  // namespace touchstone
