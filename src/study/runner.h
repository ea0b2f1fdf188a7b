#pragma once
// Runs a simulation to its end with recording, snapshots, progress and interruption: what `run`, `resume` and `demo`
// share.
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/scene/reader.h"
#include "recording/recorder.h"
#include "touchstone/simulation.h"

namespace touchstone {

struct RunOptions {
  double snapshot_every = 2.0;  // s of wall time between snapshots in the recording
  // Called a few times a second with the steps done and to do; returning false stops the run after the step at hand.
  std::function<bool(const Simulation&, std::uint64_t done, std::uint64_t total)> progress;
  std::function<void(const StepReport&)> each_step;  // called after every step
  // Interrupts the step at hand, and with it the run (Simulation::set_stop).
  const std::atomic<bool>* stop = nullptr;
};

// A joint that broke: which, when, and the reaction that broke it.
struct BrokenJoint {
  std::string name;
  double time = 0;               // [s], end of the step
  double force = 0, torque = 0;  // mean over the step [N], [N·m]
};

struct RunSummary {
  bool finished = false;         // reached its end
  std::optional<Error> failure;  // the simulation stopped by itself: unstable step, NaN
  std::uint64_t steps = 0;       // of this run
  double simulated_time = 0;     // [s], of the world at the end
  double wall_time = 0;          // [s]
  double mean_contacts = 0;
  std::int64_t most_contacts = 0, most_substeps = 0;
  // By the yardstick, merged over the steps; not measured: it was off. Nothing here is what a model says of itself.
  StepMeasures measures;
  std::uint64_t not_converged = 0;   // steps that reported it
  double first_not_converged = 0;    // [s], end of the first of these
  std::string not_converged_reason;  // of that one; "" where its model does not tell
  std::vector<BrokenJoint> broken;   // in order of time
  double start_energy = 0;           // [J], kinetic + potential
  double greatest_kinetic = 0;       // [J]
  double greatest_energy = 0;        // [J], of |kinetic + potential|
  double largest_balance = 0;        // [J], greatest |energy balance| met
  double largest_balance_time = 0;   // [s]
  std::uint64_t largest_balance_step = 0;
  StepReport last;
  std::uint64_t state_hash = 0;
};

// What a recording of this run says of it before the first step.
RecordingInfo recording_info(const Simulation& simulation, const LoadedScene& loaded, const std::string& path,
                             const std::vector<SceneOverride>& overrides);

// "" where there is no body of that slot.
std::string name_of_slot(const Simulation& simulation, std::uint32_t slot);

// Steps that bring a world of step size h to `duration`.
std::uint64_t steps_for(double duration, double h);

// Runs until `duration` of simulated time. With a recorder: the state at the start too if this is step 0, marks for
// every step, frames as `record` says and the last one always, snapshots; the recording is not finished here. The
// yardstick is on unless `record` says otherwise, with a recorder or without. A failure of the simulation is in the
// summary; an error of the recorder is thrown (kIo).
RunSummary run_simulation(Simulation& simulation, double duration, const RecordDescription& record,
                          RecordingWriter* recorder, const RunOptions& options);

}  // namespace touchstone
