#include "viewer/program_feed.h"

namespace touchstone::viewer {
namespace {

constexpr double kFrameInterval = 1.0 / 60;  // s, the least
constexpr double kStatusInterval = 0.25;     // s

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

ProgramFeed::ProgramFeed(const Simulation& simulation, SceneDescription scene, bool obey_pause)
    : scene_(std::move(scene)), obey_pause_(obey_pause) {
  publish_scene(simulation);
  publish_status(simulation);
}

Publication ProgramFeed::latest() const {
  const std::lock_guard lock(mutex_);
  return publication_;
}

void ProgramFeed::want_frame() {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
  }
  wake_.notify_one();
}

std::string ProgramFeed::command(std::string_view message) {
  const std::variant<Command, std::string> parsed = parse_command(message);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return *wrong;
  const Command& command = std::get<Command>(parsed);
  if (!obey_pause_ || (command.verb != Verb::kPlay && command.verb != Verb::kPause && command.verb != Verb::kStep))
    return obey_pause_ ? "a program runs this simulation: it can be paused, stepped on and played here, nothing else"
                       : "a program runs this simulation, and it does not take commands";
  {
    const std::lock_guard lock(mutex_);
    if (command.verb == Verb::kStep && command.steps < 0) return "a program runs this simulation: it cannot go back";
    paused_ = command.verb != Verb::kPlay;
    steps_ = command.verb == Verb::kStep ? steps_ + command.steps : 0;
    status_stale_ = true;
  }
  wake_.notify_one();
  return {};
}

void ProgramFeed::on_news(std::function<void()> news) {
  const std::lock_guard lock(news_mutex_);
  news_ = std::move(news);
}

void ProgramFeed::release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  wake_.notify_one();
}

bool ProgramFeed::waits() { return paused_ && steps_ == 0 && !released_; }

void ProgramFeed::update(const Simulation& simulation) {
  publish(simulation);
  std::unique_lock lock(mutex_);
  while (waits()) {
    if (wanted_ || status_stale_) {
      lock.unlock();
      publish(simulation);
      lock.lock();
    }
    // The least interval of frames may keep a wish waiting.
    if (waits()) wake_.wait_for(lock, std::chrono::milliseconds(50));
  }
  if (steps_ > 0) --steps_;
}

bool ProgramFeed::take_wish() {
  const std::lock_guard lock(mutex_);
  const bool wanted = wanted_ && seconds(Clock::now() - last_frame_) >= kFrameInterval;
  if (wanted) wanted_ = false;
  return wanted;
}

void ProgramFeed::publish(const Simulation& simulation) {
  bool status = false;
  {
    const std::lock_guard lock(mutex_);
    status = status_stale_;
  }
  if (status || seconds(Clock::now() - last_status_) > kStatusInterval) publish_status(simulation);
  if (!take_wish()) return;
  if (simulation.bodies() != bodies_ || simulation.joint_count() != joints_) publish_scene(simulation);
  publish_frame(simulation);
}

void ProgramFeed::publish_scene(const Simulation& simulation) {
  bodies_ = simulation.bodies();
  joints_ = simulation.joint_count();
  frames_.begin(simulation, scene_, false);
  auto text = std::make_shared<const std::string>(scene_message(frames_.manifest()));
  {
    const std::lock_guard lock(mutex_);
    publication_.scene = std::move(text);
    ++publication_.scene_version;
    publication_.frame.reset();
  }
  tell();
}

void ProgramFeed::publish_status(const Simulation& simulation) {
  const Clock::time_point now = Clock::now();
  Status s;
  s.time = simulation.time();
  s.step = s.last_step = simulation.step_count();
  s.model = simulation.model_name();
  s.step_size = simulation.step_size();
  s.materials = scene_.materials;
  s.real_time_factor = last_status_ == Clock::time_point{} ? 0 : (s.time - last_time_) / seconds(now - last_status_);
  s.message = "run by a program";
  last_status_ = now;
  last_time_ = s.time;
  {
    const std::lock_guard lock(mutex_);
    s.running = !paused_ || released_;
    publication_.status = std::make_shared<const std::string>(status_message(s));
    ++publication_.status_version;
    status_stale_ = false;
  }
  tell();
}

void ProgramFeed::publish_frame(const Simulation& simulation) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  frames_.make(simulation, false, *bytes);
  {
    const std::lock_guard lock(mutex_);
    publication_.frame = std::move(bytes);
    ++publication_.frame_version;
  }
  last_frame_ = Clock::now();
  tell();
}

void ProgramFeed::tell() {
  const std::lock_guard lock(news_mutex_);
  if (news_) news_();
}

}  // namespace touchstone::viewer
