#pragma once
// The two ways of drawing a picture, by dimension; poses as in a Frame; framing as in PictureOptions.
#include <string>
#include <vector>

#include "io/canvas.h"
#include "io/picture/picture.h"
#include "touchstone/description.h"

namespace touchstone {

// Each returns a note about the scale, such as "grid 0.5 m", or "".
std::string draw_scene_2d(Canvas& canvas, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                          const PictureOptions& options);
std::string draw_scene_3d(Canvas& canvas, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                          const PictureOptions& options);

// A mark whose points are given in pixels.
void draw_mark(Canvas& canvas, const PictureMark& mark, const std::vector<Eigen::Vector2d>& page);

// The colour of outlines for a filling.
Color edge_color(const Color& color);

}  // namespace touchstone
