#include "io/replay/frame_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/replay/frame_motion.h"

namespace touchstone {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are written as they lie in memory");

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// Writes sections one after the other into memory that is already zero.
class Cursor {
 public:
  Cursor(std::byte* at) : at_(at) {}
  void put(const void* data, std::size_t bytes) {
    if (bytes > 0) std::memcpy(at_, data, bytes);
    at_ += aligned(bytes);
  }
  void skip(std::size_t bytes) { at_ += aligned(bytes); }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(at_);
  }

 private:
  std::byte* at_;
};

void copy3(const double (&from)[3], float (&to)[3]) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(from[i]);
}

void put_pose(const FramePose& pose, float* to) {
  const Eigen::Quaterniond& q = pose.rotation;
  const double numbers[7] = {pose.position.x(), pose.position.y(), pose.position.z(), q.w(), q.x(), q.y(), q.z()};
  std::transform(numbers, numbers + 7, to, [](double v) { return static_cast<float>(v); });
}

void put_velocity(const FrameVelocity& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v.linear[i]), to[3 + i] = static_cast<float>(v.angular[i]);
}

bool not_converged(const Frame& frame) {
  static const std::size_t kStatus = static_cast<std::size_t>(find_report_field("status") - report_fields().data());
  return frame.report.size() > kStatus && frame.report[kStatus] > 0;
}

ReplayFrameHeader header_of(const Frame& frame, const ReplayExtras& extras) {
  ReplayFrameHeader h;
  h.step = frame.step, h.time = frame.time;
  h.slots = static_cast<std::uint32_t>(frame.slots);
  h.contacts = h.contacts_total = static_cast<std::uint32_t>(frame.contacts.size());
  h.fields = static_cast<std::uint32_t>(frame.report.size());
  h.events = static_cast<std::uint32_t>(extras.events.size());
  h.joints = static_cast<std::uint32_t>(extras.joints.size());
  if (!frame.poses.empty()) h.flags |= ReplayFrameHeader::kPoses;
  if (!frame.velocities.empty()) h.flags |= ReplayFrameHeader::kVelocities;
  if (extras.contacts_known) h.flags |= ReplayFrameHeader::kContacts;
  if (extras.edited) h.flags |= ReplayFrameHeader::kEdited;
  if (not_converged(frame)) h.flags |= ReplayFrameHeader::kNotConverged;
  return h;
}

}  // namespace

ReplayContact replay_contact(const FrameContact& c, bool impact) {
  ReplayContact out;
  out.a = c.body_a, out.b = c.body_b;
  out.shapes = (c.shape_a & 0xffffu) | c.shape_b << 16;
  out.key_low = static_cast<std::uint32_t>(c.key), out.key_high = static_cast<std::uint32_t>(c.key >> 32);
  out.flags = (c.sticking ? ReplayContact::kSticking : 0u) | (impact ? ReplayContact::kImpact : 0u);
  copy3(c.point, out.point);
  copy3(c.normal, out.normal);
  copy3(c.impulse, out.impulse);
  copy3(c.relative_velocity, out.relative_velocity);
  out.gap = static_cast<float>(c.gap);
  out.static_friction = static_cast<float>(c.static_friction);
  out.dynamic_friction = static_cast<float>(c.dynamic_friction);
  out.restitution = static_cast<float>(c.restitution);
  out.natural_map = static_cast<float>(c.natural_map);
  return out;
}

void find_replay_joints(const Frame& frame, std::size_t scene_joints, std::vector<ReplayJoint>& out) {
  out.clear();
  std::uint32_t next = 0;  // of the scene's joints; frames have joints in the order of their serials
  const auto gone_before = [&](std::size_t serial) {
    for (; next < std::min(serial, scene_joints); ++next) {
      ReplayJoint& j = out.emplace_back();
      j.serial = next, j.flags = ReplayJoint::kGone;
    }
    next = std::max(next, static_cast<std::uint32_t>(std::min(serial + 1, scene_joints)));
  };
  for (const FrameJoint& j : frame.joints) {
    gone_before(j.serial);
    const bool target = j.kind == static_cast<std::uint32_t>(JointKind::kTarget);
    if (j.serial < scene_joints && !j.broken && !target) continue;
    if (j.serial >= scene_joints && j.broken) continue;
    ReplayJoint& r = out.emplace_back();
    r.serial = j.serial, r.kind = j.kind, r.a = j.body_a, r.b = j.body_b;
    r.flags = j.broken ? ReplayJoint::kGone : 0;
    copy3(j.point_a, r.point_a);
    copy3(j.point, r.point_b);
  }
  if (scene_joints > 0) gone_before(scene_joints);
}

void append_replay_frame(const Frame& frame, int dimension, const ReplayExtras& extras, std::vector<std::byte>& out) {
  ReplayFrameHeader h = header_of(frame, extras);
  const std::size_t slots = h.slots, poses = frame.poses.empty() ? 0 : slots * 7 * sizeof(float),
                    velocities = frame.velocities.empty() ? 0 : slots * 6 * sizeof(float);
  h.bytes = static_cast<std::uint32_t>(sizeof h + 8 * frame.report.size() + aligned(poses) + aligned(velocities) +
                                       aligned(slots) + sizeof(ReplayContact) * h.contacts +
                                       sizeof(ReplayEvent) * h.events + sizeof(ReplayJoint) * h.joints);
  const std::size_t start = out.size();
  out.resize(start + h.bytes);
  Cursor at(out.data() + start);
  at.put(&h, sizeof h);
  at.put(frame.report.data(), 8 * frame.report.size());
  if (poses > 0)
    for (std::size_t i = 0; i < slots; ++i) put_pose(pose_in(frame, i, dimension), at.as<float>() + 7 * i);
  at.skip(poses);
  if (velocities > 0)
    for (std::size_t i = 0; i < slots; ++i) put_velocity(velocity_in(frame, i, dimension), at.as<float>() + 6 * i);
  at.skip(velocities);
  for (std::size_t i = 0; i < slots; ++i)
    at.as<std::uint8_t>()[i] = frame.alive[i] && (frame.poses.empty() || has_pose(frame, i, dimension)) ? 1 : 0;
  at.skip(slots);
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const ReplayContact c = replay_contact(frame.contacts[i], i < extras.impacts.size() && extras.impacts[i]);
    at.put(&c, sizeof c);
  }
  at.put(extras.events.data(), extras.events.size_bytes());
  at.put(extras.joints.data(), extras.joints.size_bytes());
}

std::span<const std::byte> LiveFrames::capture(const Simulation& simulation, bool edited,
                                               std::span<const ReplayEvent> more) {
  capture_frame(simulation, RecordDescription{}, frame_);
  const auto found = finder_.find(frame_);
  events_.assign(found.begin(), found.end());
  events_.insert(events_.end(), more.begin(), more.end());
  find_replay_joints(frame_, scene_joints_, joints_);
  bytes_.clear();
  append_replay_frame(
      frame_, simulation.dimension(),
      {.events = events_, .impacts = finder_.impacts(), .joints = joints_, .contacts_known = true, .edited = edited},
      bytes_);
  return bytes_;
}

}  // namespace touchstone
