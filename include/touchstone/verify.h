#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "touchstone/error.h"

namespace touchstone {

/// One measure of the yardstick over a whole recording (docs/yardstick.md).
struct VerifiedMeasure {
  std::string name, unit, help;
  double worst = 0.0, mean = 0.0;  ///< over the measured steps; mean: of each step's mean
  std::uint64_t step = 0;          ///< of the worst
  double time = 0.0;               ///< [s]
  std::string body_a, body_b;      ///< at the worst; empty: there is none
};

struct VerifyReport {
  std::size_t steps = 0;           ///< simulated
  std::size_t measured_steps = 0;  ///< of these, measured by the yardstick
  std::vector<VerifiedMeasure> measures;
  const VerifiedMeasure& of(const std::string& name) const;  ///< throws Error (kBadInput) with the names there are
};

/// How far a recording is from the laws of contact: what `touchstone verify` prints. Throws Error (kBadInput) for a
/// file that is no recording, or one without measures.
VerifyReport verify(const std::string& recording);

}  // namespace touchstone
