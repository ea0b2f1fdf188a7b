#pragma once
// Where everything of a plot goes on its page; what draw_plot draws, and what can be tested without reading
// pixels.
#include <Eigen/Core>
#include <string>
#include <vector>

#include "io/plot/plot.h"

namespace touchstone {

struct PlotAxis {
  double low = 0, high = 1;        // of the data
  std::string label;               // with the unit as scaled for the ticks' texts
  std::vector<double> ticks;       // in the data's unit
  std::vector<std::string> texts;  // of the ticks
};

// A series without its gaps (NaN, infinity): each run is a line in pixels, or a dot if it is one point. Where
// many points share a column of pixels, only the first, lowest, highest and last are kept: the picture is the
// same.
struct PlotCurve {
  std::vector<std::vector<Eigen::Vector2d>> runs;
};

struct PlotLayout {
  double left = 0, top = 0, right = 0, bottom = 0;  // of the axes' frame, pixels
  PlotAxis x, y;
  std::vector<PlotCurve> curves;    // one a series
  std::vector<std::string> legend;  // empty with fewer than two series
  bool empty = false;               // there is no finite point
};

// Throws Error if a series has not as many x as y.
PlotLayout lay_out(const Plot& plot);

}  // namespace touchstone
