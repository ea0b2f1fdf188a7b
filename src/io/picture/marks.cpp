#include <cmath>
#include <numbers>

#include "io/picture/draw.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;

constexpr Color kMark = from_hex(0x9b3f78), kRim = from_hex(0xffffff);
constexpr double kWidth = 1.6, kDot = 3.2;             // pixels
constexpr double kCoil = 5, kPitch = 7, kPlain = 0.2;  // pixels; of the length: without coils, at each end

void line(Canvas& canvas, const std::vector<Vector2d>& page) {
  for (const Vector2d& p : page) cairo_line_to(canvas.get(), p.x(), p.y());
}

// A zigzag with a plain piece at each end.
void coils(Canvas& canvas, const Vector2d& a, const Vector2d& b) {
  const double length = (b - a).norm();
  const auto turns = static_cast<int>((1 - 2 * kPlain) * length / kPitch);
  cairo_line_to(canvas.get(), a.x(), a.y());
  const Vector2d across = length > 0 ? Vector2d((b - a).y() / length, -(b - a).x() / length) : Vector2d::Zero();
  for (int i = 0; i < turns; ++i) {
    const double part = kPlain + (1 - 2 * kPlain) * (i + 0.5) / turns;
    const Vector2d p = a + part * (b - a) + (i % 2 == 0 ? kCoil : -kCoil) * across;
    cairo_line_to(canvas.get(), p.x(), p.y());
  }
  cairo_line_to(canvas.get(), b.x(), b.y());
}

}  // namespace

void draw_mark(Canvas& canvas, const PictureMark& mark, const std::vector<Vector2d>& page) {
  if (page.empty()) return;
  cairo_new_path(canvas.get());
  if (mark.coils && page.size() == 2)
    coils(canvas, page[0], page[1]);
  else
    line(canvas, page);
  canvas.set_color(kMark, 0.9);
  cairo_set_line_width(canvas.get(), kWidth);
  cairo_set_line_join(canvas.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(canvas.get());
  if (!mark.dots) return;
  for (const Vector2d& p : {page.front(), page.back()}) {
    cairo_arc(canvas.get(), p.x(), p.y(), kDot, 0, 2 * std::numbers::pi);
    canvas.set_color(kMark);
    cairo_fill_preserve(canvas.get());
    canvas.set_color(kRim);
    cairo_set_line_width(canvas.get(), 1);
    cairo_stroke(canvas.get());
  }
}

}  // namespace touchstone
