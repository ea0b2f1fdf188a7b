#include <fmt/format.h>

#include <iterator>

#include "io/export/export.h"
#include "io/export/file.h"

namespace touchstone {
namespace {

constexpr std::size_t kChunk = 1 << 20;  // bytes gathered before they go to the file

// Quoted where a comma, a quote or a line break would break the row.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

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
    const std::string name = slot < names.size() ? names[slot] : fmt::format("body_{}", slot + 1);  // added later
    fmt::format_to(std::back_inserter(out), "{},{},{}", frame.step, frame.time, name);
    if (info.record.poses) put_numbers(out, frame.poses, slot, pose_width(info.dimension));
    if (info.record.velocities) put_numbers(out, frame.velocities, slot, velocity_width(info.dimension));
    out.push_back('\n');
  }
}

}  // namespace

void export_csv(const Recording& recording, const std::string& path) {
  const RecordingInfo& info = recording.info();
  std::vector<std::string> names;
  for (const std::string& name : info.body_names) names.push_back(csv_text(name));
  OutputFile file(path);
  file.write(body_header(info));
  fmt::memory_buffer out;
  for (std::size_t f = 0; f < recording.frame_count(); ++f) {
    put_bodies(out, recording.read_frame(f), info, names);
    flush(out, file, kChunk);
  }
  flush(out, file, 0);
  file.commit();
}

void export_report_csv(const Recording& recording, const std::string& path) {
  OutputFile file(path);
  file.write("step,time [s]");
  for (const ReportField& field : report_fields())
    file.write(*field.unit ? fmt::format(",{} [{}]", field.name, field.unit) : fmt::format(",{}", field.name));
  file.write("\n");
  fmt::memory_buffer out;
  for (std::size_t f = 0; f < recording.frame_count(); ++f) {
    const Frame frame = recording.read_frame(f);
    fmt::format_to(std::back_inserter(out), "{},{}", frame.step, frame.time);
    for (const double value : frame.report) put_number(out, value);
    out.push_back('\n');
    flush(out, file, kChunk);
  }
  flush(out, file, 0);
  file.commit();
}

}  // namespace touchstone
