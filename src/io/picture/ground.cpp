#include "io/picture/ground.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/plot/ticks.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr Color kGround = from_hex(0xd8e1eb), kGrid = from_hex(0x869bb2), kShadow = from_hex(0x1d2b3f);
constexpr double kGroundReach = 2.6;  // of the drawn disc, in scene radii
constexpr double kShadowStrength = 0.34;
constexpr std::size_t kManySolids = 2000;  // beyond: coarser shadows

// A disc in a plane, about the point nearest to the picture's focus.
struct Disc {
  Vector3d center, normal, u, v;
  double radius;
  Vector3d at(double along_u, double along_v) const { return center + along_u * u + along_v * v; }
};

Disc disc_in(const Plane& plane, const Camera& camera) {
  Disc disc;
  disc.normal = plane.normal;
  disc.center = camera.focus() - plane.normal.dot(camera.focus() - plane.point) * plane.normal;
  tangents_of(plane.normal, disc.u, disc.v);
  // Short of the eye, so that the whole rim has an image.
  disc.radius = std::min(kGroundReach * camera.scene_radius(), 0.75 * camera.depth(disc.center));
  return disc;
}

// The disc's visible part in pixels: cut by the other half-spaces, in which nothing is to be seen.
std::vector<Vector2d> outline_of(const Disc& disc, const Camera& camera, const PictureScene& scene, const Plane& own) {
  std::vector<Vector3d> polygon;
  for (int i = 0; i < 96; ++i) {
    const double angle = 2 * std::numbers::pi * i / 96;
    polygon.push_back(disc.at(disc.radius * std::cos(angle), disc.radius * std::sin(angle)));
  }
  for (const Plane& other : scene.planes)
    if (&other != &own && std::abs(other.normal.dot(own.normal)) < 0.999) polygon = clip(polygon, other);
  return camera.project(polygon);
}

// Full colour in the middle, nothing at the disc's rim. The rim's image is taken as the image of a circle by
// the affine map through the disc's extreme points, which perspective changes little.
Pattern fading(const Disc& disc, const Camera& camera, const Color& color, double alpha) {
  Pattern pattern = radial_pattern(0, 0, 0, 0, 0, 1);
  for (const double t : {0.0, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0}) {
    const double s = std::clamp((1 - t) / 0.7, 0.0, 1.0);
    add_stop(pattern, t, color, alpha * s * s * (3 - 2 * s));
  }
  const Vector3d across = (camera.right() - disc.normal.dot(camera.right()) * disc.normal).normalized();
  const Vector3d away = disc.normal.cross(across);
  const auto pixel = [&](const Vector3d& direction) {
    return camera.project(Vector3d(disc.center + disc.radius * direction));
  };
  const Vector2d left = pixel(-across), right = pixel(across), front = pixel(-away), back = pixel(away);
  const Vector2d a = 0.5 * (right - left), b = 0.5 * (back - front), c = 0.5 * (front + back);
  cairo_matrix_t matrix;
  cairo_matrix_init(&matrix, a.x(), a.y(), b.x(), b.y(), c.x(), c.y());
  if (cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS) cairo_pattern_set_matrix(pattern.get(), &matrix);
  return pattern;
}

bool can_fade(const Disc& disc, const Camera& camera) {
  const Vector3d towards = camera.position() - disc.center;
  return disc.radius > 0 && disc.normal.dot(towards) > 0.02 * towards.norm();
}

void draw_grid(Canvas& canvas, const Camera& camera, const Disc& disc, double spacing) {
  const Vector2d origin(disc.u.dot(disc.center),
                        disc.v.dot(disc.center));  // lines sit at multiples in the world
  for (int axis = 0; axis < 2; ++axis) {
    const double offset = origin[axis];
    for (const double line : tick_values(offset - disc.radius, offset + disc.radius, spacing)) {
      const double at = line - offset, half = std::sqrt(std::max(0.0, disc.radius * disc.radius - at * at));
      const Vector2d from = camera.project(axis == 0 ? disc.at(at, -half) : disc.at(-half, at));
      const Vector2d to = camera.project(axis == 0 ? disc.at(at, half) : disc.at(half, at));
      cairo_move_to(canvas.get(), from.x(), from.y());
      cairo_line_to(canvas.get(), to.x(), to.y());
    }
  }
  const Pattern pattern = fading(disc, camera, kGrid, 0.55);
  cairo_set_source(canvas.get(), pattern.get());
  cairo_set_line_width(canvas.get(), 0.8);
  cairo_stroke(canvas.get());
}

// Outline in pixels of a solid's shadow on a plane for parallel light; empty if it falls behind the eye.
std::vector<Vector2d> shadow_of(const Solid& solid, const Plane& plane, const Vector3d& light, const Camera& camera,
                                int segments) {
  std::vector<Vector2d> points;
  Vector3d u, v;
  tangents_of(light, u, v);
  const double slope = plane.normal.dot(light);
  const auto cast = [&](const Vector3d& p) {
    const Vector3d on = p - light * (plane.normal.dot(p - plane.point) / slope);
    if (!camera.visible(on)) return false;
    points.push_back(camera.project(on));
    return true;
  };
  for (const Vector3d& p : solid.core) {
    for (int i = 0; i < (solid.radius > 0 ? segments : 1); ++i) {
      const double angle = 2 * std::numbers::pi * i / segments;
      if (!cast(p + solid.radius * (std::cos(angle) * u + std::sin(angle) * v))) return {};
    }
  }
  return convex_outline(std::move(points));
}

