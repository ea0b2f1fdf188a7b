#pragma once
// [bender2006]: its five experiments, and what they share.
#include "study/papers/papers.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

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

// Steps until `stop` says so, at most `steps` times. False if the run was interrupted; `study` knows it then.
bool advance(Simulation& simulation, std::uint64_t steps, const PaperOptions& options, const std::string& label,
             PaperStudy& study, const std::function<bool(const StepReport&)>& stop);

// Where a figure of this name goes; it is listed in the study.
std::string figure_path(const PaperOptions& options, const std::string& name, PaperStudy& study);
// The bodies as they are now.
void draw_now(const Simulation& simulation, const std::string& caption, const std::string& path);

}  // namespace bender2006
}  // namespace touchstone
