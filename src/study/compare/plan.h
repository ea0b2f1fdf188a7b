#pragma once
// What a comparison will run: models, step sizes and the scene as each of them gets it. Everything that can be wrong
// with what was asked for is said here, before anything is computed.
#include <optional>
#include <string>
#include <vector>

#include "io/scene/reader.h"
#include "study/compare/scene_facts.h"

namespace touchstone::compare {

inline constexpr int kMostHalvings = 12;  // 4096 runs' worth of time

struct CompareRequest {
  std::string scene;                // path
  std::vector<std::string> models;  // NAME or NAME:OPTION=VALUE:…; empty: every model that does the scene
  // Any key of the scene. model.OPTION goes to the models that have such an option, NAME.OPTION to that model.
  std::vector<SceneOverride> sets;
  std::vector<double> steps;  // [s]; none: the scene's; two or more: a convergence study
  std::optional<double> duration;
  std::optional<std::int64_t> seed;
  double frames_per_second = 30;
  std::string reference;  // a model as in `models`, or a recording; "": the model with the least error (halving.h)
  double budget = 60;     // wall time that a model may take, halving included [s]
  int halvings = 6;       // of the step, at most, to find each model's own error; 0: none
};

// One run to be made.
struct PlannedRun {
  std::string label;  // the model as it was asked for
  std::string model;
  bool contacts = true;  // the model looks for contacts
  double step = 0;       // [s]
  bool compared = true;  // at the step of the comparison; others belong to the convergence study only
  LoadedScene loaded;
  std::vector<SceneOverride> overrides;
};

struct LeftOut {
  std::string label, reason;
};

struct Plan {
  std::string scene_name, scene_model;
  double step = 0, duration = 0;  // of the comparison [s]
  std::vector<double> steps;      // of the convergence study, the largest first; empty: none
  std::vector<PlannedRun> runs;   // by model, then by step as in `steps`
  std::vector<LeftOut> left_out;
  std::vector<std::string> notes;  // what a reader should know
  SceneFacts facts;
};

// Throws Error (kBadInput) for an unknown model or option, step sizes that do not meet at the end, a wrong scene;
// (kUnsupported) with every reason if no model does the scene.
Plan make_plan(const CompareRequest& request);

}  // namespace touchstone::compare
