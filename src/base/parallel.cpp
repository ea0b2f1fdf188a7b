#include "base/parallel.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace touchstone {

struct Parallel::Arena {
  explicit Arena(int threads) : arena(threads) {}
  tbb::task_arena arena;
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
  const std::size_t ranges = (n + grain - 1) / grain;
  const auto one = [&](std::size_t r) { body(context, r * grain, std::min(n, (r + 1) * grain)); };
  if (!arena_ || ranges < 2) {
    for (std::size_t r = 0; r < ranges; ++r) one(r);
    return;
  }
  // The arena orders these accesses anyway. Saying it again in our own code lets a thread sanitiser see it, which does
  // not look into Debian's build of oneTBB; it costs two atomic operations a range.
  std::atomic<bool> begun{false};
  std::atomic<std::size_t> done{0};
  begun.store(true, std::memory_order_release);
  arena_->arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, ranges, [&](std::size_t r) {
      while (!begun.load(std::memory_order_acquire)) {
      }
      one(r);
      done.fetch_add(1, std::memory_order_release);
    });
  });
  while (done.load(std::memory_order_acquire) != ranges) {
  }
}

}  // namespace touchstone
