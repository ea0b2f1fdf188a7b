#pragma once
// How wrong a model's end is because its step is finite: the same run with ever smaller steps and tighter tolerances.
#include "study/compare/comparison.h"

namespace touchstone::compare {

inline constexpr double kSettled = 1e-3;  // of the bodies' size: an error below it is small enough
// Each halving tightens the model's tolerance by this factor: there are twice as many steps, and the sum of their
// errors is to be halved, too.
inline constexpr double kTighter = 4;

// The error of the last run's end, if errors shrink with the step at least as fast as the step does: the greater of
// what the last difference says and what the one before it says. One difference alone may be small by chance (the
// error of a bounce jumps up and down with the place of the impact in its step). NaN: fewer than two differences.
double halving_error(const std::vector<double>& steps, const std::vector<double>& differences);

// Whether the ends do not come nearer to each other: of four differences or more, the last two against the first two.
bool does_not_shrink(const std::vector<double>& differences);

// What the process of one model's halving does: runs at step/2, step/4, ... until the error is small, nothing shrinks,
// `most` halvings are done or the time left does not suffice. `paths`: of the recordings, the compared run's first.
struct HalvingTask {
  const PlannedRun* run = nullptr;
  const SceneFacts* facts = nullptr;
  std::string scene;               // path of the scene file
  double end = 0;                  // simulated time of the compared run's end [s]
  double seconds = 0, before = 0;  // wall time left; what the compared run took [s]
  std::vector<std::string> paths;
};
void halve(const HalvingTask& task, RunState& state, const std::atomic<bool>& stop);

// The path of a run's impact events beside its recording.
std::string events_path(const std::string& recording);

// Reads the differences of runs of one model from their recordings, the largest step first, and estimates the error.
Halving measure_halving(const SceneFacts& facts, const std::vector<double>& steps,
                        const std::vector<std::string>& recordings);

// Throws Error (kBadInput) if it holds no frames.
Frame last_frame(const std::string& path);

}  // namespace touchstone::compare
