#pragma once
// A scene under several contact models: the runs, their numbers, and what each model gave up, in words
// (docs/compare.md).
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/compare/creep.h"
#include "study/compare/plan.h"
#include "study/compare/processes.h"
#include "study/verify.h"

namespace touchstone::compare {

// What is known of a run when it is over. NaN: not known.
struct RunNumbers {
  std::uint64_t steps = 0, total_steps = 0;  // simulated, wanted
  double time = 0;                           // simulated [s]
  std::optional<Verification> yardstick;     // none: no step was judged
  Creep creep;
  double step_time_median = 0, step_time_mean = 0;  // wall time of a step, without the yardstick [s]
  double iterations_mean = 0, iterations_most = 0;  // a step
  double contacts_most = 0;                         // contact points of a step
  double substeps_mean = 0;                         // a step
  std::uint64_t not_converged = 0;                  // steps
  double not_converged_time = 0;                    // of the first of them [s]
  double energy_drift = 0, energy_drift_time = 0;   // greatest |energy balance| [J], when [s]
  double energy_made = 0, energy_made_time = 0;     // see docs/compare.md [J]; NaN where bodies are driven
  double energy_scale = 0;                          // greatest kinetic energy, at least Σ m·g·size [J]
  std::optional<StateDistance> distance;            // of the end from the reference's
};

struct ModelRun {
  std::string label, model;
  bool contacts = true, compared = true;
  double step = 0;
  Outcome outcome = Outcome::kWaiting;
  std::string failure;  // why it did not reach its end; "" if it did
  std::uint64_t failed_step = 0;
  std::string recording;  // path; "" if nothing was written
  RunNumbers numbers;
};

// One sentence about a run.
struct Word {
  std::size_t run = 0;
  std::string rule;     // which rule it comes from; "" for a run that broke none
  std::string verdict;  // "held", "gave up", "failed"
  std::string text;
};

struct ConvergenceRow {
  std::string label;
  std::vector<std::optional<double>> errors;  // one a step size [m]
  std::vector<std::optional<double>> orders;  // one less: between neighbours
  std::string words;
};
struct Convergence {
  std::vector<double> steps;  // the largest first [s]
  std::string against;        // what errors are measured from
  std::vector<ConvergenceRow> rows;
};

struct Comparison {
  std::string scene, scene_name;
  double duration = 0, step = 0;
  SceneFacts facts;
  std::vector<ModelRun> runs;
  std::vector<LeftOut> left_out;
  std::vector<std::string> notes;
  std::string reference;  // label of the run, or path of the recording; "": none could serve
  std::vector<Word> words;
  std::optional<Convergence> convergence;
  bool interrupted = false;
};

struct RunProgress {
  std::string label;
  double step = 0;
  Outcome outcome = Outcome::kWaiting;
  double fraction = 0, time = 0;
};

struct CompareOptions {
  int jobs = 0;        // runs at a time; 0: one a core
  std::string folder;  // for the recordings; must exist
  // Called about ten times a second; returning false stops every run after the step at hand.
  std::function<bool(std::span<const RunProgress>)> progress;
};

Comparison run_comparison(const Plan& plan, const CompareRequest& request, const CompareOptions& options);

}  // namespace touchstone::compare
