#pragma once
// What the experiments of all papers need: their scenes, running with progress, and where figures go.
#include "study/papers/papers.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone {

// A scene of a paper, by its file's name without ".toml".
SceneDescription paper_scene(const PaperOptions& options, const std::string& paper, const std::string& name,
                             const std::vector<SceneOverride>& overrides = {});

// Steps until `stop` says so, at most `steps` times. False if the run was interrupted; `study` knows it then.
bool advance(Simulation& simulation, std::uint64_t steps, const PaperOptions& options, const std::string& label,
             PaperStudy& study, const std::function<bool(const StepReport&)>& stop);

// The bodies as they are now; with the scene that they come from, its joints, too, and those that were made since. The
// picture holds the bodies at all `moments` (poses as in a Frame), or as they are now.
void draw_now(const Simulation& simulation, const std::string& caption, const std::string& path,
              const SceneDescription* scene = nullptr, const std::vector<std::vector<double>>& moments = {});

// Where a figure of this name goes; it is listed in the study.
std::string figure_path(const PaperOptions& options, const std::string& name, PaperStudy& study);

}  // namespace touchstone
