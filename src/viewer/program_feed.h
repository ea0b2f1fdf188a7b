#pragma once
// The feed of a simulation that a program runs: the program's thread hands states over, viewers get the newest one, and
// may pause the program where it hands over.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "viewer/commands.h"
#include "viewer/content.h"
#include "viewer/frame_maker.h"

namespace touchstone::viewer {

class ProgramFeed : public Feed {
 public:
  ProgramFeed(const Simulation& simulation, SceneDescription scene, bool obey_pause);

  Publication latest() const override;
  void want_frame() override;
  std::string command(std::string_view message) override;
  void on_news(std::function<void()> news) override;

  // By the program's thread. Publishes what somebody waits for; waits while paused.
  void update(const Simulation& simulation);
  // A wait ends, and no other begins.
  void release();

 private:
  using Clock = std::chrono::steady_clock;
  bool waits();  // whether the program is to wait now; the lock is held
  bool take_wish();
  void publish(const Simulation& simulation);
  void publish_scene(const Simulation& simulation);
  void publish_status(const Simulation& simulation);
  void publish_frame(const Simulation& simulation);
  void tell();

  // Of the program's thread.
  SceneDescription scene_;
  FrameMaker frames_;
  std::vector<BodyId> bodies_;  // of the scene that was published
  std::size_t joints_ = 0;
  Clock::time_point last_frame_{}, last_status_{};
  double last_time_ = 0;

  // Shared.
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Publication publication_;
  const bool obey_pause_;
  bool wanted_ = false, paused_ = false, released_ = false, status_stale_ = true;
  std::int64_t steps_ = 0;  // that a paused program may still take
  std::mutex news_mutex_;
  std::function<void()> news_;
};

}  // namespace touchstone::viewer
