#pragma once
// The experiments of papers, repeated: what each row of their tables should be, what it is here, and whether that will
// do.
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace touchstone {

enum class Verdict : std::uint8_t { kInformation, kPass, kFail };
const char* verdict_name(Verdict verdict);  // "", "ok", "FAIL"

// One number of an experiment. Without bounds it is for information.
struct PaperRow {
  std::string experiment, quantity, unit;
  std::optional<double> expected;   // as the paper prints it, or by formula
  std::string source;               // of `expected`: "paper", "formula", ...
  double ours = 0;                  // NaN: the experiment did not get so far
  std::optional<double> low, high;  // what it must lie between, both included
  std::string note;

  Verdict verdict() const;  // a number that is not finite fails, unless it is for information
};

// Rows with bounds, and one without.
PaperRow row_near(std::string quantity, std::string unit, double expected, double tolerance, double ours);
PaperRow row_at_most(std::string quantity, std::string unit, double bound, double ours);
PaperRow row_at_least(std::string quantity, std::string unit, double bound, double ours);
PaperRow row_between(std::string quantity, std::string unit, double low, double high, double ours);
PaperRow row_info(std::string quantity, std::string unit, std::optional<double> expected, double ours);

struct PaperOptions {
  std::string scenes;   // the folder that holds papers/NAME/*.toml
  std::string figures;  // folder for the figures, which must exist; "": none are drawn
  bool quick = false;   // fewer bodies, steps and rows
  int threads = 1;
  std::vector<std::string> only;  // experiments by name; empty: all
  // Called a few times a second; returning false stops.
  std::function<bool(const std::string& experiment, double fraction)> progress;
};

// A table of words and numbers as a paper prints it, for people; the numbers are in rows, too.
struct PaperGrid {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> notes;
};

struct PaperStudy {
  std::string paper;
  bool quick = false, finished = true;
  std::vector<PaperRow> rows;
  std::vector<PaperGrid> grids;
  std::vector<std::string> figures;  // paths
  bool passed() const;               // no row fails, and nothing was left out by an interruption
};

struct PaperExperiment {
  std::string name, summary;
  void (*run)(const PaperOptions& options, PaperStudy& study);
};

struct Paper {
  std::string name, title;
  std::vector<PaperExperiment> experiments;
};

const std::vector<Paper>& papers();
// Throws Error (kBadInput) with the names there are.
const Paper& find_paper(const std::string& name);
PaperStudy run_paper(const Paper& paper, const PaperOptions& options);

std::string paper_table(const PaperStudy& study);
nlohmann::ordered_json paper_json(const PaperStudy& study);

}  // namespace touchstone
