#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "io/export/export.h"
#include "io/export/zip.h"

namespace touchstone {
namespace {

static_assert(std::endian::native == std::endian::little, "NPY arrays are written as they lie in memory");
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Version 1.0 of NumPy's format: a magic word, the length of a Python dict, the dict padded so that data
// begin at a multiple of 64.
std::string npy_head(const std::string& type, const std::vector<std::size_t>& shape) {
  const std::string sizes = fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, sizes);
  dict.append(64 - (10 + dict.size() + 1) % 64, ' ');
  dict += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(dict.size() & 255);
  head += static_cast<char>(dict.size() >> 8);
  return head + dict;
}

template <class T>
constexpr const char* npy_type() {
  if constexpr (std::is_same_v<T, double>)
    return "<f8";
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return "<u8";
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return "<u4";
  else
    return "|b1";
}

template <class T>
void add_array(ZipWriter& zip, const std::string& name, const std::vector<T>& values, std::vector<std::size_t> shape) {
  zip.add(name + ".npy", npy_head(npy_type<T>(), shape),
          {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

// Bytes that are not UTF-8 become U+FFFD: a name must never stop an export.
std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    std::uint32_t point = length == 1 ? lead : lead & (0x7fu >> length);
    bool good = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; good && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      good = next >> 6 == 2;
      point = point << 6 | (next & 63u);
    }
    points.push_back(good ? point : 0xfffd);
    i += good ? length : 1;
  }
  return points;
}

void add_names(ZipWriter& zip, const std::string& array, const std::vector<std::string>& names) {
  std::vector<std::vector<std::uint32_t>> texts;
  std::size_t longest = 1;
  for (const std::string& name : names) {
    texts.push_back(code_points(name));
    longest = std::max(longest, texts.back().size());
  }
  std::vector<std::uint32_t> letters;
  for (std::vector<std::uint32_t>& text : texts) {
    text.resize(longest, 0);
    letters.insert(letters.end(), text.begin(), text.end());
  }
  zip.add(array + ".npy", npy_head(fmt::format("<U{}", longest), {names.size()}),
          {reinterpret_cast<const char*>(letters.data()), letters.size() * sizeof(std::uint32_t)});
}

// All frames, gathered by column.
struct Columns {
  std::size_t slots = 0;
  std::vector<double> time, poses, velocities;
  std::vector<std::uint64_t> step, hash, contact_offset{0}, key;
  std::vector<std::uint8_t> alive, sticking;
  std::vector<std::uint32_t> body_a, body_b, shape_a, shape_b;
  std::vector<double> point, normal, impulse, relative_velocity, gap, static_friction, dynamic_friction, restitution,
      natural_map;
  std::vector<std::uint32_t> joint_serial;
  std::vector<std::uint8_t> joint_broken;
  std::vector<std::uint64_t> joint_offset{0};
  std::vector<double> coordinate, coordinate_rate, position_error, angle_error, joint_point, joint_impulse,
      angular_impulse;
  std::vector<std::vector<double>> report;
};

void gather_motion(const Frame& frame, std::size_t width, const std::vector<double>& from, std::size_t slots,
                   std::vector<double>& to) {
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const bool there = slot < frame.slots && frame.alive[slot] && !from.empty();
    for (std::size_t i = 0; i < width; ++i) to.push_back(there ? from[slot * width + i] : kNaN);
  }
}

void gather_contacts(const Frame& frame, Columns& columns) {
  const auto put3 = [](std::vector<double>& to, const double(&from)[3]) { to.insert(to.end(), from, from + 3); };
  for (const FrameContact& c : frame.contacts) {
    columns.body_a.push_back(c.body_a);
    columns.body_b.push_back(c.body_b);
    columns.shape_a.push_back(c.shape_a);
    columns.shape_b.push_back(c.shape_b);
    columns.key.push_back(c.key);
    put3(columns.point, c.point);
    put3(columns.normal, c.normal);
    put3(columns.impulse, c.impulse);
    put3(columns.relative_velocity, c.relative_velocity);
    columns.gap.push_back(c.gap);
    columns.static_friction.push_back(c.static_friction);
    columns.dynamic_friction.push_back(c.dynamic_friction);
    columns.restitution.push_back(c.restitution);
    columns.natural_map.push_back(c.natural_map);
    columns.sticking.push_back(c.sticking);
  }
  columns.contact_offset.push_back(columns.key.size());
}

void gather_joints(const Frame& frame, Columns& columns) {
  const auto put3 = [](std::vector<double>& to, const double(&from)[3]) { to.insert(to.end(), from, from + 3); };
  for (const FrameJoint& j : frame.joints) {
    columns.coordinate.push_back(j.coordinate);
    columns.coordinate_rate.push_back(j.coordinate_rate);
    columns.position_error.push_back(j.position_error);
    columns.angle_error.push_back(j.angle_error);
    put3(columns.joint_point, j.point);
    put3(columns.joint_impulse, j.impulse);
    put3(columns.angular_impulse, j.angular_impulse);
    columns.joint_serial.push_back(j.serial);
    columns.joint_broken.push_back(static_cast<std::uint8_t>(j.broken));
  }
  columns.joint_offset.push_back(columns.coordinate.size());
}

