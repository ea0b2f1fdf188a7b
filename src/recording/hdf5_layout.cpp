#include "recording/hdf5_layout.h"

#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "recording/journal_format.h"

namespace touchstone {
namespace {

using enum ElementType;
constexpr FieldColumn kColumns[] = {
    {"body_a", kUint32, offsetof(FrameContact, body_a), 1, "", "slot of body A (row of /bodies/name), from 0"},
    {"body_b", kUint32, offsetof(FrameContact, body_b), 1, "", "slot of body B, from 0"},
    {"shape_a", kUint32, offsetof(FrameContact, shape_a), 1, "", "index among the shapes of A, from 0"},
    {"shape_b", kUint32, offsetof(FrameContact, shape_b), 1, "", "index among the shapes of B, from 0"},
    {"key", kUint64, offsetof(FrameContact, key), 1, "", "the same from step to step for the same pair of features"},
    {"point", kFloat64, offsetof(FrameContact, point), 3, "m", "in the world"},
    {"normal", kFloat64, offsetof(FrameContact, normal), 3, "1", "unit, from A to B, in world axes"},
    {"impulse", kFloat64, offsetof(FrameContact, impulse), 3, "N s",
     "what B received from A over the step, in world axes"},
    {"relative_velocity", kFloat64, offsetof(FrameContact, relative_velocity), 3, "m/s", "B minus A at the point"},
    {"gap", kFloat64, offsetof(FrameContact, gap), 1, "m", "negative: penetration"},
    {"static_friction", kFloat64, offsetof(FrameContact, static_friction), 1, "1", "coefficient of the pair"},
    {"dynamic_friction", kFloat64, offsetof(FrameContact, dynamic_friction), 1, "1", "coefficient of the pair"},
    {"restitution", kFloat64, offsetof(FrameContact, restitution), 1, "1", "coefficient of the pair"},
    {"natural_map", kFloat64, offsetof(FrameContact, natural_map), 1, "m/s",
     "how far the contact is from its laws, worst of the step's solves; NaN: not measured"},
    {"sticking", kUint8, offsetof(FrameContact, sticking), 1, "", "1: held by static friction"},
};

constexpr FieldColumn kJointColumns[] = {
    {"coordinate", kFloat64, offsetof(FrameJoint, coordinate), 1, "rad or m",
     "hinge: angle of B against A; slider: displacement; distance: length; 0 for others"},
    {"coordinate_rate", kFloat64, offsetof(FrameJoint, coordinate_rate), 1, "rad/s or m/s", "its rate"},
    {"position_error", kFloat64, offsetof(FrameJoint, position_error), 1, "m", "how far the joint is open"},
    {"angle_error", kFloat64, offsetof(FrameJoint, angle_error), 1, "rad", "by how much its angles are off"},
    {"point", kFloat64, offsetof(FrameJoint, point), 3, "m", "its place on B, in the world"},
    {"impulse", kFloat64, offsetof(FrameJoint, impulse), 3, "N s",
     "what B received over the step, motor included, in world axes"},
    {"angular_impulse", kFloat64, offsetof(FrameJoint, angular_impulse), 3, "N m s", "the same, about the point"},
    {"point_a", kFloat64, offsetof(FrameJoint, point_a), 3, "m", "its place on A, in the world"},
    {"serial", kUint32, offsetof(FrameJoint, serial), 1, "", "which joint of the run it is: those of the scene first"},
    {"kind", kUint32, offsetof(FrameJoint, kind), 1, "",
     "0 ball, 1 hinge or pin, 2 slider, 3 fixed or weld, 4 distance, 5 universal, 6 rope, 7 spring, 8 bead, 9 gear, "
     "10 target, 11 cylindrical, 12 planar, 13 screw"},
    {"body_a", kUint32, offsetof(FrameJoint, body_a), 1, "", "slot of A; 4294967295: the world"},
    {"body_b", kUint32, offsetof(FrameJoint, body_b), 1, "", "slot of B; 4294967295: the world"},
    {"broken", kUint64, offsetof(FrameJoint, broken), 1, "", "1: it holds nothing any more"},
};

// The trailer: text (24 bytes), bytes of HDF5 data before it, checksum of those.
constexpr char kTrailerText[] = "TOUCHSTONE CHECKSUM 1\n\n";
static_assert(sizeof kTrailerText == 24 && kChecksumTrailerBytes == sizeof kTrailerText + 16);
using Trailer = std::array<std::byte, kChecksumTrailerBytes>;

std::uint64_t checksum_of(const FileHandle& file, const std::string& shown, std::uint64_t size) {
  BlockChecksum checksum;
  std::vector<std::byte> buffer(16 * BlockChecksum::kBlock);
  for (std::uint64_t at = 0; at < size;) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - at));
    if (read_at(file, shown, buffer.data(), want, at) != want)
      throw Error(ErrorKind::kIo, shown + ": the file became shorter while it was being read");
    checksum.bytes(buffer.data(), want);
    at += want;
  }
  return checksum.value();
}

