#pragma once
// A settled pile of boxes in an open pit, in plain numbers: every engine is given the same one.
#include <array>
#include <string>
#include <vector>

namespace touchstone::bench {

struct BoxPose {
  std::array<double, 3> half, p;
  std::array<double, 4> q;  // x, y, z, w
  bool fixed;               // floor and walls
};
using Pile = std::vector<BoxPose>;

struct Settled {
  Pile pile;
  double speed = 0, mean_speed = 0;  // over the last second: of the fastest box, and the mean [m/s]
};

// Drops `count` boxes of 0.8 to 1.2 m into a pit whose floor grows with their number, so that the pile is as high for
// every number, and lets Bullet's dynamics settle it.
Settled settle(int count);

// settle(), or what it gave last time, kept in `folder`.
Pile settled_pile(int count, const std::string& folder);

// Copies of a pile and its pit, side by side.
Pile tiled(const Pile& pile, int copies);

}  // namespace touchstone::bench
