#pragma once
// A frame as the viewer gets it: bytes, little-endian, every section at a multiple of 8 (docs/viewer.md).
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/replay/event_finder.h"
#include "recording/frame.h"

namespace touchstone {

struct ReplayFrameHeader {
  static constexpr std::uint32_t kMagic = 0x31465354;  // "TSF1"
  static constexpr std::uint32_t kPoses = 1, kVelocities = 2, kContacts = 4, kEdited = 8, kNotConverged = 16;
  std::uint32_t magic = kMagic, bytes = 0;  // bytes: of the whole frame
  std::uint64_t step = 0;
  double time = 0;
  std::uint32_t slots = 0, contacts = 0, fields = 0, events = 0, flags = 0;
  std::uint32_t contacts_total = 0;  // how many there were before some were left out
  std::uint32_t joints = 0;
  std::uint32_t zero[3] = {};
};
static_assert(sizeof(ReplayFrameHeader) == 64);

struct ReplayContact {
  static constexpr std::uint32_t kSticking = 1, kImpact = 2;
  std::uint32_t a = 0, b = 0, shapes = 0;  // shapes: of A in the low 16 bits, of B in the high ones
  std::uint32_t key_low = 0, key_high = 0, flags = 0;
  float point[3] = {}, normal[3] = {}, impulse[3] = {}, relative_velocity[3] = {};
  float gap = 0, static_friction = 0, dynamic_friction = 0, restitution = 0, natural_map = 0, zero = 0;
};
static_assert(sizeof(ReplayContact) == 96);

ReplayContact replay_contact(const FrameContact& contact, bool impact);

// What a viewer cannot know of a joint from the scene: that one of the scene's is gone or broken; where a target pulls
// to now; and all of a joint that was made during the run.
struct ReplayJoint {
  static constexpr std::uint32_t kGone = 1;
  std::uint32_t serial = 0;  // those of the scene come first
  std::uint32_t kind = 0, a = FrameJoint::kNoBody, b = FrameJoint::kNoBody, flags = 0;
  float point_a[3] = {}, point_b[3] = {};  // in the world [m]
  std::uint32_t zero = 0;
  bool operator==(const ReplayJoint&) const = default;
};
static_assert(sizeof(ReplayJoint) == 48);

// Of a frame, ordered by serial; `scene_joints`: how many the scene has.
void find_replay_joints(const Frame& frame, std::size_t scene_joints, std::vector<ReplayJoint>& out);

// What a frame's bytes have beside the frame itself.
struct ReplayExtras {
  std::span<const ReplayEvent> events = {};    // since the frame before
  std::span<const std::uint8_t> impacts = {};  // a flag a contact, or empty
  std::span<const ReplayJoint> joints = {};
  bool contacts_known = true;  // whether contacts were recorded
  bool edited = false;
};

// Appends one frame. A slot whose pose is not finite is written as not alive.
void append_replay_frame(const Frame& frame, int dimension, const ReplayExtras& extras, std::vector<std::byte>& out);

// Frames of a running world. Memory is kept from frame to frame.
class LiveFrames {
 public:
  explicit LiveFrames(const ReplayWorld& world) : finder_(world), scene_joints_(world.scene.joints.size()) {}
  // The bytes are valid until the next call. `more`: events of the viewer's own, such as edits.
  std::span<const std::byte> capture(const Simulation& simulation, bool edited = false,
                                     std::span<const ReplayEvent> more = {});
  const Frame& frame() const { return frame_; }
  void reset() { finder_.reset(); }

 private:
  EventFinder finder_;
  std::size_t scene_joints_;
  Frame frame_;
  std::vector<ReplayEvent> events_;
  std::vector<ReplayJoint> joints_;
  std::vector<std::byte> bytes_;
};

}  // namespace touchstone
