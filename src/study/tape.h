#pragma once
// Writes what the steps of a simulation leave behind to a recording: a mark a step, frames as described, snapshots.
#include <chrono>

#include "recording/recorder.h"
#include "touchstone/simulation.h"

namespace touchstone {

class Tape {
 public:
  // A null writer writes nothing. snapshot_every: seconds of wall time.
  Tape(RecordingWriter* writer, const RecordDescription& what, double snapshot_every)
      : writer_(writer), what_(what), snapshot_every_(snapshot_every) {}

  // After a step, and at the start. last: the frame and the snapshot are due whatever the step.
  void write(Simulation& simulation, bool last);
  // Where a run stops before its end: the frame and the snapshot it can go on from.
  void close(Simulation& simulation);

 private:
  using Clock = std::chrono::steady_clock;
  void frame(Simulation& simulation);
  void snapshot(const Simulation& simulation);

  RecordingWriter* writer_;
  RecordDescription what_;
  double snapshot_every_;
  Frame frame_;
  std::uint64_t last_frame_ = ~std::uint64_t{0};
  Clock::time_point last_snapshot_{};  // the first step gets one: a run can be resumed from its first moment on
};

}  // namespace touchstone
