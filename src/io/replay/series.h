#pragma once
// Numbers of the whole run: every report column over all frames, and every event with its frame.
#include <cstddef>
#include <vector>

#include "io/replay/event_finder.h"
#include "recording/recording.h"

namespace touchstone {

struct FramedEvent {
  std::uint32_t frame = 0, zero = 0;
  ReplayEvent event;
};
static_assert(sizeof(FramedEvent) == 40);

// u32 frames, u32 fields; f64 column after column; u32 number of events; the events, 40 bytes each.
std::vector<std::byte> series_bytes(const std::vector<std::vector<double>>& columns, std::size_t frames,
                                    const std::vector<FramedEvent>& events);

// The same of a recording. Reads all its frames once.
std::vector<std::byte> series_bytes(const Recording& recording, const ReplayWorld& world);
std::vector<FramedEvent> events_of(const Recording& recording, const ReplayWorld& world);

}  // namespace touchstone
