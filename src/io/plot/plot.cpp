#include "io/plot/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/canvas.h"
#include "io/plot/layout.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;

constexpr Color kPaper{1, 1, 1}, kGrid = from_hex(0xe3e7ec), kAxis = from_hex(0x6b7280), kText = from_hex(0x1f2937);
// Okabe and Ito, without the yellow that is lost on white; after one round the lines are dashed.
constexpr std::array kLines{from_hex(0x0072b2), from_hex(0xd55e00), from_hex(0x009e73), from_hex(0xcc79a7),
                            from_hex(0x56b4e9), from_hex(0xe69f00), from_hex(0x333333)};
constexpr double kTickFont = 12.5, kLabelFont = 13.5, kTitleFont = 16;

void set_line(Canvas& canvas, std::size_t series) {
  static const std::array<double, 2> kDash{6, 5}, kDot{1.5, 4};
  const std::size_t round = series / kLines.size();
  canvas.set_color(kLines[series % kLines.size()]);
  cairo_set_line_width(canvas.get(), 1.8);
  cairo_set_dash(canvas.get(), round % 3 == 1 ? kDash.data() : kDot.data(), round % 3 == 0 ? 0 : 2, 0);
}

// On the middle of a pixel a thin line is sharp.
double sharp(double pixel) { return std::floor(pixel) + 0.5; }

void draw_line(Canvas& canvas, double x0, double y0, double x1, double y1) {
  cairo_move_to(canvas.get(), sharp(x0), sharp(y0));
  cairo_line_to(canvas.get(), sharp(x1), sharp(y1));
  cairo_stroke(canvas.get());
}

void draw_axes(Canvas& canvas, const PlotLayout& layout) {
  canvas.set_font(kTickFont);
  cairo_set_line_width(canvas.get(), 1);
  const PlotAxis &x = layout.x, &y = layout.y;
  for (std::size_t i = 0; i < x.ticks.size(); ++i) {
    const double at = layout.left + (x.ticks[i] - x.low) / (x.high - x.low) * (layout.right - layout.left);
    canvas.set_color(kGrid);
    draw_line(canvas, at, layout.top, at, layout.bottom);
    canvas.set_color(kAxis);
    canvas.text(x.texts[i], at, layout.bottom + 9, 0.5, 1);
  }
  for (std::size_t i = 0; i < y.ticks.size(); ++i) {
    const double at = layout.bottom - (y.ticks[i] - y.low) / (y.high - y.low) * (layout.bottom - layout.top);
    canvas.set_color(y.ticks[i] == 0 ? mix(kGrid, kAxis, 0.5) : kGrid);
    draw_line(canvas, layout.left, at, layout.right, at);
    canvas.set_color(kAxis);
    canvas.text(y.texts[i], layout.left - 9, at, 1, 0.5);
  }
  canvas.set_color(kAxis);
  draw_line(canvas, layout.left, layout.bottom, layout.right, layout.bottom);
}

void draw_labels(Canvas& canvas, const Plot& plot, const PlotLayout& layout) {
  canvas.set_color(kText);
  canvas.set_font(kTitleFont, true);
  canvas.text(plot.title, 22, 32);
  canvas.set_font(kLabelFont);
  // Above the axis and level: read without turning one's head.
  canvas.text(layout.y.label, 22, layout.top - 16);
  canvas.text(layout.x.label, 0.5 * (layout.left + layout.right), plot.height - 16, 0.5);
  if (!layout.empty) return;
  canvas.set_color(kAxis);
  canvas.text("no data", 0.5 * (layout.left + layout.right), 0.5 * (layout.top + layout.bottom), 0.5);
}

void draw_curve(Canvas& canvas, const PlotCurve& curve, std::size_t series) {
  set_line(canvas, series);
  for (const std::vector<Vector2d>& run : curve.runs) {
    if (run.size() == 1) {
      cairo_arc(canvas.get(), run[0].x(), run[0].y(), 3, 0, 6.283185307179586);
      cairo_fill(canvas.get());
      continue;
    }
    for (const Vector2d& p : run) cairo_line_to(canvas.get(), p.x(), p.y());
    cairo_stroke(canvas.get());
  }
}

void draw_legend(Canvas& canvas, const PlotLayout& layout, std::size_t count) {
  canvas.set_font(kTickFont);
  double y = layout.top + 8;
  for (std::size_t i = 0; i < layout.legend.size(); ++i, y += 21) {
    const bool rest = count > i + 1 && i + 1 == layout.legend.size();  // "and 5 more" stands for no line of its own
    if (!rest) {
      set_line(canvas, i);
      draw_line(canvas, layout.right + 16, y, layout.right + 38, y);
    }
    cairo_set_dash(canvas.get(), nullptr, 0, 0);
    canvas.set_color(kText);
    canvas.text(layout.legend[i], layout.right + 46, y, 0, 0.5);
  }
}

}  // namespace

void draw_plot(const Plot& plot, const std::string& path) {
  const PlotLayout layout = lay_out(plot);
  Canvas canvas(path, plot.width, plot.height);
  canvas.set_color(kPaper);
  cairo_paint(canvas.get());
  draw_axes(canvas, layout);
  draw_labels(canvas, plot, layout);
  for (std::size_t i = 0; i < layout.curves.size(); ++i) draw_curve(canvas, layout.curves[i], i);
  draw_legend(canvas, layout, layout.curves.size());
  canvas.save();
}

}  // namespace touchstone
