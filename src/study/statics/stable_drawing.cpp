// Purpose: one picture that shows why a structure stands or falls: blue arrows are contact forces on the free body of a
//   pair, with a wide bar from the least to the greatest normal force; red arrows and arcs are initial accelerations,
//   red and orange dots contacts that open and slide.
// Method: 3D is drawn in a parallel projection from the front, right and above; faces are painted from back to front.
#include "study/statics/stable_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/narrow/core.h"
#include "geometry/shape.h"
#include "io/canvas.h"
#include "io/picture/palette.h"
#include "math/rotation.h"
#include "study/statics/contact_motion.h"

namespace touchstone::statics {
namespace {

constexpr int kWidth = 1000, kHeight = 760;
constexpr double kTop = 104, kRim = 60;
constexpr Color kInk = from_hex(0x23262b), kForce = from_hex(0x1f5fa8), kMotion = from_hex(0xc8372d),
                kFaint = from_hex(0x6b7078), kSlides = from_hex(0xe69f00), kEndlessTone = from_hex(0x8f7fc0);
constexpr double kEndless = 0.07;  // of the structure: an arrow that says that there is no greatest force
constexpr double kArcSize = 0.6;   // of a body's radius of gyration
constexpr double kHeldSize = 0.4;  // of the free bodies: what is held and reaches farther is cut
constexpr double kLeastArc = 0.8, kMostArc = 4.2;  // rad: of what turns least and most

struct Polygon {
  std::vector<Eigen::Vector3d> ring;
  Color color;
  double depth = 0;
  bool held = false;
};

// Towards the viewer, right and up in the picture.
struct View {
  Eigen::Vector3d right{1, 0, 0}, up{0, 1, 0}, toward{0, 0, 1};
  explicit View(int dimension) {
    if (dimension == 2) return;
    toward = Eigen::Vector3d(0.55, -1, 0.45).normalized();
    right = Eigen::Vector3d::UnitZ().cross(toward).normalized();
    up = toward.cross(right);
  }
  Eigen::Vector2d flat(const Eigen::Vector3d& x) const { return {right.dot(x), up.dot(x)}; }
};

template <int D>
Pose<D> pose_of(const Placement& p) {
  Pose<D> out;
  out.p = narrow<D>(p.position);
  if constexpr (D == 2)
    out.R = p.angle;
  else
    out.R = p.orientation.normalized();
  return out;
}

template <int D>
void add_round(const Vec<D>& center, double radius, const View& view, Polygon polygon, std::vector<Polygon>& out) {
  for (int k = 0; k < 48; ++k) {
    const double angle = 2 * M_PI * k / 48;
    polygon.ring.push_back(widen<D>(center) + radius * (std::cos(angle) * view.right + std::sin(angle) * view.up));
  }
  out.push_back(std::move(polygon));
}

template <int D>
void add_polytope(const Core<D>& core, const std::function<Eigen::Vector3d(const Vec<D>&)>& place, const View& view,
                  const Polygon& base, std::vector<Polygon>& out) {
  const Polytope<D>& p = *core.polytope;
  if constexpr (D == 2) {
    Polygon polygon = base;
    for (std::size_t i = 0; i < p.vertices.size(); ++i) polygon.ring.push_back(place(core.vertex(i)));
    out.push_back(std::move(polygon));
  } else {
    for (std::size_t f = 0; f < p.face_count(); ++f) {
      Polygon polygon = base;
      for (const std::uint32_t v : p.face(f)) polygon.ring.push_back(place(core.vertex(v)));
      const Eigen::Vector3d n =
          (polygon.ring[1] - polygon.ring[0]).cross(polygon.ring[2] - polygon.ring[0]).normalized();
      if (n.dot(view.toward) <= 1e-9) continue;
      polygon.color = mix(base.color, {1, 1, 1}, 0.30 * std::max(0.0, n.z()) + 0.10 * std::max(0.0, n.x()));
      out.push_back(std::move(polygon));
    }
  }
}

template <int D>
std::vector<Polygon> polygons_of(const SceneDescription& scene, const View& view) {
  std::vector<Polygon> out;
  const std::vector<Color> colors = body_colors(scene.bodies);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDescription& b = scene.bodies[i];
    const Pose<D> body = pose_of<D>(b.placement);
    Polygon base;
    base.color = colors[i], base.held = b.kind != BodyKind::kDynamic;
    for (const ShapeDescription& d : b.shapes) {
      const Shape<D> shape = make_shape<D>(d);
      const Pose<D> local = pose_of<D>(d.placement);
      const std::function<Eigen::Vector3d(const Vec<D>&)> place = [&](const Vec<D>& x) {
        const Vec<D> on_body = local.p + matrix_of(local.R) * x;
        return widen<D>(Vec<D>(body.p + matrix_of(body.R) * on_body));
      };
      if (shape.kind == ShapeKind::kBox || shape.kind == ShapeKind::kConvex)
        add_polytope<D>(core_of(shape), place, view, base, out);
      else if (shape.kind != ShapeKind::kHalfSpace && shape.kind != ShapeKind::kHeightField)
        add_round<D>(narrow<D>(place(Vec<D>::Zero())), shape.reach, view, base, out);
    }
  }
  for (Polygon& p : out) {
    for (const Eigen::Vector3d& x : p.ring) p.depth += view.toward.dot(x) / static_cast<double>(p.ring.size());
    if (p.held) p.depth -= 1e-6;
  }
  std::stable_sort(out.begin(), out.end(), [](const Polygon& a, const Polygon& b) { return a.depth < b.depth; });
  return out;
}

class Drawing {
 public:
  Drawing(const SceneDescription& scene, const StableReport& report, const std::string& path)
      : report_(report), s_(report.detected.structure), view_(scene.dimension), canvas_(path, kWidth, kHeight) {
    polygons_ = scene.dimension == 2 ? polygons_of<2>(scene, view_) : polygons_of<3>(scene, view_);
    fit();
  }

