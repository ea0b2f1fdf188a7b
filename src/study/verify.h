#pragma once
// What the yardstick found in a whole recording: the worst and the mean of each measure, when it was and between whom;
// and energy that nothing accounts for.
#include <string>
#include <vector>

#include "recording/recording.h"
#include "study/finding.h"

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
  double energy_scale = 0;  // energy in motion: the greatest kinetic energy, at least Σ m·g·size [J]
  const MeasureSummary& of(const std::string& name) const;  // throws Error (kBadInput) with the names there are
};

// A measure beside those of the yardstick: the greatest |energy_balance| over the energy in motion, from the frames.
// Its `value` is null: no step has it.
const MeasureInfo& energy_error_info();

// What an error of the energy is compared with [J]: the energy in motion (the greatest kinetic energy, at least
// Σ m·g·size), and not less than the rounding of the greatest energy.
double energy_reference(double kinetic, double weight_energy, double greatest_energy);

// The measures that sum a recording up, each relative, one for each way in which a run can be wrong: contacts, joints,
// energy, drift of sticking contacts. --max-residual bounds all of them.
std::span<const char* const> headline_measures();

// A bound on the worst of a measure.
struct MeasureBound {
  std::string measure;
  double most = 0;
};
// The bounds that are used where a user gives none.
std::span<const MeasureBound> usual_bounds();

// One finding for each measure above its bound; its kind is the measure's name.
std::vector<Finding> findings_above(const Verification& found, std::span<const MeasureBound> bounds,
                                    const std::string& model);

// "floor, cube_17"; "the world" on the side of a joint where no body is.
std::string bodies_text(const MeasureSummary& measure);

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
