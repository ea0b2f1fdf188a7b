#pragma once
// The manifest of a run: everything about it that does not change from frame to frame, as JSON (docs/viewer.md).
#include <string>

#include "io/replay/geometry_table.h"
#include "io/replay/world.h"

namespace touchstone {

ReplayJson replay_manifest(const Recording& recording, const ReplayWorld& world);
// Of a world that is running: "models" lists those that can be chosen for its scene, none without offers_models; the
// number of frames is not known and 0.
ReplayJson replay_manifest(const Simulation& simulation, const ReplayWorld& world, bool offers_models = true);

// Of a scene at rest, without a run: no report and no frames.
ReplayJson replay_manifest(const ReplayWorld& world);

// Why a recording is not all that its run was to give, as a sentence; empty if nothing is missing.
std::string truncation_of(const Recording& recording);

// As text; bytes of names that are not UTF-8 become the replacement character, numbers that are not finite null.
std::string replay_text(const ReplayJson& json);

}  // namespace touchstone
