#include "study/audit_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace touchstone::audit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFar = 0.5;  // of the smaller body: balls about the bodies that are as far apart need no closer look

Matrix3d rotation_of(const Placement& at, int dimension) {
  if (dimension == 3) return at.orientation.toRotationMatrix();
  return Eigen::AngleAxisd(at.angle, Vector3d::UnitZ()).toRotationMatrix();
}

Subject subject_of(const Simulation& sim, BodyId id) {
  Subject out;
  out.name = sim.body_name(id);
  out.description = sim.description(id);
  out.dynamic = out.description.kind == BodyKind::kDynamic;
  const BodyState s = sim.state(id);
  out.centre = rotation_of(s.placement, sim.dimension()).transpose() * (s.center_of_mass - s.placement.position);
  if (out.dynamic) out.mass = sim.mass(id), out.inertia = sim.inertia(id);
  for (const ShapeDescription& shape : out.description.shapes) {
    if (shape.kind == ShapeKind::kHeightField) out.fields.push_back(shape);
    double reach = 0;  // of the shape about its own frame
    for (const Vector3d& v : shape.vertices) {
      reach = std::max(reach, v.norm());
      const Vector3d x = shape.placement.position + rotation_of(shape.placement, sim.dimension()) * v;
      out.reach = std::max(out.reach, (x - out.centre).norm());
    }
    for (const Piece& piece : pieces_of(shape, sim.dimension())) {
      if (shape.vertices.empty()) reach = piece.reach(shape.placement.position);
      out.reach = std::max(out.reach, piece.reach(out.centre));
      out.pieces.push_back(piece);
    }
    const double ball = (shape.placement.position - out.centre).norm() + reach;
    if (std::isfinite(ball)) out.radius = std::max(out.radius, ball);
  }
  if (!out.fields.empty()) out.reach = kInfinity;
  return out;
}

Matrix3d axes_from(const Vector3d& x) {
  Matrix3d out;
  out.col(0) = x.normalized();
  out.col(1) = out.col(0).unitOrthogonal();
  out.col(2) = out.col(0).cross(out.col(1));
  return out;
}

double rotation_angle(const Matrix3d& R) { return std::abs(Eigen::AngleAxisd(R).angle()); }

}  // namespace

Scene::Scene(const SceneDescription& scene) : scene_(scene) {
  const Simulation sim(scene_);
  for (const BodyId id : sim.bodies()) subjects_.push_back(subject_of(sim, id));
  const Instant start = instant(sim);
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    grounds_.emplace_back();
    for (const ShapeDescription& f : subjects_[i].fields)
      grounds_[i].emplace_back(f, start.bodies[i].R, start.bodies[i].origin);
  }
  const auto local = [&](int body, const Vector3d& world) -> Vector3d {
    if (body < 0) return world;
    const BodyAt& at = start.bodies[static_cast<std::size_t>(body)];
    return at.R.transpose() * (world - at.origin);
  };
  for (const JointDescription& d : scene_.joints) {
    JointSides j;
    j.description = &d;
    j.a = slot(d.body_a), j.b = slot(d.body_b);
    const int own = j.b >= 0 ? j.b : j.a;  // where sliders and fixed joints are that name no point
    const Vector3d point = d.point ? *d.point : place(own, Vector3d::Zero(), start);
    j.point_a = d.point_a ? *d.point_a : d.point_b ? local(j.a, place(j.b, *d.point_b, start)) : local(j.a, point);
    j.point_b = d.point_b ? *d.point_b : d.point_a ? local(j.b, place(j.a, *d.point_a, start)) : local(j.b, point);
    const Matrix3d axes = axes_from(d.axis ? *d.axis : scene_.dimension == 2 ? Vector3d::UnitZ() : Vector3d::UnitX());
    j.axes_a = frame(j.a, start).transpose() * axes, j.axes_b = frame(j.b, start).transpose() * axes;
    joints_.push_back(j);
  }
  for (const SpringDescription& s : scene_.springs)
    rest_lengths_.push_back(
        s.rest_length ? *s.rest_length
                      : (place(slot(s.body_a), s.point_a, start) - place(slot(s.body_b), s.point_b, start)).norm());
}

int Scene::slot(const std::string& name) const {
  if (name.empty() || name == "world") return -1;
  for (std::size_t i = 0; i < subjects_.size(); ++i)
    if (subjects_[i].name == name) return static_cast<int>(i);
  throw std::runtime_error("no body " + name);
}

Instant Scene::instant(const Simulation& sim) const {
  Instant at;
  at.step = sim.step_count(), at.time = sim.time();
  for (const BodyId id : sim.bodies()) {
    const BodyState s = sim.state(id);
    at.bodies.push_back({s.placement.position, s.center_of_mass, s.velocity, s.angular_velocity,
                         rotation_of(s.placement, scene_.dimension)});
  }
  return at;
}