  void run() {
    canvas_.set_color({1, 1, 1});
    cairo_paint(canvas_.get());
    cairo_save(canvas_.get());
    cairo_rectangle(canvas_.get(), 0, kTop, kWidth, kHeight - kTop);
    cairo_clip(canvas_.get());
    for (const Polygon& p : polygons_) paint(p);
    draw_forces();
    draw_contacts();
    draw_motion();
    cairo_restore(canvas_.get());
    write_head();
    canvas_.save();
  }

 private:
  // Free bodies decide the frame, with what is held and not much larger; grounds are as large as they like.
  void fit() {
    Eigen::Vector2d low(INFINITY, INFINITY), high(-INFINITY, -INFINITY);
    const auto add = [&](const Eigen::Vector3d& x) {
      low = low.cwiseMin(view_.flat(x)), high = high.cwiseMax(view_.flat(x));
    };
    for (const Polygon& p : polygons_)
      for (const Eigen::Vector3d& x : p.ring)
        if (!p.held) add(x);
    for (const Contact& c : s_.contacts) add(c.point);
    const double most = kHeldSize * (high - low).norm();
    const Eigen::Vector2d free_low = low, free_high = high;
    for (const Polygon& p : polygons_) {
      if (!p.held || !(most > 0)) continue;
      const bool near = std::all_of(p.ring.begin(), p.ring.end(), [&](const Eigen::Vector3d& x) {
        const Eigen::Vector2d flat = view_.flat(x);
        return (flat - flat.cwiseMax(free_low).cwiseMin(free_high)).norm() < most;
      });
      for (const Eigen::Vector3d& x : p.ring)
        if (near) add(x);
    }
    if (!(low.x() <= high.x())) low.setConstant(-1), high.setConstant(1);
    const Eigen::Vector2d size = (high - low).cwiseMax(1e-12 + 1e-9 * (high - low).norm());
    scale_ = std::min((kWidth - 3 * kRim) / size.x(), (kHeight - kTop - 2.4 * kRim) / size.y());
    middle_ = 0.5 * (low + high);
    extent_ = std::max(size.x(), size.y());
  }
  Eigen::Vector2d at(const Eigen::Vector3d& x) const {
    const Eigen::Vector2d d = scale_ * (view_.flat(x) - middle_);
    return {0.5 * kWidth + d.x(), 0.5 * (kHeight + kTop) - d.y()};
  }

