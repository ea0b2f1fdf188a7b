#include "io/replay/series.h"

#include <cstring>

namespace touchstone {
namespace {

void append(std::vector<std::byte>& out, const void* data, std::size_t bytes) {
  const std::size_t at = out.size();
  out.resize(at + bytes);
  if (bytes > 0) std::memcpy(out.data() + at, data, bytes);
}

void append_count(std::vector<std::byte>& out, std::size_t value) {
  const auto count = static_cast<std::uint32_t>(value);
  append(out, &count, sizeof count);
}

}  // namespace

std::vector<std::byte> series_bytes(const std::vector<std::vector<double>>& columns, std::size_t frames,
                                    const std::vector<FramedEvent>& events) {
  std::vector<std::byte> out;
  append_count(out, frames);
  append_count(out, columns.size());
  for (const std::vector<double>& column : columns) append(out, column.data(), 8 * column.size());
  append_count(out, events.size());
  append(out, events.data(), sizeof(FramedEvent) * events.size());
  return out;
}

std::vector<FramedEvent> events_of(const Recording& recording, const ReplayWorld& world) {
  std::vector<FramedEvent> events;
  EventFinder finder(world);
  for (std::size_t i = 0; i < recording.frame_count(); ++i)
    for (const ReplayEvent& event : finder.find(recording.read_frame(i)))
      events.push_back({static_cast<std::uint32_t>(i), 0, event});
  return events;
}

std::vector<std::byte> series_bytes(const Recording& recording, const ReplayWorld& world) {
  std::vector<std::vector<double>> columns;
  for (const ReportField& field : report_fields()) columns.push_back(recording.series(field.name));
  return series_bytes(columns, recording.frame_count(), events_of(recording, world));
}

}  // namespace touchstone
