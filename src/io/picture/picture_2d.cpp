#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/picture/camera.h"
#include "io/picture/draw.h"
#include "io/picture/ground.h"
#include "io/picture/palette.h"
#include "io/plot/ticks.h"
#include "io/shape_mesh.h"
#include "recording/frame.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr Color kGround = from_hex(0xe7ebf0), kLine = from_hex(0x6b7684), kInk = from_hex(0x4a5462);
constexpr double kMargin = 0.09;                       // of the page, each side
constexpr double kHatchDepth = 13, kHatchSpacing = 9;  // pixels
constexpr int kSegments = 64;

struct Figure {
  const ShapeDescription* shape;
  BodyKind kind;
  Color color;
  Vector2d position;  // of the shape's frame
  double angle;
  std::vector<Vector2d> outline;  // in the world; empty for a half-space
  bool open = false;              // the outline is a line
  Vector2d normal;                // half-space
};

Vector2d rotated(const Vector2d& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

std::vector<Figure> make_figures(const std::vector<BodyDescription>& bodies, const std::vector<double>& poses) {
  std::vector<Figure> figures;
  const std::vector<Color> colors = body_colors(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double* pose = poses.data() + i * static_cast<std::size_t>(pose_width(2));
    if (!std::isfinite(pose[0]) || !std::isfinite(pose[1]) || !std::isfinite(pose[2])) continue;
    for (const ShapeDescription& shape : bodies[i].shapes) {
      Figure figure{&shape, bodies[i].kind, colors[i], {}, {}, {}, is_open_line(shape), {}};
      figure.position = Vector2d(pose[0], pose[1]) + rotated(shape.placement.position.head<2>(), pose[2]);
      figure.angle = pose[2] + shape.placement.angle;
      figure.normal = rotated(shape.normal.head<2>(), figure.angle);
      figure.outline = shape_outline(shape, kSegments);
      for (Vector2d& p : figure.outline) p = figure.position + rotated(p, figure.angle);
      figures.push_back(std::move(figure));
    }
  }
  return figures;
}

// World to page, equal axes, y up.
struct View {
  double scale, x, y;  // pixels per metre; the world's origin on the page
  Vector2d page(const Vector2d& p) const { return {x + scale * p.x(), y - scale * p.y()}; }
};

// The framing rule of the 3D picture, for which each figure is a ball.
View make_view(const std::vector<Figure>& figures, const Canvas& canvas) {
  PictureScene scene;
  for (const Figure& f : figures) {
    if (f.outline.empty()) continue;
    Vector2d lower = f.outline[0], upper = lower;
    for (const Vector2d& p : f.outline) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
    Solid ball;
    ball.kind = f.kind;
    ball.center << 0.5 * (lower + upper), 0.0;
    ball.reach = 0.5 * (upper - lower).norm();
    scene.solids.push_back(ball);
  }
  Vector2d lower = -Vector2d::Ones(), upper = Vector2d::Ones();
  bool first = true;
  for (const Solid* s : framed_solids(scene)) {
    const Vector2d c = s->center.head<2>(), r = Vector2d::Constant(s->reach);
    lower = first ? Vector2d(c - r) : Vector2d(lower.cwiseMin(c - r));
    upper = first ? Vector2d(c + r) : Vector2d(upper.cwiseMax(c + r));
    first = false;
  }
  const Vector2d size = (upper - lower).cwiseMax(1e-9), middle = 0.5 * (lower + upper);
  const double shown = 1 - 2 * kMargin;
  const double scale = std::min(shown * canvas.width() / size.x(), shown * canvas.height() / size.y());
  return {scale, 0.5 * canvas.width() - scale * middle.x(), 0.5 * canvas.height() + scale * middle.y()};
}

// A half-space on the page: a point of its surface near the page's middle (a plane far away costs no more),
// its outward normal and direction, and the stretch of the surface that no other half-space covers.
struct Surface {
  Vector2d at, normal, along;
  double from, to;
};

Surface surface_of(const Canvas& canvas, const View& view, const Figure& figure) {
  const double w = canvas.width(), h = canvas.height();
  Surface s;
  s.normal = Vector2d(figure.normal.x(), -figure.normal.y()).normalized();
  s.along = {-s.normal.y(), s.normal.x()};
  s.at = view.page(figure.position);
  s.at += s.along * s.along.dot(Vector2d(0.5 * w, 0.5 * h) - s.at);
  s.from = -(w + h), s.to = w + h;
  return s;
}

void cut_by(const Surface& other, Surface& s) {
  const double distance = other.normal.dot(s.at - other.at), rate = other.normal.dot(s.along);
  if (std::abs(rate) < 1e-9) {
    if (distance < -1e-6) s.to = s.from;
  } else if (rate > 0) {
    s.from = std::max(s.from, -distance / rate);
  } else {
    s.to = std::min(s.to, -distance / rate);
  }
}

void fill_below(Canvas& canvas, const Surface& s) {
  const double w = canvas.width(), h = canvas.height();
  const Plane inside{Vector3d(s.at.x(), s.at.y(), 0), Vector3d(-s.normal.x(), -s.normal.y(), 0)};
  std::vector<Vector2d> page;
  for (const Vector3d& p : clip({{0, 0, 0}, {w, 0, 0}, {w, h, 0}, {0, h, 0}}, inside)) page.push_back(p.head<2>());
  trace(canvas.get(), page);
  canvas.set_color(kGround);
  cairo_fill(canvas.get());
}

void draw_line(Canvas& canvas, const Vector2d& from, const Vector2d& to) {
  cairo_move_to(canvas.get(), from.x(), from.y());
  cairo_line_to(canvas.get(), to.x(), to.y());
}

// Short strokes under a line, as in a drawing of a mechanism.
void draw_surface(Canvas& canvas, const Surface& s) {
  if (s.to <= s.from) return;
  const Vector2d stroke = -kHatchDepth * s.normal - 0.8 * kHatchDepth * s.along;
  const double first = std::ceil(s.from / kHatchSpacing) * kHatchSpacing;
  for (double at = first; at <= s.to; at += kHatchSpacing)
    draw_line(canvas, s.at + at * s.along, s.at + at * s.along + stroke);
  canvas.set_color(kLine, 0.75);
  cairo_set_line_width(canvas.get(), 0.9);
  cairo_stroke(canvas.get());
  draw_line(canvas, s.at + s.from * s.along, s.at + s.to * s.along);
  canvas.set_color(kInk);
  cairo_set_line_width(canvas.get(), 1.5);
  cairo_stroke(canvas.get());
}

void draw_half_spaces(Canvas& canvas, const View& view, const std::vector<Figure>& figures) {
  std::vector<Surface> surfaces;
  for (const Figure& figure : figures)
    if (figure.outline.empty()) surfaces.push_back(surface_of(canvas, view, figure));
  for (const Surface& s : surfaces) fill_below(canvas, s);
  const std::vector<Surface> whole = surfaces;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    for (std::size_t j = 0; j < whole.size(); ++j)
      if (i != j) cut_by(whole[j], surfaces[i]);
    draw_surface(canvas, surfaces[i]);
  }
}

