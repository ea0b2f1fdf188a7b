#pragma once
// [rote2012]: its towers, their first accelerations, their collapse, and what its forms of lengths do.
#include "study/papers/experiment.h"
#include "study/towers.h"

namespace touchstone {

Paper rote2012_paper();

namespace rote2012 {

void accelerations(const PaperOptions& options, PaperStudy& study);
void stability(const PaperOptions& options, PaperStudy& study);
void lengths(const PaperOptions& options, PaperStudy& study);
void collapse(const PaperOptions& options, PaperStudy& study);
void flat(const PaperOptions& options, PaperStudy& study);

// The bricks as they are now, with as much of the ground as they need.
void draw_tower(const Simulation& simulation, const std::string& caption, const std::string& path);

}  // namespace rote2012
}  // namespace touchstone
