#pragma once
// Reads a recording: finished (HDF5) or the journal of a run that is going on or was killed.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/frame.h"

namespace touchstone {

class Recording {
 public:
  // Throws Error naming the file for one that is missing, empty, of another program or version, or damaged. A
  // journal is read up to its last complete record; `truncated_bytes` tells what was left over.
  static Recording open(const std::string& path);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const std::string& path() const;
  const RecordingInfo& info() const;
  bool journal() const;                        // not yet turned into HDF5
  bool complete() const;                       // the run reached its end
  std::uint64_t truncated_bytes() const;       // of a journal: bytes of an incomplete last record
  const std::vector<StepMark>& steps() const;  // every simulated step, step 0 first
  std::size_t frame_count() const;
  const std::vector<StepMark>& frames() const;  // of the recorded frames
  Frame read_frame(std::size_t index) const;
  // One report field over all frames (names: report_fields()); throws for an unknown name.
  std::vector<double> series(const std::string& field) const;
  struct Snapshot {
    std::uint64_t step = 0;
    std::vector<std::byte> bytes;
  };
  std::optional<Snapshot> last_snapshot() const;

 private:
  struct Impl;
  explicit Recording(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone
