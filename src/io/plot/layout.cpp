#include "io/plot/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/plot/ticks.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;

constexpr double kLargest = 1e300;          // beyond, differences overflow; taken as a gap
constexpr double kSameRelative = 1e-10;     // a range below this part of its values is noise: drawn as constant
constexpr double kCharacter = 7.4;          // mean width of a tick's character, pixels
constexpr std::size_t kLongestLegend = 14;  // entries

bool is_point(double x, double y) { return std::abs(x) < kLargest && std::abs(y) < kLargest; }  // false for NaN

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// [low, high] of all drawn points along one axis; false if there are none.
bool range_of(const Plot& plot, std::vector<double> PlotSeries::*values, PlotAxis& axis) {
  bool any = false;
  for (const PlotSeries& series : plot.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!is_point(series.x[i], series.y[i])) continue;
      const double v = (series.*values)[i];
      axis.low = any ? std::min(axis.low, v) : v;
      axis.high = any ? std::max(axis.high, v) : v;
      any = true;
    }
  }
  return any;
}

// A constant gets room on both sides; values that begin near zero begin at zero.
void widen(PlotAxis& axis, bool with_margin) {
  const double size = std::max(std::abs(axis.low), std::abs(axis.high));
  if (axis.high - axis.low <= kSameRelative * size) {
    const double room = size > 0 ? 0.1 * size : 1.0;
    axis.low -= room, axis.high += room;
  } else if (with_margin) {
    const double margin = 0.05 * (axis.high - axis.low);
    const bool from_zero = axis.low >= 0 && axis.low < 0.2 * axis.high;
    axis.low = from_zero ? 0 : axis.low - margin;
    axis.high += margin;
  }
}

void set_ticks(PlotAxis& axis, const std::string& label, int parts) {
  const double step = nice_step(axis.high - axis.low, parts);
  axis.ticks = tick_values(axis.low, axis.high, step);
  double largest = 0;
  for (const double tick : axis.ticks) largest = std::max(largest, std::abs(tick));
  const ScaledLabel scaled = scaled_label(label, largest);
  axis.label = scaled.label;
  for (const double tick : axis.ticks) axis.texts.push_back(tick_text(tick * scaled.factor, step * scaled.factor));
}

// Keeps of each column of pixels the points that can be seen, in the order in which they came.
class ColumnThinner {
 public:
  explicit ColumnThinner(std::vector<Vector2d>& out) : out_(out) {}
  void add(const Vector2d& p) {
    const double column = std::floor(p.x());
    if (count_ > 0 && column != column_) flush();
    column_ = column;
    if (count_ == 0) first_ = low_ = high_ = p, low_at_ = high_at_ = 0;
    if (p.y() < low_.y()) low_ = p, low_at_ = count_;
    if (p.y() > high_.y()) high_ = p, high_at_ = count_;
    last_ = p;
    ++count_;
  }
  void flush() {
    if (count_ == 0) return;
    out_.push_back(first_);
    const bool low_first = low_at_ <= high_at_;
    for (const bool low : {low_first, !low_first}) {
      const std::size_t at = low ? low_at_ : high_at_;
      if (at > 0 && at + 1 < count_) out_.push_back(low ? low_ : high_);
    }
    if (count_ > 1) out_.push_back(last_);
    count_ = 0;
  }

 private:
  std::vector<Vector2d>& out_;
  Vector2d first_, last_, low_, high_;
  double column_ = 0;
  std::size_t count_ = 0, low_at_ = 0, high_at_ = 0;
};

PlotCurve curve_of(const PlotSeries& series, const PlotLayout& layout) {
  PlotCurve curve;
  const double scale_x = (layout.right - layout.left) / (layout.x.high - layout.x.low);
  const double scale_y = (layout.bottom - layout.top) / (layout.y.high - layout.y.low);
  for (std::size_t i = 0; i < series.x.size();) {
    if (!is_point(series.x[i], series.y[i])) {
      ++i;
      continue;
    }
    std::vector<Vector2d> run;
    ColumnThinner thinner(run);
    for (; i < series.x.size() && is_point(series.x[i], series.y[i]); ++i)
      thinner.add({layout.left + (series.x[i] - layout.x.low) * scale_x,
                   layout.bottom - (series.y[i] - layout.y.low) * scale_y});
    thinner.flush();
    curve.runs.push_back(std::move(run));
  }
  return curve;
}

void set_legend(const Plot& plot, PlotLayout& layout) {
  if (plot.series.size() < 2) return;
  for (const PlotSeries& series : plot.series) layout.legend.push_back(series.label);
  if (layout.legend.size() <= kLongestLegend) return;
  layout.legend.resize(kLongestLegend);
  layout.legend.push_back(fmt::format("and {} more", plot.series.size() - kLongestLegend));
}

void set_frame(const Plot& plot, PlotLayout& layout) {
  std::size_t tick = 1, entry = 0;
  for (const std::string& text : layout.y.texts) tick = std::max(tick, characters(text));
  for (const std::string& text : layout.legend) entry = std::max(entry, characters(text));
  const double legend = layout.legend.empty() ? 28 : 60 + 1.02 * kCharacter * static_cast<double>(entry);
  layout.left = 34 + kCharacter * static_cast<double>(tick);
  layout.right = std::max(layout.left + 40, plot.width - std::min(legend, 0.45 * plot.width));
  layout.top = plot.title.empty() ? 44 : 72;
  layout.bottom = std::max(layout.top + 40, plot.height - 58.0);
}

}  // namespace

PlotLayout lay_out(const Plot& plot) {
  for (const PlotSeries& series : plot.series)
    if (series.x.size() != series.y.size())
      throw Error(ErrorKind::kBadInput, fmt::format("plot: series '{}' has {} x values and {} y values", series.label,
                                                    series.x.size(), series.y.size()));
  PlotLayout layout;
  layout.empty = !range_of(plot, &PlotSeries::x, layout.x) || !range_of(plot, &PlotSeries::y, layout.y);
  if (!layout.empty) widen(layout.x, false), widen(layout.y, true);
  set_ticks(layout.x, plot.x_label, std::clamp(plot.width / 200, 2, 8));
  set_ticks(layout.y, plot.y_label, std::clamp(plot.height / 130, 2, 6));
  set_legend(plot, layout);
  set_frame(plot, layout);
  for (const PlotSeries& series : plot.series) layout.curves.push_back(curve_of(series, layout));
  return layout;
}

}  // namespace touchstone
