// The public recorder: the tape of `run` around a simulation that a program steps.
#include "touchstone/recorder.h"

#include "study/runner.h"
#include "study/tape.h"

namespace touchstone {
namespace {

RecordingInfo info_of(const Simulation& simulation, const RecorderOptions& options) {
  LoadedScene loaded;
  if (!options.scene_file.empty())
    loaded = read_scene(options.scene_file, options.overrides);
  else
    loaded.scene.duration = 0;  // nobody knows yet how far the program goes
  loaded.scene.record = options.what;
  return recording_info(simulation, loaded, options.scene_file, options.overrides);
}

}  // namespace

struct Recorder::Impl {
  Impl(const std::string& path, Simulation& recorded, const RecorderOptions& options)
      : simulation(recorded),
        writer(path, info_of(recorded, options)),
        tape(&writer, options.what, options.snapshot_every) {
    simulation.set_yardstick(options.what.yardstick);
    simulation.forget_measures();
    tape.write(simulation, false);
  }
  Simulation& simulation;
  RecordingWriter writer;
  Tape tape;
};

Recorder::Recorder(const std::string& path, Simulation& simulation, const RecorderOptions& options)
    : impl_(std::make_unique<Impl>(path, simulation, options)) {}
Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

void Recorder::record() { impl_->tape.write(impl_->simulation, false); }

void Recorder::finish(bool complete) {
  impl_->tape.close(impl_->simulation);
  impl_->writer.finish(complete);
}

const std::string& Recorder::path() const { return impl_->writer.path(); }

}  // namespace touchstone