// What stands at the end of the file, if it is a trailer.
std::optional<Trailer> read_trailer(const FileHandle& file, const std::string& shown) {
  const std::uint64_t total = file_size(file, shown);
  Trailer trailer{};
  if (total < trailer.size() ||
      read_at(file, shown, trailer.data(), trailer.size(), total - trailer.size()) != trailer.size() ||
      std::memcmp(trailer.data(), kTrailerText, sizeof kTrailerText) != 0)
    return std::nullopt;
  return trailer;
}

}  // namespace

std::span<const FieldColumn> contact_columns() { return kColumns; }

std::span<const FieldColumn> joint_columns() { return kJointColumns; }

bool has_column(const RecordingInfo& info, const FieldColumn& column) {
  return info.natural_maps || column.offset != offsetof(FrameContact, natural_map);
}

bool has_joint_column(const RecordingInfo& info, const FieldColumn& column) {
  return info.joint_states || column.offset < offsetof(FrameJoint, point_a);
}

const char* pose_columns_text(int dimension) {
  return dimension == 2 ? "x [m], y [m], angle [rad]" : "x, y, z [m], quaternion w, x, y, z";
}

const char* velocity_columns_text(int dimension) {
  return dimension == 2 ? "vx, vy [m/s], angular velocity [rad/s]"
                        : "vx, vy, vz [m/s], angular velocity x, y, z in world axes [rad/s]";
}

void append_checksum(const FileHandle& file, const std::string& shown) {
  const std::uint64_t size = file_size(file, shown), sum = checksum_of(file, shown, size);
  Trailer trailer;
  std::memcpy(trailer.data(), kTrailerText, sizeof kTrailerText);
  std::memcpy(trailer.data() + 24, &size, sizeof size);
  std::memcpy(trailer.data() + 32, &sum, sizeof sum);
  std::size_t written = 0;
  const int error = write_at(file.get(), trailer.data(), trailer.size(), size, written);
  if (error != 0) throw_io(shown, "cannot write the HDF5 file", error);
}

bool has_checksum(const FileHandle& file, const std::string& shown) { return read_trailer(file, shown).has_value(); }

std::uint64_t check_checksum(const FileHandle& file, const std::string& shown) {
  const std::uint64_t total = file_size(file, shown);
  const std::optional<Trailer> trailer = read_trailer(file, shown);
  if (!trailer) return total;
  const std::uint64_t size = total - trailer->size();
  std::uint64_t stored_size = 0, stored_sum = 0;
  std::memcpy(&stored_size, trailer->data() + 24, sizeof stored_size);
  std::memcpy(&stored_sum, trailer->data() + 32, sizeof stored_sum);
  if (stored_size != size || stored_sum != checksum_of(file, shown, size))
    throw Error(ErrorKind::kBadInput, shown + ": is damaged: its checksum does not fit. Copy it again from its source");
  return size;
}

}  // namespace touchstone
