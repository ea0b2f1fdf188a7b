#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "touchstone/scene_file.h"

namespace touchstone {

struct CompareSettings {
  std::vector<std::string> models;  ///< NAME or NAME:OPTION=VALUE:…; empty: every model that supports the scene
  std::vector<SceneOverride> sets;  ///< any key of the scene
  std::vector<double> steps;        ///< [s]; none: the scene's; two or more: a convergence study
  std::optional<double> duration;   ///< [s]; none: the scene's
  std::string reference;            ///< a model as in `models`, or a recording; empty: chosen by its measured error
  std::optional<double> budget;  ///< wall time for each model, with its halved steps [s]; none: the command's default
  int jobs = 0;                  ///< runs at a time; 0: one a core
  std::string keep;              ///< folder for the recordings; empty: they are not kept
  const std::atomic<bool>* stop = nullptr;  ///< true: every run ends soon, and what was computed is reported
};

struct ComparedRun {
  std::string label, model;
  double step = 0.0;      ///< [s]
  bool finished = false;  ///< reached its end
  std::string failure;    ///< why it did not; empty if it did
  std::string recording;  ///< path, if recordings are kept
};

struct CompareReport {
  std::vector<ComparedRun> runs;
  std::string reference;         ///< label of the run, or path of the recording; empty: none could serve
  double reference_error = 0.0;  ///< of its end, measured by halving its step [m]; NaN: not known
  bool interrupted = false;
  std::string text;  ///< what `touchstone compare` prints
  std::string json;  ///< the same as data: what `touchstone compare --json` prints (docs/compare.md)
};

/// Runs a scene file under several contact models, each in a process of its own, and says what each of them kept and
/// broke. Call it while the program has one thread: the processes are copies of it. Throws Error as the command does.
CompareReport compare_models(const std::string& scene_file, const CompareSettings& settings = {});

}  // namespace touchstone
