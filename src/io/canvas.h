#pragma once
// A page to draw on with cairo, written as SVG or PNG by the path's extension.
#include <cairo/cairo.h>

#include <memory>
#include <string>

#include "io/export/file.h"

namespace touchstone {

struct Color {
  double r = 0, g = 0, b = 0;
};
inline Color mix(const Color& a, const Color& b, double t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}
constexpr Color from_hex(unsigned rgb) {
  return {((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0};
}

using Pattern = std::unique_ptr<cairo_pattern_t, decltype(&cairo_pattern_destroy)>;
Pattern radial_pattern(double x0, double y0, double r0, double x1, double y1, double r1);
void add_stop(const Pattern& pattern, double offset, const Color& color, double alpha = 1.0);

class Canvas {
 public:
  // Throws Error: kBadInput for another extension or an impossible size, kIo if the file cannot be made.
  Canvas(const std::string& path, int width, int height);
  cairo_t* get() const { return context_.get(); }
  double width() const { return width_; }
  double height() const { return height_; }

  void set_color(const Color& color, double alpha = 1.0);
  void set_font(double size, bool bold = false);
  double text_width(const std::string& text) const;
  // x_align, y_align: which point of the text sits at (x, y); 0 left/baseline, 0.5 centre, 1 right/top of
  // capitals.
  void text(const std::string& text, double x, double y, double x_align = 0, double y_align = 0);
  // Writes the file; an Error (kIo) names it.
  void save();

 private:
  OutputFile file_;
  bool svg_;
  int width_, height_;
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context_;
};

}  // namespace touchstone
