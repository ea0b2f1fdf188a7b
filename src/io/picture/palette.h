#pragma once
// The colours of bodies in pictures and in glTF: safe for colour-blind eyes, the same for the same name every
// time.
#include <vector>

#include "io/canvas.h"
#include "touchstone/description.h"

namespace touchstone {

// Static bodies are grey. Others get a colour by the base of their name, another one if a base before it has
// taken that; members of a lattice (NAME_0, NAME_1, ...) share it and differ a little in lightness, in a few
// steps, so that they can share materials.
std::vector<Color> body_colors(const std::vector<BodyDescription>& bodies);

}  // namespace touchstone
