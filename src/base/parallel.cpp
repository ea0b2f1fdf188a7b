#include "base/parallel.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace touchstone {

struct Parallel::Arena {
  explicit Arena(int threads) : arena(threads) {}
  tbb::task_arena arena;
};

Parallel::Parallel(int threads) : threads_(std::max(1, threads)) {
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
  arena_->arena.execute([&] { tbb::parallel_for(std::size_t{0}, ranges, one); });
}

}  // namespace touchstone