// A line, with strokes on its back where only its front is touched.
void draw_open_line(Canvas& canvas, const View& view, const Figure& figure) {
  double left = 0;  // of the way to the next stroke
  for (std::size_t i = 0; i + 1 < figure.outline.size(); ++i) {
    const Vector2d a = view.page(figure.outline[i]), b = view.page(figure.outline[i + 1]);
    const double length = (b - a).norm();
    if (figure.shape->two_sided || !(length > 0)) continue;
    const Vector2d along = (b - a) / length, back(-along.y(), along.x());  // the page has y down
    for (; left <= length; left += kHatchSpacing)
      draw_line(canvas, a + left * along, a + left * along + 0.6 * kHatchDepth * (back - 0.8 * along));
    left -= length;
  }
  canvas.set_color(kLine, 0.75);
  cairo_set_line_width(canvas.get(), 0.9);
  cairo_stroke(canvas.get());
  for (const Vector2d& p : figure.outline) cairo_line_to(canvas.get(), view.page(p).x(), view.page(p).y());
  canvas.set_color(edge_color(figure.color));
  cairo_set_line_width(canvas.get(), 1.8);
  cairo_stroke(canvas.get());
}

void draw_figure(Canvas& canvas, const View& view, const Figure& figure) {
  if (figure.open) return draw_open_line(canvas, view, figure);
  std::vector<Vector2d> outline;
  double size = 0;
  for (const Vector2d& p : figure.outline) {
    outline.push_back(view.page(p));
    size = std::max(size, (outline.back() - outline.front()).norm());
  }
  const double line = std::clamp(0.03 * size, 0.3, 1.6);
  trace(canvas.get(), outline);
  canvas.set_color(figure.color);
  cairo_fill_preserve(canvas.get());
  canvas.set_color(edge_color(figure.color));
  cairo_set_line_width(canvas.get(), line);
  cairo_stroke(canvas.get());
  if (figure.shape->kind != ShapeKind::kSphere || size < 6) return;
  const Vector2d from = view.page(figure.position),
                 to = outline.front();  // at angle zero: it turns with the body
  cairo_move_to(canvas.get(), from.x(), from.y());
  cairo_line_to(canvas.get(), to.x(), to.y());
  cairo_stroke(canvas.get());
}

}  // namespace

std::string draw_scene_2d(Canvas& canvas, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                          const PictureOptions& options) {
  const std::vector<std::vector<double>>& framing = options.framing;
  const std::vector<Figure> figures = make_figures(bodies, poses);
  std::vector<Figure> framed = framing.empty() ? figures : std::vector<Figure>{};
  for (const std::vector<double>& moment : framing) {
    const std::vector<Figure> seen = make_figures(bodies, moment);
    framed.insert(framed.end(), seen.begin(), seen.end());
  }
  const View view = make_view(framed, canvas);
  draw_half_spaces(canvas, view, figures);
  // What stands still lies behind what moves.
  for (const BodyKind kind : {BodyKind::kStatic, BodyKind::kKinematic, BodyKind::kDynamic})
    for (const Figure& figure : figures)
      if (!figure.outline.empty() && figure.kind == kind) draw_figure(canvas, view, figure);
  std::vector<Vector2d> page;
  for (const PictureMark& mark : options.marks) {
    page.clear();
    for (const Vector3d& p : mark.line) page.push_back(view.page(p.head<2>()));
    draw_mark(canvas, mark, page);
  }
  const double length = nice_step(canvas.width() / view.scale, 8), right = canvas.width() - 28,
               y = canvas.height() - 40;
  cairo_move_to(canvas.get(), right - length * view.scale, y - 4);
  cairo_rel_line_to(canvas.get(), 0, 4);
  cairo_line_to(canvas.get(), right, y);
  cairo_rel_line_to(canvas.get(), 0, -4);
  canvas.set_color(kInk);
  cairo_set_line_width(canvas.get(), 1.2);
  cairo_stroke(canvas.get());
  return fmt::format("{:g} m", length);
}

}  // namespace touchstone
