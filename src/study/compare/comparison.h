#pragma once
// A scene under several contact models: the runs, their numbers, and findings about each model (docs/compare.md).
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/compare/creep.h"
#include "study/compare/plan.h"
#include "study/compare/processes.h"
#include "study/finding.h"
#include "study/verify.h"

namespace touchstone::compare {

// What is known of a run when it is over. NaN: not known.
struct RunNumbers {
  std::uint64_t steps = 0, total_steps = 0;  // simulated, wanted
  double time = 0;                           // simulated [s]
  std::optional<Verification> yardstick;     // none: no step was judged
  Creep creep;
  double step_time_median = 0, step_time_mean = 0;               // wall time of a step, without the yardstick [s]
  double iterations_mean = 0, iterations_most = 0;               // a step
  double contacts_most = 0;                                      // contact points of a step
  double substeps_mean = 0;                                      // a step
  std::uint64_t not_converged = 0;                               // steps
  double not_converged_time = 0;                                 // of the first of them [s]
  double energy_drift = 0, energy_drift_time = 0;                // greatest |energy balance| [J], when [s]
  double energy_made = 0, energy_made_time = 0;                  // see docs/compare.md [J]; NaN where it is not known
  double energy_scale = 0;                                       // greatest kinetic energy, at least Σ m·g·size [J]
  double step_error = std::numeric_limits<double>::quiet_NaN();  // of the end, by halving the step [m]
  std::optional<StateDistance> distance;                         // of the end from the reference's
};

// The same model with ever smaller steps.
struct Halving {
  std::vector<double> steps;                                // the compared run's first [s]
  std::vector<std::string> recordings;                      // of the runs
  std::vector<double> differences;                          // between the ends of neighbours, one less [m]
  double error = std::numeric_limits<double>::quiet_NaN();  // estimated, of the finest run's end [m]; NaN: not known
  bool settled = false;
  bool cut_off = false;  // by the budget
  std::string ended;     // why it went no further
};

// Impact in which several contacts of one island take part: the laws of contact allow several answers.
struct ImpactEvent {
  double time = 0;  // end of its step [s]
  std::size_t points = 0;
  std::vector<std::string> bodies;  // that were struck, sorted
};

// Where a run parts from the reference.
struct Parting {
  double time = 0;                  // of the first frame [s]
  std::vector<std::string> bodies;  // the farthest first
  double distance = 0;              // of the first of them [m]
  double explained = 0;             // by the step errors of both runs, at most [m]
  std::optional<ImpactEvent> event;
};

enum class Verdict : std::uint8_t {
  kKept,         // no law was broken
  kBroke,        // at least one was
  kFailed,       // did not reach its end
  kCutOff,       // the same: its time was up
  kInterrupted,  // the same: by the user
};
const char* verdict_name(Verdict verdict);  // "kept", ...

struct ModelRun {
  std::string label, model;
  bool contacts = true, compared = true;
  double step = 0;
  Outcome outcome = Outcome::kWaiting;
  std::string failure;  // why it did not reach its end; "" if it did
  std::uint64_t failed_step = 0;
  std::string recording;  // path; "" if nothing was written
  double elapsed = 0;     // wall time of its process [s]
  RunNumbers numbers;
  Halving halving;
  std::optional<Parting> parting;
  Verdict verdict = Verdict::kKept;
};

struct ConvergenceRow {
  std::string label;
  std::vector<std::optional<double>> errors;  // one a step size [m]
  std::vector<std::optional<double>> orders;  // one less: between neighbours
  std::string text;
};
struct Convergence {
  std::vector<double> steps;  // the largest first [s]
  std::string against;        // what errors are measured from
  std::vector<ConvergenceRow> rows;
};

// The run that distances are measured from.
struct Reference {
  std::string label;                                        // of the model, or path of a recording; "": there is none
  double step = 0;                                          // [s]; 0: of a recording
  double error = std::numeric_limits<double>::quiet_NaN();  // of its end, by halving its step [m]; NaN: not known
  std::string recording;                                    // path
  std::string why;  // why there is none, or why its error is not known; "" where both are
};

struct Comparison {
  std::string scene, scene_name;
  double duration = 0, step = 0, budget = 0;
  SceneFacts facts;
  std::vector<ModelRun> runs;
  std::vector<LeftOut> left_out;
  std::vector<std::string> notes;
  Reference reference;
  std::vector<Finding> findings;  // by run
  std::optional<Convergence> convergence;
  bool interrupted = false;
};

struct RunProgress {
  std::string label;
  double step = 0;
  Outcome outcome = Outcome::kWaiting;
  double fraction = 0, time = 0;
  int level = 0;  // of a halving: step/2^level is at work
};

struct CompareOptions {
  int jobs = 0;        // runs at a time; 0: one a core
  std::string folder;  // for the recordings; must exist
  // Called about ten times a second; returning false stops every run after the step at hand.
  std::function<bool(std::span<const RunProgress>)> progress;
};

Comparison run_comparison(const Plan& plan, const CompareRequest& request, const CompareOptions& options);

}  // namespace touchstone::compare