Vector3d Scene::spin(std::size_t i, const BodyAt& at) const {
  return at.R * (subjects_[i].inertia * (at.R.transpose() * at.w));
}
double Scene::kinetic(std::size_t i, const BodyAt& at) const {
  return subjects_[i].dynamic ? 0.5 * (subjects_[i].mass * at.v.squaredNorm() + at.w.dot(spin(i, at))) : 0.0;
}
double Scene::kinetic(const Instant& at) const {
  double sum = 0;
  for (std::size_t i = 0; i < subjects_.size(); ++i) sum += kinetic(i, at.bodies[i]);
  return sum;
}
double Scene::gravity(const Instant& at) const {
  double sum = 0;
  for (std::size_t i = 0; i < subjects_.size(); ++i)
    if (subjects_[i].dynamic)
      sum -= subjects_[i].mass * subjects_[i].description.gravity_scale * scene_.gravity.dot(at.bodies[i].centre);
  return sum;
}
double Scene::springs(const Instant& at) const {
  double sum = 0;
  for (std::size_t k = 0; k < scene_.springs.size(); ++k) {
    const SpringDescription& s = scene_.springs[k];
    const double length = (place(slot(s.body_a), s.point_a, at) - place(slot(s.body_b), s.point_b, at)).norm();
    sum += 0.5 * s.stiffness * (length - rest_lengths_[k]) * (length - rest_lengths_[k]);
  }
  return sum;
}

double Scene::energy_scale(const std::vector<Instant>& run) const {
  double most = 0, weights = 0;
  for (const Instant& at : run) most = std::max(most, kinetic(at));
  for (std::size_t i = 0; i < subjects_.size(); ++i)
    if (subjects_[i].dynamic) weights += subjects_[i].mass * scene_.gravity.norm() * size(i);
  return std::max(most, weights);
}

// ∫ρ² dm = ½·trace(I) in 3D, I_zz in 2D; of a ball 3/5·m·r², of a disc ½·m·r².
double Scene::size(std::size_t i) const {
  const Subject& s = subjects_[i];
  if (scene_.dimension == 2) return 2 * std::sqrt(2 * s.inertia(2, 2) / s.mass);
  return 2 * std::sqrt(5.0 / 3.0 * 0.5 * s.inertia.trace() / s.mass);
}
double Scene::median_size() const {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < subjects_.size(); ++i)
    if (subjects_[i].dynamic) sizes.push_back(size(i));
  std::sort(sizes.begin(), sizes.end());
  return sizes[sizes.size() / 2];
}

bool Scene::can_touch(std::size_t a, std::size_t b) const {
  if (!subjects_[a].dynamic && !subjects_[b].dynamic) return false;
  for (const JointSides& j : joints_)
    if (!j.description->collide && ((j.a == static_cast<int>(a) && j.b == static_cast<int>(b)) ||
                                    (j.b == static_cast<int>(a) && j.a == static_cast<int>(b))))
      return false;
  return true;
}

Scene::Placed Scene::placed(std::size_t i, const BodyAt& at) const {
  Placed out;
  const Subject& s = subjects_[i];
  out.lower.setConstant(s.fields.empty() ? kInfinity : -kInfinity), out.upper = -out.lower;
  for (const Ground& g : grounds_[i]) out.grounds.push_back(&g);
  for (const Piece& p : s.pieces) {
    out.pieces.push_back(p.at(at.R, at.origin));
    for (int k = 0; k < 3; ++k) {
      out.lower[k] = std::min(out.lower[k], -out.pieces.back().support(-Vector3d::Unit(k)));
      out.upper[k] = std::max(out.upper[k], out.pieces.back().support(Vector3d::Unit(k)));
    }
  }
  return out;
}

double Scene::depth(const Placed& a, const Placed& b) const {
  double most = -kInfinity;
  for (const Ground* g : a.grounds)
    for (const Piece& p : b.pieces) most = std::max(most, g->depth(p));
  for (const Ground* g : b.grounds)
    for (const Piece& p : a.pieces) most = std::max(most, g->depth(p));
  for (const Piece& p : a.pieces)
    for (const Piece& q : b.pieces)
      if (p.kind != Piece::Kind::kPlane || q.kind != Piece::Kind::kPlane)
        most = std::max(most, audit::depth(p, q, scene_.dimension));
  return most;
}

double Scene::depth(std::size_t a, std::size_t b, const Instant& at) const {
  return depth(placed(a, at.bodies[a]), placed(b, at.bodies[b]));
}

