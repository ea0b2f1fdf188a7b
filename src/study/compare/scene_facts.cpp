#include "study/compare/scene_facts.h"

#include <algorithm>
#include <cmath>

namespace touchstone::compare {
namespace {

Eigen::Matrix3d rotation_of(int dimension, const Placement& at) {
  if (dimension == 3) return at.orientation.toRotationMatrix();
  return Eigen::AngleAxisd(at.angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

// 3D: ∫x·xᵀ dm = ½·trace(I)·1 − I. 2D: only its trace I_zz matters, since R₁ − R₂ stretches all directions alike.
Eigen::Matrix3d spread_of(int dimension, const Eigen::Matrix3d& inertia, double mass) {
  if (dimension == 3) return (0.5 * inertia.trace() * Eigen::Matrix3d::Identity() - inertia) / mass;
  return Eigen::Vector3d(inertia(2, 2), inertia(2, 2), 0).asDiagonal() * (0.5 / mass);
}

// A ball of radius r has a spread of trace 3/5·r², a disc ½·r².
double size_of(int dimension, const Eigen::Matrix3d& spread) {
  const double trace = std::max(0.0, spread.trace());
  return 2 * std::sqrt(dimension == 3 ? trace * 5 / 3 : trace * 2);
}

BodyFacts facts_of(const Simulation& simulation, BodyId id) {
  const int dimension = simulation.dimension();
  BodyFacts out;
  out.name = simulation.body_name(id);
  out.slot = id.index;
  out.mass = simulation.mass(id);
  out.spread = spread_of(dimension, simulation.inertia(id), out.mass);
  out.size = size_of(dimension, out.spread);
  const BodyState state = simulation.state(id);
  out.center = rotation_of(dimension, state.placement).transpose() * (state.center_of_mass - state.placement.position);
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

double SceneFacts::speed() const { return std::sqrt(gravity * size); }

SceneFacts scene_facts(const Simulation& simulation, const SceneDescription& scene) {
  SceneFacts out;
  out.dimension = simulation.dimension();
  out.gravity = scene.gravity.norm();
  std::size_t with_shapes = 0;
  bool dynamic_shapes = false;
  std::vector<double> sizes;
  for (const BodyId id : simulation.bodies()) {
    const BodyDescription& d = simulation.description(id);
    with_shapes += !d.shapes.empty();
    if (d.kind != BodyKind::kDynamic) continue;
    dynamic_shapes = dynamic_shapes || !d.shapes.empty();
    const BodyFacts body = facts_of(simulation, id);
    out.lightest = out.bodies.empty() ? body.mass : std::min(out.lightest, body.mass);
    out.weight_energy += body.mass * out.gravity * body.size;
    sizes.push_back(body.size);
    out.bodies.push_back(body);
  }
  out.can_touch = dynamic_shapes && with_shapes > 1;
  out.size = median(std::move(sizes));
  return out;
}

BodyPose pose_of(const Frame& frame, int dimension, const BodyFacts& body) {
  const double* at = frame.poses.data() + body.slot * static_cast<std::size_t>(pose_width(dimension));
  Placement placement;
  if (dimension == 3) {
    placement.position = {at[0], at[1], at[2]};
    placement.orientation = Eigen::Quaterniond(at[3], at[4], at[5], at[6]);
  } else {
    placement.position = {at[0], at[1], 0};
    placement.angle = at[2];
  }
  BodyPose out;
  out.rotation = rotation_of(dimension, placement);
  out.center = placement.position + out.rotation * body.center;
  return out;
}

double point_distance(const BodyFacts& body, const BodyPose& a, const BodyPose& b) {
  const Eigen::Matrix3d turn = a.rotation - b.rotation;
  const Eigen::Matrix3d moved = turn * body.spread * turn.transpose();
  return std::sqrt((a.center - b.center).squaredNorm() + std::max(0.0, moved.trace()));
}

StateDistance state_distance(const SceneFacts& facts, const Frame& a, const Frame& b) {
  StateDistance out;
  double sum = 0;
  for (const BodyFacts& body : facts.bodies) {
    const double d = point_distance(body, pose_of(a, facts.dimension, body), pose_of(b, facts.dimension, body));
    sum += d * d;
    if (d > out.worst || out.body.empty()) out.worst = d, out.body = body.name;
  }
  out.mean = facts.bodies.empty() ? 0 : std::sqrt(sum / static_cast<double>(facts.bodies.size()));
  return out;
}

}  // namespace touchstone::compare
