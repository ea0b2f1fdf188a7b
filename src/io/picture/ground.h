#pragma once
// Half-spaces in a 3D picture: a soft grid that fades out, with the shadows of the solids on the one that is
// the ground.
#include "io/canvas.h"
#include "io/picture/camera.h"
#include "io/picture/solids.h"

namespace touchstone {

// Unit vector towards the light: over the viewer's left shoulder.
Eigen::Vector3d light_direction(const Camera& camera);

// Draws every half-space that shows its outside to the eye. Returns the grid's spacing [m], 0 without one.
double draw_half_spaces(Canvas& canvas, const Camera& camera, const PictureScene& scene);

// Shadows that solids above a plane cast on it, within cairo's clip.
void draw_shadows(Canvas& canvas, const Camera& camera, const std::vector<Solid>& solids, const Plane& plane);

void trace(cairo_t* cr, const std::vector<Eigen::Vector2d>& polygon);  // adds it to cairo's path

}  // namespace touchstone
