#pragma once
// Round numbers for axes and grids.
#include <string>
#include <vector>

namespace touchstone {

// The largest of ... 1, 2, 5, 10, 20 ... (times any power of ten) that divides `range` into at least `parts`
// parts.
double nice_step(double range, int parts);

// Multiples of `step` within [low, high].
std::vector<double> tick_values(double low, double high, double step);

// With as many decimals as the step needs, and a true minus sign.
std::string tick_text(double value, double step);

// A label's unit made fit for numbers of a size: "energy [J]" and 5000 give "energy [kJ]" and a factor of
// 1e-3; where the unit takes no prefix, "[10³ kg·m/s]".
struct ScaledLabel {
  std::string label;
  double factor = 1.0;  // what the numbers are multiplied by before they are written
};
ScaledLabel scaled_label(const std::string& label, double largest);

}  // namespace touchstone
