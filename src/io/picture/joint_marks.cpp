#include "io/picture/joint_marks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "io/curve_line.h"
#include "io/replay/frame_motion.h"
#include "sim/joint_description.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

constexpr double kAxis = 0.06;  // half of an axis over it

// Around all bodies that are placed [m].
double size_of(const Frame& frame, int dimension) {
  Eigen::AlignedBox3d box;
  for (std::size_t i = 0; i < frame.slots; ++i)
    if (has_pose(frame, i, dimension)) box.extend(pose_in(frame, i, dimension).position);
  return box.isEmpty() || !(box.diagonal().norm() > 0) ? 1.0 : box.diagonal().norm();
}

class Marks {
 public:
  Marks(const SceneDescription& scene, const Frame& frame)
      : scene_(scene), frame_(frame), size_(size_of(frame, scene.dimension)) {}

  std::vector<PictureMark> take() {
    for (const FrameJoint& j : frame_.joints)
      if (!j.broken) add(j);
    return std::move(marks_);
  }

 private:
  const JointDescription* described(const FrameJoint& j) const {
    return j.serial < scene_.joints.size() ? &scene_.joints[j.serial] : nullptr;
  }
  const BodyDescription* body(const std::string& name) const {
    const auto found = std::find_if(scene_.bodies.begin(), scene_.bodies.end(),
                                    [&](const BodyDescription& b) { return !name.empty() && b.name == name; });
    return found == scene_.bodies.end() ? nullptr : &*found;
  }
  FramePose pose(std::uint32_t slot) const {
    return slot == FrameJoint::kNoBody ? FramePose{} : pose_in(frame_, slot, scene_.dimension);
  }

  void add(const FrameJoint& j) {
    const Vector3d a(j.point_a), b(j.point);
    const auto kind = static_cast<JointKind>(j.kind);
    if (kind == JointKind::kBead) return add_curve(j, b);
    if (is_length(kind) || kind == JointKind::kGear || kind == JointKind::kTarget) {
      marks_.push_back({{a, b}, true, kind == JointKind::kSpring});
      return;
    }
    for (const std::uint32_t slot : {j.body_a, j.body_b})
      if (slot != FrameJoint::kNoBody && moves(slot)) marks_.push_back({{pose(slot).position, b}, false, false});
    marks_.push_back({{b}, true, false});
    add_axis(j, b);
  }

  bool moves(std::uint32_t slot) const {
    return slot >= scene_.bodies.size() || scene_.bodies[slot].kind != BodyKind::kStatic;
  }

  void add_curve(const FrameJoint& j, const Vector3d& b) {
    marks_.push_back({{b}, true, false});
    const JointDescription* d = described(j);
    if (!d) return;
    const FramePose at = pose(j.body_a);
    const Vector3d origin(j.point_a), local = at.rotation.conjugate() * (b - origin);
    PictureMark line;
    for (const Eigen::Vector2d& p : curve_line(Expression(d->curve), local.head<2>(), kCurveLength * size_))
      line.line.push_back(origin + at.rotation * Vector3d(p.x(), p.y(), 0));
    if (line.line.size() > 1) marks_.push_back(std::move(line));
  }

  void add_axis(const FrameJoint& j, const Vector3d& b) {
    const JointDescription* d = described(j);
    if (!d || !d->axis || scene_.dimension == 2) return;
    const Joint<3> joint = described_joint<3>(*d, body(d->body_a), body(d->body_b));
    const Vector3d along = pose(j.body_a).rotation * (matrix_of(joint.described_frame_a) * Vector3d::UnitX());
    marks_.push_back({{b - kAxis * size_ * along, b + kAxis * size_ * along}, false, false});
  }

  const SceneDescription& scene_;
  const Frame& frame_;
  double size_;
  std::vector<PictureMark> marks_;
};

}  // namespace

std::vector<PictureMark> joint_marks(const SceneDescription& scene, const Frame& frame) {
  if (frame.poses.empty()) return {};
  return Marks(scene, frame).take();
}

}  // namespace touchstone
