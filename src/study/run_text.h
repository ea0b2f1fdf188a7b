#pragma once
// The end of a run in words and as JSON: what `run`, `resume` and `demo` print. A number is measured by the yardstick,
// worked out from the bodies' state, or said to be the model's own account.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/runner.h"

namespace touchstone {

// `scene`: of the simulation, for the scales of the findings.
std::string summary_text(const RunSummary& summary, const Simulation& simulation, const SceneDescription& scene);
nlohmann::ordered_json summary_json(const RunSummary& summary, const Simulation& simulation,
                                    const SceneDescription& scene);

// Bodies that overlap before the first step: a sentence that names the deepest pairs, "" if there are none.
std::string overlaps_text(const Simulation& simulation, const std::vector<BodyOverlap>& overlaps);
nlohmann::ordered_json overlaps_json(const Simulation& simulation, const std::vector<BodyOverlap>& overlaps);

}  // namespace touchstone
