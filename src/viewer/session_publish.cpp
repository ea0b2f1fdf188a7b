// What a live session tells its viewers: the scene, the status, frames.
#include <algorithm>

#include "viewer/session.h"

namespace touchstone::viewer {
namespace {

constexpr double kStatusInterval = 0.25;  // s, while it runs
constexpr double kLag = 0.25;             // s behind which the clock no longer waits for the simulation

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

bool LiveSession::frame_due(Clock::time_point now) const {
  return frame_stale_ && !seek_ && seconds(now - last_frame_) >= options_.frame_interval;
}

void LiveSession::publish() {
  const Clock::time_point now = Clock::now();
  const Simulation& simulation = timeline_.simulation();
  if (running_ && speed_ > 0 &&
      seconds(now - origin_wall_) * speed_ - (simulation.time() - origin_time_) > kLag * speed_) {
    origin_wall_ = now;
    origin_time_ = simulation.time();
  }
  if (seconds(now - window_wall_) > 0.5) {
    real_time_factor_ = running_ ? (simulation.time() - window_time_) / seconds(now - window_wall_) : 0;
    window_wall_ = now;
    window_time_ = simulation.time();
  }
  if (scene_model_ != simulation.model_name() || scene_step_size_ != simulation.step_size()) publish_scene();
  if (status_stale_ || ((running_ || seek_) && seconds(now - last_status_) > kStatusInterval)) publish_status(now);
  if (frame_due(now)) publish_frame(now);
}

void LiveSession::publish_scene() {
  const Simulation& simulation = timeline_.simulation();
  scene_model_ = simulation.model_name();
  scene_step_size_ = simulation.step_size();
  frames_.begin(simulation, timeline_.scene());
  auto text = std::make_shared<const std::string>(scene_message(frames_.manifest()));
  {
    const std::lock_guard lock(mutex_);
    publication_.scene = std::move(text);
    ++publication_.scene_version;
    publication_.frame.reset();
  }
  frame_stale_ = true;
  last_frame_ = {};
  tell();
}

void LiveSession::publish_status(Clock::time_point now) {
  const Simulation& simulation = timeline_.simulation();
  Status s;
  s.running = running_ || armed_;
  s.edited = timeline_.edited();
  s.failed = failed_;
  s.dragging = timeline_.dragging();
  s.speed = speed_;
  s.time = simulation.time();
  s.step = simulation.step_count();
  s.last_step = timeline_.head();
  s.real_time_factor = running_ ? real_time_factor_ : 0;
  s.message = seek_ ? "simulating the steps on the way" : message_;
  s.model = simulation.model_name();
  s.step_size = simulation.step_size();
  s.materials = timeline_.materials();
  auto text = std::make_shared<const std::string>(status_message(s));
  {
    const std::lock_guard lock(mutex_);
    publication_.status = std::move(text);
    ++publication_.status_version;
  }
  status_stale_ = false;
  last_status_ = now;
  tell();
}

// Only if somebody is ready for it: without viewers it costs nothing.
void LiveSession::publish_frame(Clock::time_point now) {
  {
    const std::lock_guard lock(mutex_);
    if (!wanted_) return;
    wanted_ = false;
  }
  auto bytes = std::make_shared<std::vector<std::byte>>();
  frames_.make(timeline_.simulation(), timeline_.edited(), *bytes);
  {
    const std::lock_guard lock(mutex_);
    publication_.frame = std::move(bytes);
    ++publication_.frame_version;
  }
  frame_stale_ = false;
  last_frame_ = now;
  tell();
  if (!armed_) return;
  armed_ = false;
  running_ = true;
  status_stale_ = true;
  rebase();
}

void LiveSession::tell() {
  const std::lock_guard lock(news_mutex_);
  if (news_) news_();
}

}  // namespace touchstone::viewer
