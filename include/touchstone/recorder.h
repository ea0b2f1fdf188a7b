#pragma once
#include <memory>
#include <string>
#include <vector>

#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone {

struct RecorderOptions {
  RecordDescription what;  ///< how often frames are taken, and what they hold
  /// The scene file that the simulation was made from, and the changes to it. The recording keeps them, so that the
  /// program `touchstone` can view, draw, export and resume it. Empty: a scene made by code; its recording can be
  /// plotted and verified.
  std::string scene_file;
  std::vector<SceneOverride> overrides;
  double snapshot_every = 2.0;  ///< seconds of wall time between snapshots to resume from
};

/// Records a simulation to an HDF5 file, as `touchstone run` does.
///
///     Recorder recorder("out.h5", simulation);
///     while (simulation.time() < 2) simulation.step(), recorder.record();
///     recorder.finish();
///
/// Until finish() the file is a journal that survives a kill and that every touchstone command reads.
class Recorder {
 public:
  /// Begins the file (an old one of that name is replaced) with the state as it is, and switches the yardstick as
  /// `options.what` says. The simulation must outlive the recorder. Throws Error (kIo, kBadInput).
  Recorder(const std::string& path, Simulation& simulation, const RecorderOptions& options = {});
  ~Recorder();  ///< without finish(): the file stays a journal
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  /// To be called after every step. Throws Error (kIo) if the disk is full; what was written stays.
  void record();
  /// Records the last state and turns the journal into HDF5. complete: the run reached its end.
  void finish(bool complete = true);
  const std::string& path() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone
