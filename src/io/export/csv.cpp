#include <fmt/format.h>

#include <iterator>

#include "io/export/export.h"
#include "io/export/file.h"

namespace touchstone {
namespace {

constexpr std::size_t kChunk = 1 << 20;  // bytes gathered before they go to the file

void put_number(fmt::memory_buffer& out, double value) { fmt::format_to(std::back_inserter(out), ",{}", value); }

void put_numbers(fmt::memory_buffer& out, const std::vector<double>& values, std::size_t slot, int width) {
  const auto w = static_cast<std::size_t>(width);
  for (std::size_t i = 0; i < w; ++i) put_number(out, values[slot * w + i]);
}

void flush(fmt::memory_buffer& out, OutputFile& file, std::size_t limit) {
  if (out.size() < limit) return;
  file.write(out.data(), out.size());
  out.clear();
}

// Of what came later than the start, by its place.
std::string name_of(const std::vector<std::string>& names, std::size_t place, const char* noun) {
  return place < names.size() ? names[place] : fmt::format("{}_{}", noun, place + 1);
}

std::vector<std::string> csv_names(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(csv_text(name));
  return out;
}

std::string body_header(const RecordingInfo& info) {
  std::string header = "step,time [s],body";
  const bool flat = info.dimension == 2;
  if (info.record.poses) header += flat ? ",x [m],y [m],angle [rad]" : ",x [m],y [m],z [m],qw,qx,qy,qz";
  if (info.record.velocities)
    header += flat ? ",vx [m/s],vy [m/s],wz [rad/s]" : ",vx [m/s],vy [m/s],vz [m/s],wx [rad/s],wy [rad/s],wz [rad/s]";
  return header + "\n";
}

void put_bodies(fmt::memory_buffer& out, const Frame& frame, const RecordingInfo& info,
                const std::vector<std::string>& names) {
  for (std::size_t slot = 0; slot < frame.slots; ++slot) {
    if (!frame.alive[slot]) continue;
    fmt::format_to(std::back_inserter(out), "{},{},{}", frame.step, frame.time, name_of(names, slot, "body"));
    if (info.record.poses) put_numbers(out, frame.poses, slot, pose_width(info.dimension));
    if (info.record.velocities) put_numbers(out, frame.velocities, slot, velocity_width(info.dimension));
    out.push_back('\n');
  }
}

const char* kContactHeader =
    "step,time [s],body_a,body_b,shape_a,shape_b,key,x [m],y [m],z [m],normal_x,normal_y,normal_z,impulse_x [N·s],"
    "impulse_y [N·s],impulse_z [N·s],relative_vx [m/s],relative_vy [m/s],relative_vz [m/s],gap [m],static_friction,"
    "dynamic_friction,restitution,natural_map [m/s],sticking\n";

void put_contacts(fmt::memory_buffer& out, const Frame& frame, const std::vector<std::string>& names) {
  for (const FrameContact& c : frame.contacts) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{}", frame.step, frame.time,
                   name_of(names, c.body_a, "body"), name_of(names, c.body_b, "body"), c.shape_a, c.shape_b, c.key);
    for (const auto* vector : {&c.point, &c.normal, &c.impulse, &c.relative_velocity})
      for (const double x : *vector) put_number(out, x);
    for (const double x : {c.gap, c.static_friction, c.dynamic_friction, c.restitution, c.natural_map})
      put_number(out, x);
    fmt::format_to(std::back_inserter(out), ",{}\n", c.sticking);
  }
}

// What a coordinate's unit is depends on the kind of joint: hinges have rad, sliders and distances m.
const char* kJointHeader =
    "step,time [s],joint,coordinate [rad or m],coordinate_rate [rad/s or m/s],position_error [m],angle_error [rad],"
    "x [m],y [m],z [m],impulse_x [N·s],impulse_y [N·s],impulse_z [N·s],angular_impulse_x [N·m·s],"
    "angular_impulse_y [N·m·s],angular_impulse_z [N·m·s],broken\n";

void put_joints(fmt::memory_buffer& out, const Frame& frame, const std::vector<std::string>& names) {
  for (const FrameJoint& j : frame.joints) {
    fmt::format_to(std::back_inserter(out), "{},{},{}", frame.step, frame.time, name_of(names, j.serial, "joint"));
    for (const double x : {j.coordinate, j.coordinate_rate, j.position_error, j.angle_error}) put_number(out, x);
    for (const auto* vector : {&j.point, &j.impulse, &j.angular_impulse})
      for (const double x : *vector) put_number(out, x);
    fmt::format_to(std::back_inserter(out), ",{}\n", j.broken);
  }
}

void check_has_joints(const Recording& recording) {
  const std::size_t frames = recording.frame_count();
  if (frames == 0 || !recording.read_frame(frames - 1).joints.empty()) return;
  throw Error(
      ErrorKind::kBadInput,
      recording.path() + ": holds no joints: its scene has none, or an older program recorded it; record it again");
}

// A header, and what `put` makes of each frame.
template <class Put>
void write_rows(const Recording& recording, const std::string& path, const std::string& header, const Put& put) {
  OutputFile file(path);
  file.write(header);
  fmt::memory_buffer out;
  for (std::size_t f = 0; f < recording.frame_count(); ++f) {
    put(out, recording.read_frame(f));
    flush(out, file, kChunk);
  }
  flush(out, file, 0);
  file.commit();
}

}  // namespace

void export_csv(const Recording& recording, const std::string& path) {
  const RecordingInfo& info = recording.info();
  const std::vector<std::string> names = csv_names(info.body_names);
  write_rows(recording, path, body_header(info),
             [&](fmt::memory_buffer& out, const Frame& frame) { put_bodies(out, frame, info, names); });
}

void export_contacts_csv(const Recording& recording, const std::string& path) {
  if (!recording.info().record.contacts)
    throw Error(ErrorKind::kBadInput,
                recording.path() + ": holds no contacts: the scene's [record] leaves them out (contacts = false)");
  const std::vector<std::string> names = csv_names(recording.info().body_names);
  write_rows(recording, path, kContactHeader,
             [&](fmt::memory_buffer& out, const Frame& frame) { put_contacts(out, frame, names); });
}

void export_joints_csv(const Recording& recording, const std::string& path) {
  check_has_joints(recording);
  const std::vector<std::string> names = csv_names(recording.info().joint_names);
  write_rows(recording, path, kJointHeader,
             [&](fmt::memory_buffer& out, const Frame& frame) { put_joints(out, frame, names); });
}

void export_report_csv(const Recording& recording, const std::string& path) {
  std::string header = "step,time [s]";
  for (const ReportField& field : report_fields())
    header += *field.unit ? fmt::format(",{} [{}]", field.name, field.unit) : fmt::format(",{}", field.name);
  write_rows(recording, path, header + "\n", [](fmt::memory_buffer& out, const Frame& frame) {
    fmt::format_to(std::back_inserter(out), "{},{}", frame.step, frame.time);
    for (const double value : frame.report) put_number(out, value);
    out.push_back('\n');
  });
}

}  // namespace touchstone
