// The thread of a live session: waits, does what it was told, simulates. session_publish.cpp has what goes out.
#include "viewer/session.h"

#include <fmt/format.h>
#include <pthread.h>

#include <ctime>

#include <algorithm>
#include <cmath>

namespace touchstone::viewer {
namespace {

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }
std::chrono::steady_clock::duration duration_of(double s) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(s));
}

TimelineOptions with_stop(TimelineOptions options, const std::atomic<bool>& stop) {
  options.stop = &stop;
  return options;
}

// Whether a command makes the end of the step at hand pointless.
bool interrupts(const Command& c) {
  return c.verb == Verb::kPause || c.verb == Verb::kGoto || c.verb == Verb::kRestart || c.verb == Verb::kModel ||
         c.verb == Verb::kStepSize;
}

}  // namespace

LiveSession::LiveSession(SceneDescription scene, const SessionOptions& options)
    : options_(options),
      timeline_(std::move(scene), with_stop(options.timeline, interrupt_)),
      armed_(options.play),
      speed_(options.speed) {
  publish_scene();
  publish_status(Clock::now());
  thread_ = std::thread([this] { run(); });
}

LiveSession::~LiveSession() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    interrupt_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

Publication LiveSession::latest() const {
  const std::lock_guard lock(mutex_);
  return publication_;
}

