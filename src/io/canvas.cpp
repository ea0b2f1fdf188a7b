#include "io/canvas.h"

#include <cairo/cairo-svg.h>
#include <fmt/format.h>

#include <exception>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr int kLargestSide = 32767;  // of a cairo image, pixels

// cairo is C: an exception must not pass through it; Canvas::save makes an Error of the status.
cairo_status_t write_bytes(void* closure, const unsigned char* data, unsigned int size) {
  try {
    static_cast<OutputFile*>(closure)->write(data, size);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::exception&) {
    return CAIRO_STATUS_WRITE_ERROR;
  }
}

bool is_svg(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension != "svg" && extension != "png")
    throw Error(ErrorKind::kBadInput, fmt::format("{}: a picture's name must end in .svg or .png", path));
  return extension == "svg";
}

const std::string& checked(const std::string& path, int width, int height) {
  is_svg(path);
  if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide)
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: a picture of {} x {} is not possible; each side must be 1 to {} pixels", path, width,
                            height, kLargestSide));
  return path;
}

}  // namespace

Pattern radial_pattern(double x0, double y0, double r0, double x1, double y1, double r1) {
  return Pattern(cairo_pattern_create_radial(x0, y0, r0, x1, y1, r1), &cairo_pattern_destroy);
}

void add_stop(const Pattern& pattern, double offset, const Color& color, double alpha) {
  cairo_pattern_add_color_stop_rgba(pattern.get(), offset, color.r, color.g, color.b, alpha);
}

Canvas::Canvas(const std::string& path, int width, int height)
    : file_(checked(path, width, height)),
      svg_(is_svg(path)),
      width_(width),
      height_(height),
      surface_(svg_ ? cairo_svg_surface_create_for_stream(&write_bytes, &file_, width, height)
                    : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
               &cairo_surface_destroy),
      context_(cairo_create(surface_.get()), &cairo_destroy) {
  if (cairo_status(context_.get()) != CAIRO_STATUS_SUCCESS)
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path, cairo_status_to_string(cairo_status(context_.get()))));
  cairo_set_line_join(get(), CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(get(), CAIRO_LINE_CAP_ROUND);
}

void Canvas::set_color(const Color& color, double alpha) {
  cairo_set_source_rgba(get(), color.r, color.g, color.b, alpha);
}

void Canvas::set_font(double size, bool bold) {
  cairo_select_font_face(get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(get(), size);
}

double Canvas::text_width(const std::string& text) const {
  cairo_text_extents_t extents;
  cairo_text_extents(get(), text.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(const std::string& text, double x, double y, double x_align, double y_align) {
  cairo_text_extents_t capital;
  cairo_text_extents(get(), "0", &capital);
  cairo_move_to(get(), x - x_align * text_width(text), y + y_align * capital.height);
  cairo_show_text(get(), text.c_str());
  cairo_new_path(get());  // the text's end would be the start of the next line
}

void Canvas::save() {
  context_.reset();
  cairo_status_t status;
  if (svg_) {
    cairo_surface_finish(surface_.get());
    status = cairo_surface_status(surface_.get());
  } else {
    status = cairo_surface_write_to_png_stream(surface_.get(), &write_bytes, &file_);
  }
  if (status != CAIRO_STATUS_SUCCESS) file_.fail_with(cairo_status_to_string(status));
  file_.commit();
}

}  // namespace touchstone
