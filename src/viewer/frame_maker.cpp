#include "viewer/frame_maker.h"

#include "io/replay/manifest.h"

namespace touchstone::viewer {

void FrameMaker::begin(const Simulation& simulation, const SceneDescription& scene, bool offers_models) {
  const ReplayWorld world = replay_world(simulation, scene);
  frames_.emplace(world);
  manifest_ = replay_text(replay_manifest(simulation, world, offers_models));
}

void FrameMaker::reset() {
  frames_->reset();
  edits_.clear();
}

void FrameMaker::add_edit() {
  if (edits_.empty()) edits_.push_back({.kind = ReplayEventKind::kEdit});
}

void FrameMaker::make(const Simulation& simulation, bool edited, std::vector<std::byte>& bytes) {
  const std::span<const std::byte> made = frames_->capture(simulation, edited, edits_);
  bytes.assign(made.begin(), made.end());
  edits_.clear();
}

}  // namespace touchstone::viewer
