#pragma once
// What a solver gives back.
#include <cstdint>
#include <vector>

namespace touchstone {

// kStalled: no progress any more, short of the tolerance.
enum class SolveStatus : std::uint8_t { kConverged, kIterationLimit, kStalled };

struct ContactSolution {
  std::vector<double> impulses;    // r, by row [N·s or N·m·s]
  std::vector<double> velocities;  // v = v_free + M⁻¹·Jᵀ·r [m/s, rad/s]
  SolveStatus status = SolveStatus::kConverged;
  std::int64_t iterations = 0;
  double residual = 0;  // the worst natural map of a block [m/s or rad/s]
};

}  // namespace touchstone
