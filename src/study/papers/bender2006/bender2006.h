#pragma once
// [bender2006]: its five experiments, and what they share.
#include "study/papers/experiment.h"

namespace touchstone {

Paper bender2006_paper();

namespace bender2006 {

void inclines(const PaperOptions& options, PaperStudy& study);
void funnel(const PaperOptions& options, PaperStudy& study);
void tippe_top(const PaperOptions& options, PaperStudy& study);
void office_toy(const PaperOptions& options, PaperStudy& study);
void one_contact(const PaperOptions& options, PaperStudy& study);

// A scene of the paper, by its file's name without ".toml".
SceneDescription scene_of(const PaperOptions& options, const std::string& name,
                          const std::vector<SceneOverride>& overrides = {});

}  // namespace bender2006
}  // namespace touchstone