void gather(const Frame& frame, const RecordingInfo& info, Columns& columns) {
  columns.time.push_back(frame.time);
  columns.step.push_back(frame.step);
  columns.hash.push_back(frame.hash);
  for (std::size_t slot = 0; slot < columns.slots; ++slot)
    columns.alive.push_back(slot < frame.slots && frame.alive[slot] ? 1 : 0);
  const auto pose = static_cast<std::size_t>(pose_width(info.dimension));
  const auto velocity = static_cast<std::size_t>(velocity_width(info.dimension));
  if (info.record.poses) gather_motion(frame, pose, frame.poses, columns.slots, columns.poses);
  if (info.record.velocities) gather_motion(frame, velocity, frame.velocities, columns.slots, columns.velocities);
  gather_contacts(frame, columns);
  gather_joints(frame, columns);
  for (std::size_t i = 0; i < columns.report.size(); ++i)
    columns.report[i].push_back(i < frame.report.size() ? frame.report[i] : kNaN);
}

void add_contacts(ZipWriter& zip, const Columns& c) {
  const std::size_t n = c.key.size();
  add_array(zip, "contact_offset", c.contact_offset, {c.contact_offset.size()});
  add_array(zip, "contacts_body_a", c.body_a, {n});
  add_array(zip, "contacts_body_b", c.body_b, {n});
  add_array(zip, "contacts_shape_a", c.shape_a, {n});
  add_array(zip, "contacts_shape_b", c.shape_b, {n});
  add_array(zip, "contacts_key", c.key, {n});
  add_array(zip, "contacts_point", c.point, {n, 3});
  add_array(zip, "contacts_normal", c.normal, {n, 3});
  add_array(zip, "contacts_impulse", c.impulse, {n, 3});
  add_array(zip, "contacts_relative_velocity", c.relative_velocity, {n, 3});
  add_array(zip, "contacts_gap", c.gap, {n});
  add_array(zip, "contacts_static_friction", c.static_friction, {n});
  add_array(zip, "contacts_dynamic_friction", c.dynamic_friction, {n});
  add_array(zip, "contacts_restitution", c.restitution, {n});
  add_array(zip, "contacts_natural_map", c.natural_map, {n});
  add_array(zip, "contacts_sticking", c.sticking, {n});
}

void add_joints(ZipWriter& zip, const Columns& c, const std::vector<std::string>& names) {
  const std::size_t n = c.coordinate.size();
  add_names(zip, "joint_names", names);
  add_array(zip, "joint_offset", c.joint_offset, {c.joint_offset.size()});
  add_array(zip, "joints_coordinate", c.coordinate, {n});
  add_array(zip, "joints_coordinate_rate", c.coordinate_rate, {n});
  add_array(zip, "joints_position_error", c.position_error, {n});
  add_array(zip, "joints_angle_error", c.angle_error, {n});
  add_array(zip, "joints_point", c.joint_point, {n, 3});
  add_array(zip, "joints_impulse", c.joint_impulse, {n, 3});
  add_array(zip, "joints_angular_impulse", c.angular_impulse, {n, 3});
  add_array(zip, "joints_serial", c.joint_serial, {n});
  add_array(zip, "joints_broken", c.joint_broken, {n});
}

// The number of slots never falls: the last frame has the most.
std::size_t slots_of(const Recording& recording) {
  const std::size_t named = recording.info().body_names.size(), frames = recording.frame_count();
  return frames == 0 ? named : std::max<std::size_t>(named, recording.read_frame(frames - 1).slots);
}

}  // namespace

void export_npz(const Recording& recording, const std::string& path) {
  const RecordingInfo& info = recording.info();
  const std::size_t frames = recording.frame_count();
  Columns columns;
  columns.slots = slots_of(recording);
  columns.report.resize(report_fields().size());
  for (std::size_t f = 0; f < frames; ++f) gather(recording.read_frame(f), info, columns);
  std::vector<std::string> names = info.body_names;
  for (std::size_t slot = names.size(); slot < columns.slots; ++slot) names.push_back(fmt::format("body_{}", slot + 1));
  ZipWriter zip(path);
  add_array(zip, "time", columns.time, {frames});
  add_array(zip, "step", columns.step, {frames});
  add_array(zip, "hash", columns.hash, {frames});
  add_names(zip, "names", names);
  add_array(zip, "alive", columns.alive, {frames, columns.slots});
  const auto pose = static_cast<std::size_t>(pose_width(info.dimension));
  const auto velocity = static_cast<std::size_t>(velocity_width(info.dimension));
  if (info.record.poses) add_array(zip, "poses", columns.poses, {frames, columns.slots, pose});
  if (info.record.velocities) add_array(zip, "velocities", columns.velocities, {frames, columns.slots, velocity});
  if (info.record.contacts) add_contacts(zip, columns);
  if (!columns.coordinate.empty()) add_joints(zip, columns, info.joint_names);
  for (std::size_t i = 0; i < columns.report.size(); ++i)
    add_array(zip, std::string("report_") + report_fields()[i].name, columns.report[i], {frames});
  zip.finish();
}

}  // namespace touchstone
