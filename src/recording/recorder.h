#pragma once
// Writes a recording. While the simulation runs, the file is a journal: checksummed records, only ever
// appended to, so that a process that is killed at any moment leaves every record it had written. When the
// run ends, finish() turns it into HDF5 under the same name; until then the journal is never touched.
// Every `touchstone` command opens either form (recording.h).
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "recording/frame.h"

namespace touchstone {

class RecordingWriter {
 public:
  // Begins a new file (an old one of that name is replaced). Throws Error (kIo) if it cannot be made.
  RecordingWriter(const std::string& path, const RecordingInfo& info);
  // Goes on with a journal that is already there and ends in a complete record.
  static RecordingWriter append_to(const std::string& path);
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;

  // After every step: its mark; the frame if this step is to be recorded (step 0, every n-th, the last).
  void mark(const StepMark& mark);
  void frame(const Frame& frame);
  // A snapshot from which the run can go on. Belongs to the last step marked, and comes after that step's
  // frame: a resumed run goes on behind it and does not record the step again.
  void snapshot(std::uint64_t step, std::span<const std::byte> bytes);
  // Hands everything to the operating system if the last time was more than `seconds` ago (0: now). A killed
  // process loses nothing that was handed over; without this call that happens within a quarter of a second.
  // Throws Error (kIo) on a full disk; what was written stays.
  void flush(double seconds = 0.0);
  // Turns the journal into HDF5. On failure the journal stays, complete, and Error (kIo) says so.
  // complete: the run reached its end.
  void finish(bool complete);
  const std::string& path() const;

 private:
  struct Impl;
  explicit RecordingWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Writes the recording at `from` (either form) up to its last snapshot, or up to its end if that comes first,
// as a journal to `to` (replaced atomically; may be the same path). Returns the snapshot's step.
// duration: what the copy says the run is to reach, instead of what the recording said [s].
std::uint64_t copy_up_to_snapshot(const std::string& from, const std::string& to,
                                  std::optional<double> duration = std::nullopt);

// Turns a journal at `path` that a killed run left behind into HDF5 in place.
void convert_journal(const std::string& path);

// Removes the temporary file beside a recording (NAME.h5.tmp) that a killed process left there. False if there is none,
// or if a living process still writes the recording or that file.
bool remove_leftover(const std::string& path);

}  // namespace touchstone
