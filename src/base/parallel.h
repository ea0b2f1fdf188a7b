#pragma once
// Scheduling for the physics above: a loop over [0, n) cut into ranges of a fixed grain, so that which
// indices share a range never depends on the number of threads. Nothing is reduced in parallel.
#include <cstddef>
#include <memory>

namespace touchstone {

class Parallel {
 public:
  explicit Parallel(int threads = 1);
  ~Parallel();
  Parallel(Parallel&&) noexcept;
  Parallel& operator=(Parallel&&) noexcept;
  int threads() const { return threads_; }

  // Calls body(begin, end) for each range. With one thread: in order, on this thread, without allocating.
  template <class Body>
  void for_ranges(std::size_t n, std::size_t grain, Body&& body) const {
    run(
        n, grain,
        [](void* context, std::size_t begin, std::size_t end) {
          (*static_cast<std::remove_reference_t<Body>*>(context))(begin, end);
        },
        &body);
  }

 private:
  using RangeFunction = void (*)(void* context, std::size_t begin, std::size_t end);
  void run(std::size_t n, std::size_t grain, RangeFunction body, void* context) const;

  struct Arena;
  int threads_ = 1;
  std::unique_ptr<Arena> arena_;
};

}  // namespace touchstone