  void paint(const Polygon& p) {
    cairo_t* c = canvas_.get();
    for (std::size_t i = 0; i < p.ring.size(); ++i) {
      const Eigen::Vector2d x = at(p.ring[i]);
      (i == 0 ? cairo_move_to : cairo_line_to)(c, x.x(), x.y());
    }
    cairo_close_path(c);
    canvas_.set_color(p.color);
    cairo_fill_preserve(c);
    canvas_.set_color(mix(p.color, {0, 0, 0}, 0.45));
    cairo_set_line_width(c, 1.0);
    cairo_stroke(c);
  }

  void arrow(const Eigen::Vector2d& from, const Eigen::Vector2d& to, const Color& color, double width,
             double alpha = 1) {
    cairo_t* c = canvas_.get();
    const Eigen::Vector2d d = to - from;
    const double length = d.norm();
    if (length < 2) return;
    const Eigen::Vector2d t = d / length, n(-t.y(), t.x());
    const double head = std::min(5 * width, 0.6 * length);
    canvas_.set_color(color, alpha);
    cairo_set_line_width(c, width);
    cairo_move_to(c, from.x(), from.y());
    cairo_line_to(c, to.x() - t.x() * head * 0.8, to.y() - t.y() * head * 0.8);
    cairo_stroke(c);
    const Eigen::Vector2d left = to - t * head + n * 0.42 * head, right = to - t * head - n * 0.42 * head;
    cairo_move_to(c, to.x(), to.y()), cairo_line_to(c, left.x(), left.y()), cairo_line_to(c, right.x(), right.y());
    cairo_close_path(c);
    cairo_fill(c);
  }

  Eigen::VectorXd shown_forces() const {
    if (report_.assessment.forces.size() > 0) return report_.assessment.forces.rounded;
    return report_.motion ? report_.motion->forces : Eigen::VectorXd();
  }

  // The force on the free body of a pair; on the upper one of two.
  double side_of(const Contact& c) const {
    if (s_.bodies[c.a].held != s_.bodies[c.b].held) return s_.bodies[c.b].held ? -1 : 1;
    return view_.up.dot(c.frame.col(0)) < 0 ? -1 : 1;
  }

  void draw_forces() {
    const Eigen::VectorXd f = shown_forces();
    if (f.size() == 0) return;
    const double most = f.cwiseAbs().maxCoeff();
    if (!(most > 0)) return;
    most_force_ = most * report_.scaled.units.force;
    const double unit = 0.22 * extent_ * scale_ / most;
    for (std::size_t i = 0; i < s_.contacts.size(); ++i) {
      const Contact& c = s_.contacts[i];
      Eigen::Vector3d force = Eigen::Vector3d::Zero();
      for (int k = 0; k < s_.dimension; ++k)
        force += f[static_cast<Eigen::Index>(i) * s_.dimension + k] * c.frame.col(k);
      const double sign = side_of(c);
      const Eigen::Vector2d flat = view_.flat(force), tip(sign * flat.x() * unit, -sign * flat.y() * unit);
      draw_range(i, sign * view_.flat(c.frame.col(0)), at(c.point), unit);
      arrow(at(c.point) - tip, at(c.point), kForce, 2.2);
    }
  }

