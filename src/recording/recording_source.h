#pragma once
// The two forms of a recording behind one face.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/recording.h"

namespace touchstone {

class RecordingSource {
 public:
  virtual ~RecordingSource() = default;
  virtual bool journal() const = 0;
  virtual Frame read_frame(std::size_t index) const = 0;
  virtual std::vector<double> series(const std::string& field) const = 0;
  virtual std::optional<Recording::Snapshot> last_snapshot() const = 0;

  std::string path;
  RecordingInfo info;
  bool complete = false;
  std::uint64_t truncated_bytes = 0;
  std::vector<StepMark> steps, frames;
};

// Looks at the first bytes and opens either form.
std::unique_ptr<RecordingSource> open_source(const std::string& path);

}  // namespace touchstone
