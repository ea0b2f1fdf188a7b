#pragma once
// A request to stop, made while a step is at work: by a signal handler or by another thread. Every loop whose length
// depends on the scene or on convergence checks it once an iteration; a check is one relaxed load.
#include <atomic>

namespace touchstone {

class StopFlag {
 public:
  StopFlag() = default;
  explicit StopFlag(const std::atomic<bool>* flag) : flag_(flag) {}
  bool requested() const { return flag_ && flag_->load(std::memory_order_relaxed); }
  // Throws Error (kInterrupted) if a stop was requested.
  void check() const {
    if (requested()) interrupt();
  }

 private:
  [[noreturn]] static void interrupt();
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace touchstone
