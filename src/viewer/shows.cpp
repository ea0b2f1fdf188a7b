#include "viewer/shows.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/replay/frame_bytes.h"
#include "io/replay/html.h"
#include "io/replay/manifest.h"
#include "io/replay/series.h"
#include "touchstone/error.h"

namespace touchstone::viewer {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // of one answer, unless a single frame is longer
constexpr std::size_t kMostFrames = 1000;

Answer missing(const char* sentence) { return {404, "text/plain; charset=utf-8", sentence}; }

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Recording opened(const std::string& path) {
  Recording recording = Recording::open(path);
  if (recording.frame_count() == 0)
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} holds no frames yet: there is nothing to show; run the scene again, or wait", path));
  return recording;
}

}  // namespace

LiveShow::LiveShow(std::string_view page, SceneDescription scene, const SessionOptions& options)
    : page_(page_with(page, page_block("live", scene.name, 1))), session_(std::move(scene), options) {}

Answer manifest_of(const Feed& feed) {
  const std::string message = *feed.latest().scene;
  // {"is":"scene","manifest":{…}}
  const std::size_t begin = message.find('{', 1);
  return {200, "application/json", message.substr(begin, message.size() - begin - 1)};
}

Answer newest_frame(const Feed& feed) {
  const auto frame = feed.latest().frame;
  if (!frame) return missing("no frame was asked for yet\n");
  return {200, "application/octet-stream", text_of(*frame)};
}

Answer no_series() { return missing("a live run has no series; the page keeps what it gets\n"); }

RecordingShow::RecordingShow(std::string_view page, const std::string& path)
    : recording_(opened(path)),
      world_(replay_world(recording_)),
      page_(page_with(page, page_block("served", recording_.info().scene_name, 1))),
      manifest_(replay_text(replay_manifest(recording_, world_))),
      truncated_(truncation_of(recording_)) {}

Answer RecordingShow::frames(std::size_t first, std::size_t count) {
  const std::size_t total = recording_.frame_count();
  if (first >= total) return missing("there is no such frame\n");
  const std::size_t end = first + std::min({count, total - first, kMostFrames});
  EventFinder finder(world_);
  if (first > 0) finder.find(recording_.read_frame(first - 1));
  std::vector<std::byte> bytes;
  std::vector<ReplayJoint> joints;
  for (std::size_t i = first; i < end; ++i) {
    const Frame frame = recording_.read_frame(i);
    const auto events = finder.find(frame);
    if (recording_.info().joint_states) find_replay_joints(frame, world_.scene.joints.size(), joints);
    const std::size_t before = bytes.size();
    append_replay_frame(frame, recording_.info().dimension,
                        {.events = events,
                         .impacts = finder.impacts(),
                         .joints = joints,
                         .contacts_known = recording_.info().record.contacts,
                         .edited = false},
                        bytes);
    if (before > 0 && bytes.size() > kMostBytes) {
      bytes.resize(before);
      break;
    }
  }
  return {200, "application/octet-stream", text_of(bytes)};
}

Answer RecordingShow::series() {
  if (series_.empty()) series_ = text_of(series_bytes(recording_, world_));
  return {200, "application/octet-stream", series_};
}

}  // namespace touchstone::viewer
