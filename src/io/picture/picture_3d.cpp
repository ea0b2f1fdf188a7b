#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/picture/camera.h"
#include "io/picture/draw.h"
#include "io/picture/ground.h"
#include "io/picture/order.h"
#include "io/picture/solids.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr Color kWhite{1, 1, 1}, kDark = from_hex(0x1f2937);
constexpr double kSmall = 22;  // radius in pixels below which a round body is drawn as one filling

// The top of a static box that is wide enough to be a floor; shadows fall on it.
bool floor_of(const Solid& solid, const Camera& camera, std::vector<Vector3d>& corners) {
  if (solid.kind != BodyKind::kStatic || solid.shape->kind != ShapeKind::kBox) return false;
  const Mesh mesh = shape_mesh(*solid.shape, 4);
  for (const MeshFace& face : mesh.faces) {
    if ((solid.rotation * mesh.normals[face.corners[0]]).z() < 0.7) continue;
    for (const std::uint32_t i : face.corners) corners.push_back(solid.position + solid.rotation * mesh.vertices[i]);
    return std::min((corners[1] - corners[0]).norm(), (corners[3] - corners[0]).norm()) > 0.5 * camera.scene_radius();
  }
  return false;
}

void draw_floor_shadows(Canvas& canvas, const Camera& camera, const std::vector<Solid>& solids, const Solid& solid) {
  std::vector<Vector3d> corners;
  if (!floor_of(solid, camera, corners)) return;
  const Vector3d normal = (corners[1] - corners[0]).cross(corners[3] - corners[0]).normalized();
  cairo_save(canvas.get());
  trace(canvas.get(), camera.project(corners));
  cairo_clip(canvas.get());
  draw_shadows(canvas, camera, solids, {corners[0], normal});
  cairo_restore(canvas.get());
}

// Light from the sky and from the lamp; shade goes towards a dark blue, never to black.
Color shade(const Color& base, const Vector3d& normal, const Vector3d& light) {
  const double sky = 0.5 + 0.5 * normal.z(), lamp = std::max(0.0, normal.dot(light));
  const double intensity = 0.48 + 0.22 * sky + 0.42 * lamp;
  return intensity <= 1 ? mix(kDark, base, intensity) : mix(base, kWhite, 1.6 * (intensity - 1));
}

class SolidPainter {
 public:
  SolidPainter(Canvas& canvas, const Camera& camera)
      : canvas_(canvas), camera_(camera), light_(light_direction(camera)) {}

  // alpha < 1: as of glass, for walls that would hide what matters.
  void paint(const Solid& solid, double alpha) {
    const double depth = camera_.depth(solid.center);
    if (depth + solid.reach <= 0) return;
    pixels_ = depth > solid.reach ? solid.reach * camera_.focal() / depth : 1e4;
    if (solid.shape->kind == ShapeKind::kSphere) {
      if (depth > 1.5 * solid.reach) paint_ball(solid, alpha);
      return;
    }
    if (solid.facet) return paint_facet(solid, alpha);
    const Mesh& mesh = meshes_.get(*solid.shape, pixels_ > 60 ? 64 : pixels_ > kSmall ? 32 : 16);
    world_.clear();
    for (const Vector3d& v : mesh.vertices) world_.push_back(solid.position + solid.rotation * v);
    if (pixels_ <= kSmall && solid.normals.empty())
      paint_small(solid, alpha);
    else
      paint_mesh(solid, mesh, alpha);
  }

 private:
  double line_width() const { return std::clamp(0.035 * pixels_, 0.25, 1.1); }

