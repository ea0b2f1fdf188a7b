#pragma once
// [thompson2003]: its simulations and those of its public demo, and its formulas on single impacts and constraints.
#include "study/papers/experiment.h"

namespace touchstone {

Paper thompson2003_paper();

namespace thompson2003 {

void collisions(const PaperOptions& options, PaperStudy& study);
void pinned_boxes(const PaperOptions& options, PaperStudy& study);
void robots(const PaperOptions& options, PaperStudy& study);
void pendulum(const PaperOptions& options, PaperStudy& study);
void bead(const PaperOptions& options, PaperStudy& study);
void door(const PaperOptions& options, PaperStudy& study);
void impacts(const PaperOptions& options, PaperStudy& study);

// A scene of the paper, by its file's name without ".toml".
SceneDescription scene_of(const PaperOptions& options, const std::string& name,
                          const std::vector<SceneOverride>& overrides = {});

// Joints as good as exact: the greatest opening that every experiment may show [m].
inline constexpr double kJointError = 1e-8;
double joint_error(const Simulation& simulation);  // the greatest one now

// A row whose expected value the public demo of the paper shows, and whose bounds ours must keep.
PaperRow beside_demo(PaperRow row, double demo);

}  // namespace thompson2003
}  // namespace touchstone
