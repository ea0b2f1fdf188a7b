#pragma once
// Runs that may crash, side by side, each in a copy of the process: what one of them does to itself, the others do not
// notice. Progress and results come back through memory that both see, so that nothing is lost in a crash.
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace touchstone::compare {

enum class Outcome : std::uint8_t {
  kWaiting,      // was never started: interrupted before
  kRunning,      // (while it does)
  kFinished,     // reached its end
  kStopped,      // the simulation stopped by itself: step too large, number not finite
  kRefused,      // the model does not do this scene, or the recording could not be written
  kInterrupted,  // by the user; what was computed is there
  kCutOff,       // its time was up (--budget); what was computed is there
  kCrashed,      // its process died
};
const char* outcome_name(Outcome outcome);  // "finished", ...

// Of one run, in memory that its process and the parent share. `done`, `total`, `time` and `level` may be read while it
// runs, the rest after its end.
struct RunState {
  std::atomic<std::uint64_t> done{0}, total{0};  // steps
  std::atomic<double> time{0};                   // simulated [s]
  std::atomic<Outcome> outcome{Outcome::kWaiting};
  std::atomic<int> level{0};             // of a halving: which run is at work, 1 at half the step; 0 of a plain run
  std::atomic<bool> out_of_time{false};  // it was asked to stop because its time was up

  std::uint64_t failed_step = 0;  // in which it stopped or crashed; 0: it did not
  char message[1000] = {};        // why

  std::uint64_t not_converged = 0, first_not_converged = 0;  // steps; the first of them, 0: none
  std::int64_t most_contacts = 0;                            // of a step
  std::int64_t substeps = 0;                                 // sum over the steps
  std::int64_t iterations = 0, most_iterations = 0;          // sum over the steps, greatest of one
  double wall_time = 0, median_wall_time = 0;                // of the steps, without the yardstick [s]
  double largest_balance = 0, largest_balance_time = 0;      // greatest |energy balance| [J], when [s]
  double energy_made = 0, energy_made_time = 0;              // greatest StepReport::energy_made [J], when [s]
  double kinetic = 0;                                        // greatest kinetic energy [J]
  int levels = 0;                                            // of a halving: runs that reached their end
  double elapsed = 0;                                        // wall time of the process [s]

  void fail(Outcome how, const std::string& why);
};

// What a process does; `stop` becomes true when it should end soon. What it throws is its failure (kRefused).
using RunWork = std::function<void(RunState& state, const std::atomic<bool>& stop)>;

inline constexpr double kGrace = 3;  // s

class RunStates {
 public:
  explicit RunStates(std::size_t count);
  ~RunStates();
  RunStates(const RunStates&) = delete;
  RunStates& operator=(const RunStates&) = delete;
  std::size_t size() const { return count_; }
  RunState& operator[](std::size_t i) const { return states_[i]; }

 private:
  std::size_t count_ = 0;
  RunState* states_ = nullptr;
};

// Does all of it, `jobs` at a time. `goes_on` is called about ten times a second; once it returns false, no more are
// started and those that run are asked to stop. `seconds`: wall time that each may take (none: any). One that takes
// longer is asked to stop, and killed if it does not within kGrace: a single step may take minutes.
// Call it while the program has one thread: the copies have no others.
// Throws Error (kIo) if no process can be started.
void run_in_processes(const std::vector<RunWork>& works, const RunStates& states, int jobs,
                      const std::function<bool()>& goes_on, const std::vector<double>& seconds = {});

}  // namespace touchstone::compare