double LiveSession::processor_time() const {
  clockid_t clock{};
  timespec t{};
  if (pthread_getcpuclockid(const_cast<std::thread&>(thread_).native_handle(), &clock) != 0) return 0;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void LiveSession::want_frame() {
  {
    const std::lock_guard lock(mutex_);
    if (wanted_) return;
    wanted_ = true;
  }
  wake_.notify_one();
}

std::string LiveSession::command(std::string_view message) {
  constexpr std::size_t kMostWaiting = 256;
  std::variant<Command, std::string> parsed = parse_command(message);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return *wrong;
  Command& command = std::get<Command>(parsed);
  {
    const std::lock_guard lock(mutex_);
    if (interrupts(command)) interrupt_ = true;
    const bool replaces = command.verb == Verb::kDrag && !queue_.empty() && queue_.back().verb == Verb::kDrag;
    if (replaces)
      queue_.back() = std::move(command);
    else if (queue_.size() >= kMostWaiting)
      return "too many commands are waiting; this one was dropped";
    else
      queue_.push_back(std::move(command));
  }
  wake_.notify_one();
  return {};
}

void LiveSession::on_news(std::function<void()> news) {
  const std::lock_guard lock(news_mutex_);
  news_ = std::move(news);
}

void LiveSession::run() {
  std::vector<Command> commands;
  while (wait_for_work(commands)) {
    for (const Command& c : commands) execute(c);
    work();
    publish();
  }
}

// Commands that end a long way back or forth; others wait until it is done. The lock is held.
bool LiveSession::interrupted_seek() const {
  return std::any_of(queue_.begin(), queue_.end(), [](const Command& c) {
    return c.verb == Verb::kPause || c.verb == Verb::kGoto || c.verb == Verb::kRestart || c.verb == Verb::kModel;
  });
}

// When there is something to do without being told. The lock is held.
LiveSession::Clock::time_point LiveSession::wake_time() const {
  if (seek_ || (running_ && speed_ == 0)) return {};
  Clock::time_point when = Clock::now() + std::chrono::hours(1);
  if (running_) {
    const double next = timeline_.simulation().time() + 0.5 * timeline_.simulation().step_size();
    when = std::min(when, origin_wall_ + duration_of(std::min(3600.0, (next - origin_time_) / speed_)));
  }
  if (wanted_ && frame_stale_) when = std::min(when, last_frame_ + duration_of(options_.frame_interval));
  return when;
}

bool LiveSession::wait_for_work(std::vector<Command>& commands) {
  std::unique_lock lock(mutex_);
  const auto told = [this] { return stop_ || (seek_ ? interrupted_seek() : !queue_.empty()); };
  while (!told()) {
    const Clock::time_point until = wake_time();
    if (until <= Clock::now()) break;
    wake_.wait_until(lock, until);  // woken also when a frame is wanted: the time to wake may be another one then
  }
  commands.clear();
  interrupt_ = stop_;
  if (seek_ && !interrupted_seek()) return !stop_;
  // A long way takes its own turn: what comes after it waits in the queue.
  while (!queue_.empty()) {
    commands.push_back(std::move(queue_.front()));
    queue_.pop_front();
    if (commands.back().verb == Verb::kGoto || commands.back().verb == Verb::kStep) break;
  }
  return !stop_;
}

void LiveSession::say(std::string message) {
  message_ = std::move(message);
  status_stale_ = true;
}

void LiveSession::execute(const Command& command) {
  status_stale_ = true;
  if (command.verb != Verb::kDrag && command.verb != Verb::kRelease) armed_ = false;
  try {
    perform(command);
  } catch (const std::exception& e) {  // the library's Error, or no memory for a larger scene
    say(e.what());
  }
  rebase();
}

void LiveSession::perform(const Command& c) {
  const bool at_start = timeline_.simulation().step_count() == 0;
  const auto changed = [&] {
    frames_.add_edit();
    frame_stale_ = true;
  };
  switch (c.verb) {
    case Verb::kPlay:
      running_ = true, failed_ = false;
      return say("");
    case Verb::kPause:
      running_ = false;
      seek_.reset();
      return say("");
    case Verb::kSpeed:
      speed_ = c.value;
      return;
    case Verb::kStep:
      return go_to(static_cast<std::int64_t>(timeline_.simulation().step_count()) + c.steps);
    case Verb::kGoto:
      return go_to(c.steps);
    case Verb::kRestart:
    case Verb::kModel:
      if (c.verb == Verb::kModel)
        timeline_.set_model(c.name);
      else
        timeline_.restart();
      seek_.reset();
      failed_ = false;
      frames_.reset();
      frame_stale_ = true;
      return say(c.verb == Verb::kModel ? fmt::format("the scene begins anew under the model {}", c.name) : "");
    case Verb::kStepSize:
      timeline_.set_step_size(c.value);
      changed();
      return say(fmt::format("the step is {:g} s{}", c.value, at_start ? "" : " from here on; the state was kept"));
    case Verb::kMaterial:
      timeline_.set_material(c.name, c.static_friction, c.dynamic_friction, c.restitution);
      changed();
      return say(fmt::format("material {} changed{}", c.name, at_start ? "" : " from here on; the state was kept"));
    case Verb::kDrag:
      if (!timeline_.dragging()) frames_.add_edit();
      return timeline_.drag({c.body, c.local, c.target});
    case Verb::kRelease:
      return timeline_.release();
  }
}

void LiveSession::go_to(std::int64_t step) {
  running_ = false;
  failed_ = false;
  say(step < 0 ? "this is the start" : "");
  seek_ = static_cast<std::uint64_t>(std::max<std::int64_t>(0, step));
  const std::uint64_t before = timeline_.simulation().step_count();
  timeline_.approach(*seek_);
  if (timeline_.simulation().step_count() != before) frames_.reset();
  frame_stale_ = true;
}

void LiveSession::work() {
  if (seek_)
    seek_on();
  else if (running_ && step_is_due())
    step();
}

// In slices, so that a command can end it.
void LiveSession::seek_on() {
  constexpr double kSlice = 0.01;  // s
  const Clock::time_point begin = Clock::now();
  while (timeline_.simulation().step_count() < *seek_)
    if (!step() || seconds(Clock::now() - begin) > kSlice) break;
  if (failed_ || timeline_.simulation().step_count() >= *seek_) {
    seek_.reset();
    status_stale_ = true;
  }
}

bool LiveSession::step() {
  const double end = timeline_.scene().duration - 0.5 * timeline_.simulation().step_size();
  const bool before_end = timeline_.simulation().time() < end;
  try {
    timeline_.step();
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::kInterrupted) return false;  // the command that interrupted it comes next
    running_ = false;
    failed_ = true;
    say(e.what());
    return false;
  } catch (const std::exception& e) {
    running_ = false;
    failed_ = true;
    say(e.what());
    return false;
  }
  ++steps_done_;
  frame_stale_ = true;
  if (running_ && before_end && timeline_.simulation().time() >= end) {
    running_ = false;
    say(fmt::format("the scene's {:g} s are over; play goes on", timeline_.scene().duration));
  }
  return true;
}

bool LiveSession::step_is_due() const {
  if (speed_ == 0) return true;
  const double shown = origin_time_ + speed_ * seconds(Clock::now() - origin_wall_);
  return timeline_.simulation().time() + 0.5 * timeline_.simulation().step_size() <= shown;
}

// The clock shows the time of the simulation now: after a pause, a jump, or when it cannot keep up.
void LiveSession::rebase() {
  origin_wall_ = Clock::now();
  origin_time_ = timeline_.simulation().time();
  window_wall_ = origin_wall_;
  window_time_ = origin_time_;
}

}  // namespace touchstone::viewer