  void paint_ball(const Solid& solid, double alpha) {
    const double depth = camera_.depth(solid.center);
    const Vector2d at = camera_.project(solid.center);
    // The cone that touches the ball is wider than its middle's image.
    const double r = solid.radius * camera_.focal() / std::sqrt(depth * depth - solid.radius * solid.radius);
    const Vector2d lit(camera_.right().dot(light_), -camera_.up().dot(light_));
    cairo_arc(canvas_.get(), at.x(), at.y(), r, 0, 6.283185307179586);
    const Vector2d focus = at + 0.55 * r * lit;
    const Pattern pattern = radial_pattern(focus.x(), focus.y(), 0, at.x(), at.y(), 1.02 * r);
    add_stop(pattern, 0.0, mix(solid.color, kWhite, 0.55), alpha);
    add_stop(pattern, 0.25, mix(solid.color, kWhite, 0.22), alpha);
    add_stop(pattern, 0.55, mix(kDark, solid.color, 0.97), alpha);
    add_stop(pattern, 0.85, mix(kDark, solid.color, 0.74), alpha);
    add_stop(pattern, 1.0, mix(kDark, solid.color, 0.58), alpha);
    cairo_set_source(canvas_.get(), pattern.get());
    if (r < 3) {
      cairo_fill(canvas_.get());
      return;
    }
    cairo_fill_preserve(canvas_.get());
    canvas_.set_color(edge_color(solid.color), 0.8 * alpha);
    cairo_set_line_width(canvas_.get(), 0.7 * line_width());
    cairo_stroke(canvas_.get());
  }

  void paint_mesh(const Solid& solid, const Mesh& mesh, double alpha) {
    std::vector<Vector3d> polygon;
    for (const MeshFace& face : mesh.faces) {
      Vector3d normal = Vector3d::Zero();
      polygon.clear();
      for (const std::uint32_t i : face.corners) {
        polygon.push_back(world_[i]);
        normal += mesh.normals[i];
      }
      normal = solid.rotation * normal.normalized();
      if (normal.dot(camera_.position() - polygon[0]) <= 0) continue;
      paint_face(polygon, solid.color, normal, face.flat, alpha);
    }
    if (alpha == 1) paint_silhouette(solid);
  }

  void paint_facet(const Solid& solid, double alpha) {
    const bool front = solid.normals[0].dot(camera_.position() - solid.core[0]) > 0;
    if (!front && !solid.has_back) return;
    for (const Vector3d& p : solid.core)
      if (!camera_.visible(p)) return;
    const Vector3d normal = front ? solid.normals[0] : Vector3d(-solid.normals[0]);
    paint_face(solid.core, front ? solid.color : mix(solid.color, kDark, 0.25), normal, false, alpha);
    const std::vector<Vector2d> corners = camera_.project(solid.core);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!solid.edges[k]) continue;
      cairo_move_to(canvas_.get(), corners[k].x(), corners[k].y());
      cairo_line_to(canvas_.get(), corners[(k + 1) % 3].x(), corners[(k + 1) % 3].y());
    }
    canvas_.set_color(edge_color(solid.color), 0.85 * alpha);
    cairo_set_line_width(canvas_.get(), std::max(0.5, line_width()));
    cairo_stroke(canvas_.get());
  }

  void paint_face(const std::vector<Vector3d>& polygon, const Color& base, const Vector3d& normal, bool flat,
                  double alpha) {
    trace(canvas_.get(), camera_.project(polygon));
    canvas_.set_color(shade(base, normal, light_), alpha);
    // Smoothed rims of neighbouring patches would let the background shine through as hairlines.
    cairo_set_antialias(canvas_.get(), flat ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
    cairo_fill_preserve(canvas_.get());
    cairo_set_antialias(canvas_.get(), CAIRO_ANTIALIAS_DEFAULT);
    if (flat) {
      canvas_.set_color(edge_color(base), alpha < 1 ? 2 * alpha : 0.85);
      cairo_set_line_width(canvas_.get(), line_width());
      cairo_stroke(canvas_.get());
    }
    cairo_new_path(canvas_.get());
  }

  // Traces the rim of the whole; false if a part is behind the eye.
  bool trace_silhouette() {
    std::vector<Vector2d> points;
    for (const Vector3d& p : world_) {
      if (!camera_.visible(p)) return false;
      points.push_back(camera_.project(p));
    }
    trace(canvas_.get(), convex_outline(std::move(points)));
    return true;
  }

  // The rim parts bodies of the same colour, and covers the jagged rims of round ones.
  void paint_silhouette(const Solid& solid) {
    if (!trace_silhouette()) return;
    canvas_.set_color(edge_color(solid.color));
    cairo_set_line_width(canvas_.get(), 1.2 * line_width());
    cairo_stroke(canvas_.get());
  }

  // A round body of a few pixels: one filling, light to dark, is enough, and keeps an SVG of thousands small.
  void paint_small(const Solid& solid, double alpha) {
    if (!trace_silhouette()) return;
    const Vector2d at = camera_.project(solid.center);
    const double r = 0.8 * pixels_;
    const Vector2d lit(camera_.right().dot(light_), -camera_.up().dot(light_));
    const Pattern pattern(cairo_pattern_create_linear(at.x() + r * lit.x(), at.y() + r * lit.y(), at.x() - r * lit.x(),
                                                      at.y() - r * lit.y()),
                          &cairo_pattern_destroy);
    add_stop(pattern, 0.0, mix(solid.color, kWhite, 0.35), alpha);
    add_stop(pattern, 0.4, solid.color, alpha);
    add_stop(pattern, 1.0, mix(kDark, solid.color, 0.6), alpha);
    cairo_set_source(canvas_.get(), pattern.get());
    cairo_fill_preserve(canvas_.get());
    canvas_.set_color(edge_color(solid.color), 0.8 * alpha);
    cairo_set_line_width(canvas_.get(), line_width());
    cairo_stroke(canvas_.get());
  }

  Canvas& canvas_;
  const Camera& camera_;
  Vector3d light_;
  MeshCache meshes_;
  std::vector<Vector3d> world_;
  double pixels_ = 0;  // radius of the solid in hand on the page
};

}  // namespace

