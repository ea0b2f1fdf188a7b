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

// Recorded quantities over time, as numbers.
struct SeriesTable {
  struct Series {
    std::string name, unit;      // "" for numbers without a unit
    std::vector<double> values;  // one a frame; NaN: not measured, or the body is not there
  };
  std::vector<double> time;  // of the frames [s]
  std::vector<Series> series;
};
// Names as for plot_of, of any units. Throws Error with the names there are.
SeriesTable series_of(const Recording& recording, const std::vector<std::string>& quantities);
// "time [s],energy [J]" and a row a frame, with as few digits as bring back the same number.
std::string series_csv(const SeriesTable& table);

// A plot of recorded quantities over time: report fields ("energy", "penetration"), or a body's
// components as "NAME.x", "NAME.vy", "NAME.angle", "NAME.speed", ... All must share a unit. Throws Error with
// the names there are.
Plot plot_of(const Recording& recording, const std::vector<std::string>& quantities);

}  // namespace touchstone
