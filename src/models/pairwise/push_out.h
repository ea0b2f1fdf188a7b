#pragma once
// Bodies that overlap after a step are moved apart along the normals; no velocity is made by it.
#include <vector>

#include "models/pairwise/collision_point.h"

namespace touchstone {

struct PushOptions {
  double slop;   // penetration that is left alone [m]
  double speed;  // greatest speed at which a penetration is pushed out [m/s]
};

template <int D>
class PushOut {
 public:
  // gaps: of the points, where the bodies are now. Returns the deepest penetration before [m].
  double run(const PushOptions& options, double h, const Bodies<D>& bodies, std::span<const CollisionPoint<D>> points,
             std::span<const double> gaps, const Inertias<D>& inertias, State<D>& state);

 private:
  std::vector<Twist<D>> moved_;  // by body
  std::vector<double> pushed_;   // by point
};

}  // namespace touchstone
