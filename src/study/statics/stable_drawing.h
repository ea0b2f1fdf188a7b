#pragma once
// The picture of a verdict: the structure, its forces or the motion it begins with, as SVG or PNG.
#include "study/statics/stable.h"

namespace touchstone::statics {

// Throws Error: kBadInput for another ending, kIo if the file cannot be written.
void draw_stable(const SceneDescription& scene, const StableReport& report, const std::string& path);

}  // namespace touchstone::statics