Color edge_color(const Color& color) { return mix(color, kDark, 0.55); }

std::string draw_scene_3d(Canvas& canvas, const std::vector<BodyDescription>& bodies, const std::vector<double>& poses,
                          const PictureOptions& options) {
  const std::vector<std::vector<double>>& framing = options.framing;
  const PictureScene scene = make_picture_scene(bodies, poses);
  std::vector<PictureScene> moments;
  for (const std::vector<double>& moment : framing) moments.push_back(make_picture_scene(bodies, moment));
  std::vector<const Solid*> framed = moments.empty() ? framed_solids(scene) : std::vector<const Solid*>{};
  for (const PictureScene& moment : moments) {
    const std::vector<const Solid*> seen = framed_solids(moment);
    framed.insert(framed.end(), seen.begin(), seen.end());
  }
  const Camera camera(framed, canvas.width(), canvas.height(), 0.09);
  const double spacing = draw_half_spaces(canvas, camera, scene);
  const PaintOrder painting = painting_order(scene.solids, camera);
  const auto moving = std::count_if(scene.solids.begin(), scene.solids.end(),
                                    [](const Solid& s) { return s.kind == BodyKind::kDynamic; });
  const double many = std::max(1.0, 0.1 * static_cast<double>(moving));
  SolidPainter painter(canvas, camera);
  for (const std::size_t i : painting.order) {
    const bool glass =
        scene.solids[i].kind == BodyKind::kStatic && static_cast<double>(painting.hidden_behind[i]) >= many;
    painter.paint(scene.solids[i], glass ? 0.25 : 1.0);
    if (!glass) draw_floor_shadows(canvas, camera, scene.solids, scene.solids[i]);
  }
  std::vector<Vector2d> page;
  for (const PictureMark& mark : options.marks) {
    if (!std::all_of(mark.line.begin(), mark.line.end(), [&](const Vector3d& p) { return camera.visible(p); }))
      continue;
    page.clear();
    for (const Vector3d& p : mark.line) page.push_back(camera.project(p));
    draw_mark(canvas, mark, page);
  }
  return spacing > 0 ? fmt::format("grid {:g} m", spacing) : "";
}

}  // namespace touchstone
