#include "study/tape.h"

#include <algorithm>

namespace touchstone {

void Tape::write(Simulation& simulation, bool last) {
  if (!writer_) return;
  const std::uint64_t step = simulation.step_count();
  writer_->mark({step, simulation.time(), simulation.state_hash()});
  const bool due = step % static_cast<std::uint64_t>(std::max<std::int64_t>(1, what_.every)) == 0 || last;
  if (due) frame(simulation);
  const double since = std::chrono::duration<double>(Clock::now() - last_snapshot_).count();
  if (last || since > snapshot_every_) snapshot(simulation);
}

void Tape::close(Simulation& simulation) {
  if (!writer_) return;
  frame(simulation);
  snapshot(simulation);
}

// The measures of the steps between two frames go into the second.
void Tape::frame(Simulation& simulation) {
  if (simulation.step_count() == last_frame_) return;
  capture_frame(simulation, what_, frame_);
  writer_->frame(frame_);
  simulation.forget_measures();
  last_frame_ = simulation.step_count();
}

void Tape::snapshot(const Simulation& simulation) {
  writer_->snapshot(simulation.step_count(), simulation.snapshot());
  last_snapshot_ = Clock::now();
}

}  // namespace touchstone