  void draw_range(std::size_t i, const Eigen::Vector2d& n, const Eigen::Vector2d& at_point, double unit) {
    if (i >= report_.point_ranges.size()) return;
    const ForceRange& range = report_.point_ranges[i];
    const double cap = 0.45 * extent_ * scale_, least = range.least.value;
    const double most = range.greatest.finite ? range.greatest.value : least + kEndless * extent_ * scale_ / unit;
    if (!(most > least + 1e-9)) return;
    (range.greatest.finite ? has_ranges_ : has_endless_) = true;
    cairo_t* c = canvas_.get();
    const auto point = [&](double f) {
      const double length = std::min(f * unit, cap);
      return Eigen::Vector2d(at_point - Eigen::Vector2d(n.x(), -n.y()) * length);
    };
    if (!range.greatest.finite) return arrow(point(most), point(least), kEndlessTone, 3, 0.5);
    canvas_.set_color(kForce, 0.28);
    cairo_set_line_width(c, 8);
    cairo_move_to(c, point(least).x(), point(least).y()), cairo_line_to(c, point(most).x(), point(most).y());
    cairo_stroke(c);
  }

  void draw_motion() {
    if (!report_.motion || report_.motion->acceleration.size() == 0) return;
    const Structure& scaled = report_.scaled.structure;
    const Freedoms freedoms(scaled);
    const auto linear = [&](std::size_t i) {
      Eigen::Vector3d v = Eigen::Vector3d::Zero();
      v.head(s_.dimension) = report_.motion->acceleration.segment(freedoms.first[i], s_.dimension);
      return v;
    };
    const auto turn = [&](std::size_t i) {
      Eigen::Vector3d v = Eigen::Vector3d::Zero();
      v.tail(scaled.angular()) =
          report_.motion->acceleration.segment(freedoms.first[i] + scaled.linear(), scaled.angular());
      return v;
    };
    for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
      if (freedoms.first[i] < 0) continue;
      most_linear_ = std::max(most_linear_, linear(i).norm()), most_turn_ = std::max(most_turn_, turn(i).norm());
    }
    // Angular accelerations that are rounding beside the linear ones are none.
    if (most_turn_ < 1e-7 * most_linear_) most_turn_ = 0;
    for (std::size_t i = 0; i < s_.bodies.size() && most_linear_ > 0; ++i) {
      if (freedoms.first[i] < 0) continue;
      const Eigen::Vector2d from = at(s_.bodies[i].center), flat = view_.flat(linear(i));
      arrow(from, from + Eigen::Vector2d(flat.x(), -flat.y()) * (0.18 * extent_ * scale_ / most_linear_), kMotion, 3);
      if (most_turn_ > 0) draw_turn(i, turn(i), most_turn_);
    }
  }

  // Upwards in the picture, as far as it is across the axis.
  Eigen::Vector3d across(const Eigen::Vector3d& axis) const {
    const Eigen::Vector3d up = view_.up - axis * axis.dot(view_.up);
    return up.norm() > 0.2 ? up.normalized() : axis.unitOrthogonal();
  }

  // An arc around the axis, longer where a body turns more, with a head at its end.
  void draw_turn(std::size_t i, const Eigen::Vector3d& turn, double most) {
    if (!(turn.norm() > 1e-6 * most)) return;
    const Body& b = s_.bodies[i];
    const Eigen::Vector3d axis = turn.normalized(), u = across(axis), v = axis.cross(u);
    const double radius = kArcSize * std::sqrt(b.inertia.trace() / b.mass);
    const double angle = kLeastArc + (kMostArc - kLeastArc) * turn.norm() / most;
    const auto place = [&](double t) { return at(b.center + radius * (std::cos(t) * u + std::sin(t) * v)); };
    cairo_t* c = canvas_.get();
    canvas_.set_color(kMotion);
    cairo_set_line_width(c, 2);
    cairo_new_path(c);
    constexpr int kParts = 24;
    for (int k = 0; k < kParts; ++k) {
      const Eigen::Vector2d x = place(angle * (static_cast<double>(k) / kParts - 0.5));
      cairo_line_to(c, x.x(), x.y());
    }
    cairo_stroke(c);
    const Eigen::Vector2d end = place(0.5 * angle), along = end - place(angle * (0.5 - 1.0 / kParts));
    if (along.norm() > 0.2) arrow(end - along.normalized() * 6, end + along.normalized() * 5, kMotion, 2);
  }

