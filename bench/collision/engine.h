#pragma once
// One way of finding all contacts of a pile, so that several can be measured alike.
#include <ctime>
#include <memory>
#include <span>

#include "pile.h"

namespace touchstone::bench {

struct Found {
  long pairs = 0;     // that the broad phase gave
  long contacts = 0;  // points
  double broad = 0;   // the part of bounds and broad phase [s]; Touchstone only
};

// Of this thread [s]: others that want the processor do not count.
inline double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Contacts are wanted before boxes touch. Bullet pairs bounds that are 0.02 m apart and keeps contacts up to that gap,
// though its box-box routine makes new ones of overlapping boxes only; FCL has no margin at all. So Touchstone, which
// makes all of them, finds more points than either; it is measured without a margin too.
inline constexpr double kMargin = 0.02;

class Engine {
 public:
  virtual ~Engine() = default;
  virtual const char* name() const = 0;
  virtual void move(std::span<const std::array<double, 3>> positions) = 0;  // not measured
  virtual Found detect() = 0;                                               // measured: bounds, broad and narrow phase
};

std::unique_ptr<Engine> make_touchstone(const Pile& pile, const char* name, double margin, double reuse);
std::unique_ptr<Engine> make_fcl(const Pile& pile);
std::unique_ptr<Engine> make_bullet(const Pile& pile);

}  // namespace touchstone::bench
