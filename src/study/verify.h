#pragma once
// What the yardstick found in a whole recording: the worst and the mean of each measure, when it was and between whom.
#include <string>
#include <vector>

#include "recording/recording.h"

namespace touchstone {

struct MeasureSummary {
  const MeasureInfo* info = nullptr;
  double worst = 0, mean = 0;  // mean: over the steps, of each step's mean
  std::uint64_t step = 0;      // of the worst
  double time = 0;             // [s]
  std::string body_a, body_b;  // at the worst; "" if there is none
};

struct Verification {
  std::size_t steps = 0, judged = 0;  // simulated; of these, judged by the yardstick
  std::vector<MeasureSummary> measures;
  const MeasureSummary& of(const std::string& name) const;  // throws Error (kBadInput) with the names there are
};

// Recorded steps that did not converge. Steps between two frames leave no status behind.
struct NotConverged {
  std::size_t steps = 0, of = 0;  // steps with a frame, step 0 aside
  double first_time = 0;          // [s]
};
NotConverged count_not_converged(const Recording& recording);

bool has_measures(const Recording& recording);

// Throws Error (kBadInput) with the remedy if the recording has no measures.
Verification verify_recording(const Recording& recording);

}  // namespace touchstone
