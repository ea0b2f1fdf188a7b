#pragma once
// Frames and manifest of a simulation that is running, as bytes and text.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/replay/frame_bytes.h"
#include "touchstone/simulation.h"

namespace touchstone::viewer {

class FrameMaker {
 public:
  // A scene, also after a change of what its manifest says.
  // offers_models: the viewer may choose another model.
  void begin(const Simulation& simulation, const SceneDescription& scene, bool offers_models = true);
  const std::string& manifest() const { return manifest_; }
  void reset();     // the next frame does not follow the last one
  void add_edit();  // the next frame has an event that says so
  // Replaces the bytes.
  void make(const Simulation& simulation, bool edited, std::vector<std::byte>& bytes);

 private:
  std::optional<LiveFrames> frames_;
  std::string manifest_;
  std::vector<ReplayEvent> edits_;
};

}  // namespace touchstone::viewer
