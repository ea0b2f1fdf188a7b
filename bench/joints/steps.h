#pragma once
// Whole steps of the model `lagrange`.
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::bench {

struct StepRow {
  std::size_t bodies = 0;
  std::uint32_t rows = 0;  // equations of joints
  double seconds = 0;      // a step
  std::int64_t steps = 0, not_converged = 0;
};

// chain_N: a chain of pins with N equations; four_bars_N: linkages in a row; car: scenes/car.toml.
const std::vector<std::string>& step_scenes();
StepRow measure_steps(const std::string& name);

}  // namespace touchstone::bench
