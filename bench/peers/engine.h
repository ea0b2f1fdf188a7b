#pragma once
// One way of finding all contacts of a pile, so that several can be measured alike.
#include <memory>
#include <span>

#include "peers/pile.h"

namespace touchstone::bench {

struct Found {
  long pairs = 0;     // that the broad phase gave
  long contacts = 0;  // points
};

// Contacts are wanted before boxes touch: Bullet keeps them up to a gap of 0.02 m, so Touchstone looks as far.
inline constexpr double kMargin = 0.02;

class Engine {
 public:
  virtual ~Engine() = default;
  virtual const char* name() const = 0;
  virtual void move(std::span<const std::array<double, 3>> positions) = 0;  // not measured
  virtual Found detect() = 0;                                               // measured: bounds, broad and narrow phase
};

std::unique_ptr<Engine> make_touchstone(const Pile& pile);
std::unique_ptr<Engine> make_fcl(const Pile& pile);
std::unique_ptr<Engine> make_bullet(const Pile& pile);

}  // namespace touchstone::bench
