#pragma once
// What a solver gives back.
#include <cstdint>
#include <vector>

namespace touchstone {

// kStalled: no progress any more, short of the tolerance. kBadInput: the problem's numbers make no sense.
enum class SolveStatus : std::uint8_t { kConverged, kIterationLimit, kStalled, kBadInput };

struct ContactSolution {
  std::vector<double> impulses;    // r, by row [N·s or N·m·s]
  std::vector<double> velocities;  // v = v_free + M⁻¹·Jᵀ·r [m/s, rad/s]
  SolveStatus status = SolveStatus::kConverged;
  const char* reason = "";  // of a status other than kConverged, from solvers that can tell
  std::int64_t iterations = 0;
  double residual = 0;  // the worst natural map of a block [m/s or rad/s]
};

}  // namespace touchstone
