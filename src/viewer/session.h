#pragma once
// A scene that is simulated while people watch it: one thread, commands in, the newest frame out. Viewers never keep it
// waiting: a frame is made when somebody is ready for one, at most 60 times a second, and commands lie in a queue.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "viewer/commands.h"
#include "viewer/content.h"
#include "viewer/frame_maker.h"
#include "viewer/timeline.h"

namespace touchstone::viewer {

struct SessionOptions {
  TimelineOptions timeline;
  bool play = true;                  // from when the first viewer has its first frame
  double speed = 1;                  // simulated seconds a second; 0: as fast as possible
  double frame_interval = 1.0 / 60;  // s, the least
};

class LiveSession : public Feed {
 public:
  // Throws Error as Simulation does. The thread starts here.
  LiveSession(SceneDescription scene, const SessionOptions& options);
  ~LiveSession() override;

  Publication latest() const override;
  void want_frame() override;
  std::string command(std::string_view message) override;
  void on_news(std::function<void()> news) override;

  // Steps since the session began, re-simulated ones included; for measurements.
  std::uint64_t steps_done() const { return steps_done_; }
  double processor_time() const;  // of its thread [s]

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  bool wait_for_work(std::vector<Command>& commands);  // false: the session ends
  Clock::time_point wake_time() const;
  bool interrupted_seek() const;
  void execute(const Command& command);
  void perform(const Command& command);
  void go_to(std::int64_t step);
  void work();
  void seek_on();
  bool step();
  bool step_is_due() const;
  void rebase();
  void say(std::string message);
  bool frame_due(Clock::time_point now) const;
  void publish();
  void publish_scene();
  void publish_status(Clock::time_point now);
  void publish_frame(Clock::time_point now);
  void tell();

  // Interrupts the step at hand: set with commands that do not need its end, cleared before they are performed.
  std::atomic<bool> interrupt_{false};

  // Of the simulation's thread.
  SessionOptions options_;
  Timeline timeline_;
  FrameMaker frames_;
  bool running_ = false, armed_ = false, failed_ = false;
  double speed_ = 1;
  std::string message_;
  std::optional<std::uint64_t> seek_;
  Clock::time_point origin_wall_{};  // when the clock of the simulation showed
  double origin_time_ = 0;           // this [s]
  Clock::time_point last_frame_{}, last_status_{}, window_wall_{};
  double window_time_ = 0, real_time_factor_ = 0;
  bool frame_stale_ = true, status_stale_ = true;
  std::string scene_model_;  // of the manifest that was published
  double scene_step_size_ = -1;

  // Shared with other threads.
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Command> queue_;
  Publication publication_;
  bool wanted_ = false, stop_ = false;
  std::mutex news_mutex_;
  std::function<void()> news_;
  std::atomic<std::uint64_t> steps_done_{0};
  std::thread thread_;
};

}  // namespace touchstone::viewer
