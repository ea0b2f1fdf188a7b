#pragma once
// A scene as the text of a scene file: boxes, balls, convex shapes and half-spaces, with materials.
#include <string>

#include "touchstone/description.h"

namespace touchstone::statics {

// Numbers keep every bit. Throws Error (kUnsupported) for what it does not write: joints, springs, forces, other
// shapes.
std::string scene_text(const SceneDescription& scene, const std::string& comment);

}  // namespace touchstone::statics
