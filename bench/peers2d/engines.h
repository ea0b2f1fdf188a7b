#pragma once
// The engines that run planar scenes.
#include "peers/engine.h"

namespace touchstone::bench {

std::unique_ptr<Engine> make_box2d(const Scene& scene, const EngineOptions& options);
std::unique_ptr<Engine> make_chipmunk(const Scene& scene, const EngineOptions& options);

const std::vector<EngineEntry>& planar_engines();

}  // namespace touchstone::bench
