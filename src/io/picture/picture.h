#pragma once
// A still picture of a scene's bodies to SVG or PNG (by the path's extension), by cairo: shaded solids in 3D
// seen from a corner above, outlines in 2D. No display or GPU is needed.
#include <string>
#include <vector>

#include "recording/frame.h"
#include "touchstone/description.h"

namespace touchstone {

// Drawn on top of the bodies: a line through points in the world, or a dot.
struct PictureMark {
  std::vector<Eigen::Vector3d> line;
  bool dots = false;   // at its ends
  bool coils = false;  // drawn as a spring
};

struct PictureOptions {
  int width = 1280, height = 800;
  std::string caption;
  // Moments that the camera is to see, as poses each: the pictures of a film share one view. Empty: this moment alone.
  std::vector<std::vector<double>> framing = {};
  std::vector<PictureMark> marks = {};
};

// poses: as in a Frame, slot i belongs to bodies[i].
void draw_picture(int dimension, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                  const PictureOptions& options, const std::string& path);

}  // namespace touchstone
