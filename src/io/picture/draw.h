#pragma once
// The two ways of drawing a picture, by dimension; poses as in a Frame; framing as in PictureOptions.
#include <string>
#include <vector>

#include "io/canvas.h"
#include "touchstone/description.h"

namespace touchstone {

// Each returns a note about the scale, such as "grid 0.5 m", or "".
std::string draw_scene_2d(Canvas& canvas, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                          const std::vector<std::vector<double>>& framing);
std::string draw_scene_3d(Canvas& canvas, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                          const std::vector<std::vector<double>>& framing);

// The colour of outlines for a filling.
Color edge_color(const Color& color);

}  // namespace touchstone
