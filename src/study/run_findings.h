#pragma once
// The findings of a run from the measures that were merged while it went, without a recording: the same measures and
// bounds as `verify` without bounds of a user's.
#include <vector>

#include "study/finding.h"
#include "study/runner.h"

namespace touchstone {

// None where the yardstick was off (RunSummary::measured).
std::vector<Finding> findings_of_run(const RunSummary& summary, const Simulation& simulation,
                                     const SceneDescription& scene);

}  // namespace touchstone
