// Purpose: ranges of a loop, shared out among a few threads that stay awake between loops. A step has hundreds of short
//   loops; waking threads for each of them would take longer than the loops do.
// Source: own, on the threads of oneTBB.
// Letters: a ticket holds the number of the loop and the next range that nobody has taken, in one word.
// Deviations: -
// Fails: an exception of a range is thrown again by run(), after all ranges have ended.
#include "base/parallel.h"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace touchstone {
namespace {

constexpr std::uint64_t kRangeBits = 0xffffffff;  // of a ticket; all set: there is nothing to take
constexpr int kPatience = 20000;                  // empty looks for work, a millisecond or so, before a helper leaves

inline void pause_a_little() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

struct Parallel::Arena {
  explicit Arena(int threads) : most_helpers(threads - 1), arena(threads) {}
  ~Arena() {
    stop.store(true, std::memory_order_release);
    while (helpers.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  }

  // Takes a range and works on it. False if there is none.
  bool work() {
    std::uint64_t mine = ticket.load(std::memory_order_acquire);
    const std::uint64_t range = mine & kRangeBits;
    const RangeFunction loop_body = body.load(std::memory_order_relaxed);
    void* const loop_context = context.load(std::memory_order_relaxed);
    const std::size_t count = n.load(std::memory_order_relaxed), step = grain.load(std::memory_order_relaxed);
    if (range == kRangeBits || range * step >= count) return false;
    // If this succeeds, the loop was the same all the while: it cannot end before its last range is taken and done.
    if (!ticket.compare_exchange_strong(mine, mine + 1, std::memory_order_acq_rel)) return true;
    try {
      loop_body(loop_context, range * step, std::min(count, (range + 1) * step));
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
    }
    done.fetch_add(1, std::memory_order_release);
    return true;
  }

  void help() {
    for (int idle = 0; idle < kPatience && !stop.load(std::memory_order_acquire); ++idle) {
      if (work())
        idle = 0;
      else
        pause_a_little();
    }
    helpers.fetch_sub(1, std::memory_order_release);
  }

  void call_helpers() {
    while (helpers.load(std::memory_order_relaxed) < most_helpers) {
      helpers.fetch_add(1, std::memory_order_relaxed);
      arena.enqueue([this] { help(); });
    }
  }

  void run(std::size_t count, std::size_t step, RangeFunction loop_body, void* loop_context) {
    const std::uint64_t loop = (ticket.load(std::memory_order_relaxed) >> 32) + 1;
    ticket.store(((loop - 1) << 32) | kRangeBits, std::memory_order_release);  // nothing to take while this is changed
    body.store(loop_body, std::memory_order_relaxed), context.store(loop_context, std::memory_order_relaxed);
    n.store(count, std::memory_order_relaxed), grain.store(step, std::memory_order_relaxed);
    done.store(0, std::memory_order_relaxed);
    ticket.store(loop << 32, std::memory_order_release);
    call_helpers();
    while (work()) {
    }
    const std::size_t ranges = (count + step - 1) / step;
    while (done.load(std::memory_order_acquire) != ranges) pause_a_little();
    if (!error) return;
    const std::exception_ptr thrown = std::exchange(error, nullptr);
    std::rethrow_exception(thrown);
  }

  const int most_helpers;
  tbb::task_arena arena;
  std::atomic<std::uint64_t> ticket{kRangeBits};
  std::atomic<RangeFunction> body{nullptr};
  std::atomic<void*> context{nullptr};
  std::atomic<std::size_t> n{0}, grain{1}, done{0};
  std::atomic<int> helpers{0};
  std::atomic<bool> stop{false}, running{false};
  std::mutex error_mutex;
  std::exception_ptr error;
};

// More threads than the machine has would only wait for each other; the result is the same.
Parallel::Parallel(int threads)
    : threads_(std::clamp(threads, 1, std::max(1, static_cast<int>(std::thread::hardware_concurrency())))) {
  if (threads_ > 1) arena_ = std::make_unique<Arena>(threads_);
}
Parallel::~Parallel() = default;
Parallel::Parallel(Parallel&&) noexcept = default;
Parallel& Parallel::operator=(Parallel&&) noexcept = default;

void Parallel::run(std::size_t n, std::size_t grain, RangeFunction body, void* context) const {
  // A loop within a loop is done by whoever comes to it.
  if (arena_ && n > grain && !arena_->running.exchange(true, std::memory_order_acquire)) {
    const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> over(
        &arena_->running, [](std::atomic<bool>* running) { running->store(false, std::memory_order_release); });
    return arena_->run(n, grain, body, context);
  }
  for (std::size_t begin = 0; begin < n; begin += grain) body(context, begin, std::min(n, begin + grain));
}

}  // namespace touchstone
