#include "study/papers/thompson2003/thompson2003.h"

#include <algorithm>

namespace touchstone {

Paper thompson2003_paper() {
  return {
      "thompson2003",
      "C. Thompson: Building a 2D physics engine for MASON (2003)",
      {{"collisions", "circles and rectangles without friction and loss: energy, momentum; figure 1",
        thompson2003::collisions},
       {"pinned_boxes", "boxes that are pinned to each other collide: energy, joint error", thompson2003::pinned_boxes},
       {"robots", "robots bring every can home; figure 2", thompson2003::robots},
       {"pendulum", "Euler's methods against Runge and Kutta's: period, energy; figure 3", thompson2003::pendulum},
       {"bead", "a bead stays on its wire; eqs 25-33", thompson2003::bead},
       {"door", "a ball strikes a door on its hinge; figure 11", thompson2003::door},
       {"impacts", "single impacts against their formulas: rigid, jointed, with friction", thompson2003::impacts}}};
}

namespace thompson2003 {

SceneDescription scene_of(const PaperOptions& options, const std::string& name,
                          const std::vector<SceneOverride>& overrides) {
  return paper_scene(options, "thompson2003", name, overrides);
}

double joint_error(const Simulation& simulation) {
  double worst = 0;
  for (std::size_t i = 0; i < simulation.joint_count(); ++i)
    worst = std::max(worst, simulation.joint(i).position_error);
  return worst;
}

PaperRow beside_demo(PaperRow row, double demo) {
  row.expected = demo;
  row.source = "public demo";
  row.note = "expected: the paper's public demo";
  return row;
}

}  // namespace thompson2003
}  // namespace touchstone