  // Red: opens; orange: slides. What stays closed has no dot.
  void draw_contacts() {
    const std::vector<PointMotion> motion = contact_motion(report_);
    for (std::size_t i = 0; i < motion.size(); ++i) {
      if (motion[i].change == ContactChange::kStays) continue;
      dot(at(s_.contacts[i].point), motion[i].change == ContactChange::kOpens ? kMotion : kSlides);
    }
  }
  void dot(const Eigen::Vector2d& x, const Color& color) {
    cairo_t* c = canvas_.get();
    cairo_new_path(c);
    cairo_arc(c, x.x(), x.y(), 4, 0, 2 * M_PI);
    canvas_.set_color(color);
    cairo_fill_preserve(c);
    canvas_.set_color({1, 1, 1});
    cairo_set_line_width(c, 1);
    cairo_stroke(c);
  }

  void write_head() {
    const Assessment& a = report_.assessment;
    canvas_.set_color(kInk);
    canvas_.set_font(24, true);
    canvas_.text(fmt::format("{}: {}{}", report_.name, verdict_title(a.verdict), a.marginal ? ", marginal" : ""), 30,
                 40);
    canvas_.set_font(13);
    canvas_.set_color(kFaint);
    canvas_.text(fmt::format("{} bodies, {} contact points; {}", s_.bodies.size(), s_.contacts.size(),
                             a.exact ? "proven in fractions" : "computed, not proven"),
                 30, 64);
    write_legend();
  }

  // What colours mean, and the longest arrow of each kind as a number.
  void write_legend() {
    double x = 30;
    const auto entry = [&](const Color& color, bool is_dot, const std::string& text) {
      const double y = 86;
      if (is_dot)
        dot({x + 6, y - 4}, color), x += 18;
      else
        arrow({x, y - 4}, {x + 26, y - 4}, color, 2.2), x += 34;
      canvas_.set_color(kFaint);
      canvas_.text(text, x, y);
      x += canvas_.text_width(text) + 22;
    };
    const Units& u = report_.scaled.units;
    if (most_force_ > 0)
      entry(kForce, false,
            fmt::format("contact forces, the longest {:.4g} N{}", most_force_,
                        has_ranges_ ? "; wide: least to greatest normal force" : ""));
    if (has_endless_) entry(kEndlessTone, false, "no greatest force");
    if (most_linear_ > 0)
      entry(kMotion, false, fmt::format("accelerations, the longest {:.3g} m/s²", most_linear_ * u.acceleration()));
    if (most_turn_ > 0)
      entry(kMotion, false, fmt::format("arcs up to {:.3g} rad/s²", most_turn_ * u.angular_acceleration()));
    if (report_.motion) entry(kMotion, true, "opens"), entry(kSlides, true, "slides");
  }

  const StableReport& report_;
  const Structure& s_;
  View view_;
  Canvas canvas_;
  std::vector<Polygon> polygons_;
  double scale_ = 1, extent_ = 1;
  double most_force_ = 0, most_linear_ = 0, most_turn_ = 0;  // that are drawn; [N], scaled, scaled
  bool has_ranges_ = false, has_endless_ = false;
  Eigen::Vector2d middle_ = Eigen::Vector2d::Zero();
};

}  // namespace

void draw_stable(const SceneDescription& scene, const StableReport& report, const std::string& path) {
  Drawing(scene, report, path).run();
}

}  // namespace touchstone::statics
