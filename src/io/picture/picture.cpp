#include "io/picture/picture.h"

#include <fmt/format.h>

#include "base/text.h"
#include "io/canvas.h"
#include "io/picture/draw.h"

namespace touchstone {
namespace {

constexpr Color kSky = from_hex(0xe4eef8), kPaper = from_hex(0xffffff), kText = from_hex(0x374151),
                kNote = from_hex(0x6b7280);

void draw_background(Canvas& canvas) {
  const Pattern sky(cairo_pattern_create_linear(0, 0, 0, canvas.height()), &cairo_pattern_destroy);
  add_stop(sky, 0.0, kSky);
  add_stop(sky, 0.75, kPaper);
  cairo_set_source(canvas.get(), sky.get());
  cairo_paint(canvas.get());
}

}  // namespace

void draw_picture(int dimension, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                  const PictureOptions& options, const std::string& path) {
  const std::size_t needed = bodies.size() * static_cast<std::size_t>(pose_width(dimension));
  if (poses.size() < needed)
    throw Error(ErrorKind::kBadInput, fmt::format("{}: for {}, {} pose numbers are needed, and there are {}{}", path,
                                                  counted(bodies.size(), "body"), needed, poses.size(),
                                                  poses.empty() ? "; were poses recorded?" : ""));
  Canvas canvas(path, options.width, options.height);
  draw_background(canvas);
  const std::string note =
      dimension == 2 ? draw_scene_2d(canvas, bodies, poses, options) : draw_scene_3d(canvas, bodies, poses, options);
  canvas.set_font(16);
  canvas.set_color(kText);
  canvas.text(options.caption, 28, canvas.height() - 24);
  canvas.set_font(13);
  canvas.set_color(kNote);
  canvas.text(note, canvas.width() - 28, canvas.height() - 24, 1.0);
  canvas.save();
}

}  // namespace touchstone
