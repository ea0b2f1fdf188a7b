#include "recording/journal_format.h"

#include <fmt/format.h>

#include <cstddef>
#include <limits>

#include "touchstone/error.h"

namespace touchstone {
namespace {

// Everything in a contact but its last byte is copied as it lies; the padding behind that byte is not, so
// that equal frames give equal bytes.
std::size_t plain_bytes(const FrameShape& shape) { return shape.contact_bytes() - sizeof(std::uint64_t); }
static_assert(offsetof(FrameJoint, point_a) == 104);
static_assert(offsetof(FrameContact, natural_map) == 152 && offsetof(FrameContact, sticking) == 160);

template <class T>
void take(std::span<const std::byte>& in, std::vector<T>& out, std::uint64_t count) {
  out.resize(count);
  if (count > 0) std::memcpy(out.data(), in.data(), count * sizeof(T));
  in = in.subspan(count * sizeof(T));
}

}  // namespace

FrameShape frame_shape(const RecordingInfo& info, std::size_t report_count) {
  FrameShape shape;
  if (info.record.poses) shape.pose_width = static_cast<std::uint64_t>(pose_width(info.dimension));
  if (info.record.velocities) shape.velocity_width = static_cast<std::uint64_t>(velocity_width(info.dimension));
  shape.report_count = report_count;
  shape.contacts = info.record.contacts;
  shape.natural_maps = info.natural_maps;
  shape.joints = info.joints;
  shape.joint_states = info.joint_states;
  return shape;
}

bool frame_header_fits(const FrameHeader& h, const FrameShape& shape, std::uint64_t payload_bytes) {
  // The first line keeps the sums below from overflowing.
  if (h.slots > payload_bytes || h.contact_count > payload_bytes / shape.contact_bytes()) return false;
  if (h.joint_count > payload_bytes / shape.joint_bytes() || (h.joint_count > 0 && !shape.joints)) return false;
  if (h.report_count != shape.report_count || (h.contact_count > 0 && !shape.contacts)) return false;
  if (h.pose_count != h.slots * shape.pose_width) return false;
  if (h.velocity_count != h.slots * shape.velocity_width) return false;
  return payload_bytes == shape.header_bytes() + 8 * (h.report_count + h.pose_count + h.velocity_count) +
                              h.contact_count * shape.contact_bytes() + h.joint_count * shape.joint_bytes() + h.slots;
}

void append_bytes(std::vector<std::byte>& out, const void* data, std::size_t size) {
  if (size == 0) return;
  const auto* first = static_cast<const std::byte*>(data);
  out.insert(out.end(), first, first + size);
}

void encode_frame(const Frame& f, const FrameShape& shape, std::vector<std::byte>& out) {
  const std::size_t joints = shape.joints ? f.joints.size() : 0;  // an older file that is appended to has none
  const FrameHeader h{
      f.step, f.time, f.hash, f.slots, f.report.size(), f.poses.size(), f.velocities.size(), f.contacts.size(), joints};
  const std::uint64_t bytes = shape.header_bytes() + 8 * (h.report_count + h.pose_count + h.velocity_count) +
                              h.contact_count * shape.contact_bytes() + joints * shape.joint_bytes() + f.alive.size();
  if (f.alive.size() != f.slots || !frame_header_fits(h, shape, bytes))
    throw Error(
        ErrorKind::kBadInput,
        fmt::format("frame of step {} does not fit its recording: {} slots, {} alive flags, {} pose, {} "
                    "velocity and {} report numbers, {} contacts",
                    f.step, f.slots, f.alive.size(), h.pose_count, h.velocity_count, h.report_count, h.contact_count));
  out.reserve(out.size() + bytes + kRecordTrailerBytes);
  append_bytes(out, &h, shape.header_bytes());
  append_bytes(out, f.report.data(), 8 * f.report.size());
  append_bytes(out, f.poses.data(), 8 * f.poses.size());
  append_bytes(out, f.velocities.data(), 8 * f.velocities.size());
  for (const FrameContact& c : f.contacts) {
    append_bytes(out, &c, plain_bytes(shape));
    const std::uint64_t sticking = c.sticking;
    append_bytes(out, &sticking, sizeof sticking);
  }
  for (std::size_t i = 0; i < joints; ++i) append_bytes(out, &f.joints[i], shape.joint_bytes());
  append_bytes(out, f.alive.data(), f.alive.size());
}

Frame decode_frame(std::span<const std::byte> in, const FrameShape& shape) {
  FrameHeader h;
  std::memcpy(&h, in.data(), shape.header_bytes());
  in = in.subspan(shape.header_bytes());
  Frame f;
  f.step = h.step, f.time = h.time, f.hash = h.hash, f.slots = h.slots;
  take(in, f.report, h.report_count);
  take(in, f.poses, h.pose_count);
  take(in, f.velocities, h.velocity_count);
  f.contacts.resize(h.contact_count);
  for (FrameContact& c : f.contacts) {
    c.natural_map = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(static_cast<void*>(&c), in.data(), plain_bytes(shape));
    c.sticking = static_cast<std::uint8_t>(in[plain_bytes(shape)]);
    in = in.subspan(shape.contact_bytes());
  }
  f.joints.resize(h.joint_count);
  for (FrameJoint& j : f.joints) {
    j.serial = static_cast<std::uint32_t>(&j - f.joints.data());  // where it is not there
    std::memcpy(static_cast<void*>(&j), in.data(), shape.joint_bytes());
    in = in.subspan(shape.joint_bytes());
  }
  take(in, f.alive, h.slots);
  return f;
}

}  // namespace touchstone
