#pragma once
// Line plots to SVG or PNG (by the path's extension), by cairo.
#include <string>
#include <vector>

#include "recording/recording.h"

namespace touchstone {

struct PlotSeries {
  std::string label;
  std::vector<double> x, y;
};

struct Plot {
  std::string title, x_label, y_label;  // labels with units
  std::vector<PlotSeries> series;
  int width = 900, height = 520;
};

void draw_plot(const Plot& plot, const std::string& path);

// A plot of recorded quantities over time: report fields ("energy", "max_penetration"), or a body's
// components as "NAME.x", "NAME.vy", "NAME.angle", "NAME.speed", ... All must share a unit. Throws Error with
// the names there are.
Plot plot_of(const Recording& recording, const std::vector<std::string>& quantities);

}  // namespace touchstone
