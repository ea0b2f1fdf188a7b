#pragma once
// The run that the ends of all others are measured from, chosen by its own measured error.
#include "study/compare/comparison.h"

namespace touchstone::compare {

// Chooses the reference and measures every run's distance from its end. Without `asked`: of the models whose ends
// settle and whose finest run keeps the laws of contact, the one with the least error by halving its step. `asked`: a
// model's label, or the path of a recording.
void measure_from_reference(Comparison& comparison, const std::string& asked);

// "mirtich at h = 0.00025 s, whose error is about 2.6 µm (measured by halving the step)", or why there is none.
std::string reference_text(const Reference& reference);

}  // namespace touchstone::compare
