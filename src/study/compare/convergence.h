#pragma once
// Convergence studies: how the end of a run changes with the step size, and with what order.
#include "study/compare/comparison.h"

namespace touchstone::compare {

// The order p at which errors e₁ at step h₁ and e₂ at h₂ < h₁ shrink, if the errors were measured from a run at step
// h₀ < h₂ that itself has an error (0: from the truth): (h₁ᵖ − h₀ᵖ)/(h₂ᵖ − h₀ᵖ) = e₁/e₂. Empty if they do not shrink,
// or if e₂ is below `floor`, where rounding decides.
std::optional<double> observed_order(double h1, double e1, double h2, double e2, double h0, double floor);

// Errors are distances (root mean square over bodies and their points, StateDistance::mean) of the ends of the runs
// from that of the same model's run with the smallest step, or, if `reference` is a recording, from its end.
Convergence study_convergence(const Comparison& comparison, const std::vector<double>& steps,
                              const std::string& reference);

// "errors shrink with order 1.0", or why there is no order to speak of.
std::string convergence_text(const ConvergenceRow& row, double size);

}  // namespace touchstone::compare