std::vector<PairDepth> Scene::depths(const Instant& at) const {
  std::vector<Placed> all;
  for (std::size_t i = 0; i < subjects_.size(); ++i) all.push_back(placed(i, at.bodies[i]));
  std::vector<PairDepth> out;
  for (std::size_t a = 0; a < subjects_.size(); ++a)
    for (std::size_t b = a + 1; b < subjects_.size(); ++b) {
      const double far = kFar * std::min(subjects_[a].reach, subjects_[b].reach);
      if (((all[a].lower - all[b].upper).array() > far).any() || ((all[b].lower - all[a].upper).array() > far).any() ||
          !can_touch(a, b))
        continue;
      if (const double d = depth(all[a], all[b]); d > -far) out.push_back({a, b, d});
    }
  return out;
}

double Scene::smaller(int a, int b) const {
  const auto radius = [&](int i) { return i < 0 ? 0.0 : subjects_[static_cast<std::size_t>(i)].radius; };
  const double ra = radius(a), rb = radius(b);
  return 2 * (ra > 0 && rb > 0 ? std::min(ra, rb) : std::max(ra, rb));
}

Matrix3d Scene::frame(int body, const Instant& at) const {
  return body < 0 ? Matrix3d(Matrix3d::Identity()) : at.bodies[static_cast<std::size_t>(body)].R;
}
Vector3d Scene::place(int body, const Vector3d& local, const Instant& at) const {
  return body < 0 ? local : Vector3d(at.bodies[static_cast<std::size_t>(body)].origin + frame(body, at) * local);
}

double Scene::coordinate(const JointSides& j, const Instant& at) const {
  const Matrix3d A = frame(j.a, at) * j.axes_a, B = frame(j.b, at) * j.axes_b;
  if (j.description->kind == JointKind::kSlider)
    return A.col(0).dot(place(j.b, j.point_b, at) - place(j.a, j.point_a, at));
  if (j.description->kind != JointKind::kHinge) return 0;
  return std::atan2(A.col(2).dot(B.col(1)), A.col(1).dot(B.col(1)));
}

double Scene::rate(const JointSides& j, const Instant& at) const {
  const Vector3d axis = frame(j.a, at) * j.axes_a.col(0), place_b = place(j.b, j.point_b, at);
  const auto still =
      BodyAt{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), Matrix3d::Identity()};
  const BodyAt &a = j.a < 0 ? still : at.bodies[static_cast<std::size_t>(j.a)],
               &b = j.b < 0 ? still : at.bodies[static_cast<std::size_t>(j.b)];
  if (j.description->kind == JointKind::kHinge) return axis.dot(b.w - a.w);
  return axis.dot(b.v + b.w.cross(place_b - b.centre) - a.v - a.w.cross(place_b - a.centre));
}

// Positions as the distance of the two places (of a slider: from its line), angles in the forms of docs/conventions.md.
Opening Scene::opening(const JointSides& j, const Instant& at) const {
  const Matrix3d A = frame(j.a, at) * j.axes_a, B = frame(j.b, at) * j.axes_b;
  Vector3d apart = place(j.b, j.point_b, at) - place(j.a, j.point_a, at);
  Opening out;
  const JointKind kind = j.description->kind;
  if (kind == JointKind::kSlider) apart -= A.col(0).dot(apart) * A.col(0);
  out.position = apart.norm();
  if (kind == JointKind::kHinge && scene_.dimension == 3)
    out.angle = 2 * std::tan(0.5 * std::atan2(A.col(0).cross(B.col(0)).norm(), A.col(0).dot(B.col(0))));
  if (kind == JointKind::kSlider || kind == JointKind::kFixed)
    out.angle = 4 * std::tan(0.25 * rotation_angle(A.transpose() * B));
  const double passed = std::max({0.0, coordinate(j, at) - j.description->upper.value_or(kInfinity),
                                  j.description->lower.value_or(-kInfinity) - coordinate(j, at)});
  if (kind == JointKind::kHinge) out.angle = std::max(out.angle, passed);
  if (kind == JointKind::kSlider) out.position = std::max(out.position, passed);
  return out;
}

Worst Scene::widest(const std::vector<Instant>& run, bool ratio) const {
  Worst out;
  for (std::size_t k = 1; k < run.size(); ++k)
    for (const JointSides& j : joints_) {
      const double open = opening(j, run[k]).position / (ratio ? smaller(j.a, j.b) : 1.0);
      if (open > out.value) out = {open, run[k].step, run[k].time, j.description->body_a, j.description->body_b};
    }
  return out;
}

Worst Scene::most_bent(const std::vector<Instant>& run) const {
  Worst out;
  for (std::size_t k = 1; k < run.size(); ++k)
    for (const JointSides& j : joints_)
      if (const double bent = opening(j, run[k]).angle; bent > out.value)
        out = {bent, run[k].step, run[k].time, j.description->body_a, j.description->body_b};
  return out;
}

}  // namespace touchstone::audit