// A lamp of some width is a few point lamps: shadows are crisp where bodies touch the ground and soft far
// from it. One lamp's shadows are a flat layer, so that they do not add up where they overlap.
class AlphaLayer {
 public:
  AlphaLayer(int width, int height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_A8, width, height), &cairo_surface_destroy),
        context_(cairo_create(surface_.get()), &cairo_destroy) {}
  cairo_t* get() const { return context_.get(); }
  cairo_surface_t* surface() const { return surface_.get(); }
  void clear() {
    cairo_set_operator(get(), CAIRO_OPERATOR_CLEAR);
    cairo_paint(get());
    cairo_set_operator(get(), CAIRO_OPERATOR_OVER);
  }
  void add(const AlphaLayer& other, double weight) {
    cairo_set_operator(get(), CAIRO_OPERATOR_ADD);
    cairo_set_source_surface(get(), other.surface(), 0, 0);
    cairo_paint_with_alpha(get(), weight);
  }
  // Twice the mean over 2·radius + 1 pixels, along rows and along columns.
  void blur(int radius) {
    cairo_surface_flush(surface());
    unsigned char* data = cairo_image_surface_get_data(surface());
    const int w = cairo_image_surface_get_width(surface()), h = cairo_image_surface_get_height(surface());
    const int stride = cairo_image_surface_get_stride(surface());
    for (int pass = 0; pass < 2; ++pass) {
      for (int y = 0; y < h; ++y) blur_line(data + y * stride, w, 1, radius);
      for (int x = 0; x < w; ++x) blur_line(data + x, h, stride, radius);
    }
    cairo_surface_mark_dirty(surface());
  }

 private:
  void blur_line(unsigned char* first, int count, int step, int radius) {
    line_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) line_[static_cast<std::size_t>(i)] = first[i * step];
    const auto at = [&](int i) {
      return static_cast<int>(line_[static_cast<std::size_t>(std::clamp(i, 0, count - 1))]);
    };
    int sum = 0;
    for (int i = -radius; i <= radius; ++i) sum += at(i);
    for (int i = 0; i < count; ++i) {
      first[i * step] = static_cast<unsigned char>(sum / (2 * radius + 1));
      sum += at(i + radius + 1) - at(i - radius);
    }
  }

  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context_;
  std::vector<unsigned char> line_;
};

}  // namespace

Vector3d light_direction(const Camera& camera) {
  Vector3d ahead = -camera.towards_eye();
  ahead.z() = 0;
  return (Vector3d::UnitZ() - 0.55 * camera.right() - 0.30 * ahead.normalized()).normalized();
}

void trace(cairo_t* cr, const std::vector<Vector2d>& polygon) {
  if (polygon.size() < 3) return;
  cairo_new_sub_path(cr);
  for (const Vector2d& p : polygon) cairo_line_to(cr, p.x(), p.y());
  cairo_close_path(cr);
}

// Pixels of opacity, apart from the page: laying the lamps over each other needs an adding operator and
// blurring, which SVG has not. In an SVG the finished layer is an embedded image.
void draw_shadows(Canvas& canvas, const Camera& camera, const std::vector<Solid>& solids, const Plane& plane) {
  const bool many = solids.size() > kManySolids;
  const int lamps = many ? 5 : 20, segments = many ? 10 : 24;
  const auto width = static_cast<int>(canvas.width()), height = static_cast<int>(canvas.height());
  AlphaLayer sum(width, height), layer(width, height);
  const Vector3d light = light_direction(camera);
  Vector3d u, v;
  tangents_of(light, u, v);
  for (int lamp = 0; lamp < lamps; ++lamp) {
    const double angle = 2.4 * lamp, radius = 0.16 * std::sqrt((lamp + 0.5) / lamps);  // a sunflower's seeds
    const Vector3d from = (light + radius * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
    if (plane.normal.dot(from) < 0.2) continue;
    layer.clear();
    for (const Solid& s : solids) {
      if (s.reach > 4 * camera.scene_radius() || plane.normal.dot(s.center - plane.point) <= 0) continue;
      trace(layer.get(), shadow_of(s, plane, from, camera, segments));
      cairo_fill(layer.get());
    }
    sum.add(layer, 1.0 / lamps);
  }
  sum.blur(many ? 5 : 2);
  canvas.set_color(kShadow, kShadowStrength);
  cairo_mask_surface(canvas.get(), sum.surface(), 0, 0);
}

double draw_half_spaces(Canvas& canvas, const Camera& camera, const PictureScene& scene) {
  const double spacing = nice_step(2 * camera.scene_radius(), 6);
  const Plane* ground = nullptr;
  double drawn = 0;
  for (const Plane& plane : scene.planes) {
    const Disc disc = disc_in(plane, camera);
    if (plane.normal.z() > 0.5 && (!ground || plane.normal.z() > ground->normal.z())) ground = &plane;
    if (!can_fade(disc, camera)) continue;
    cairo_save(canvas.get());
    trace(canvas.get(), outline_of(disc, camera, scene, plane));
    cairo_clip(canvas.get());
    const Pattern pattern = fading(disc, camera, kGround, 0.85);
    cairo_set_source(canvas.get(), pattern.get());
    cairo_paint(canvas.get());
    draw_grid(canvas, camera, disc, drawn = spacing);
    if (&plane == ground) draw_shadows(canvas, camera, scene.solids, plane);
    cairo_restore(canvas.get());
  }
  return drawn;
}

}  // namespace touchstone
