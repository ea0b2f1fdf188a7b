#pragma once
// A proven verdict as a text that `touchstone check` verifies without the solver. docs/statics.md has the format.
#include "statics/verdict.h"

namespace touchstone::statics {

// Throws Error (kBadInput) if the verdict is not proven in fractions.
std::string certificate_text(const Scaled& scaled, const Equations& equations, const StableSettings& settings,
                             const Assessment& assessment);

}  // namespace touchstone::statics
