#pragma once
// What a solver gives back.
#include <cstdint>
#include <vector>

namespace touchstone {

// kConverged: under the solver's own law (SolverInfo::law). kStalled: no progress any more, short of the tolerance.
// kBadInput: the problem's numbers make no sense.
enum class SolveStatus : std::uint8_t { kConverged, kIterationLimit, kStalled, kBadInput };

struct ContactSolution {
  std::vector<double> impulses;    // r, by row [N·s or N·m·s]
  std::vector<double> velocities;  // v = v_free + M⁻¹·Jᵀ·r [m/s, rad/s]
  SolveStatus status = SolveStatus::kConverged;
  // Of a status other than kConverged, from solvers that can tell; and of kConverged, if another method than the first
  // had to do it.
  const char* reason = "";
  std::int64_t iterations = 0;
  double residual = 0;  // the worst natural map of a block, under the solver's law [m/s or rad/s]
};

}  // namespace touchstone
