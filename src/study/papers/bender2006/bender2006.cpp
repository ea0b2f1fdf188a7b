#include "study/papers/bender2006/bender2006.h"

namespace touchstone {

Paper bender2006_paper() {
  return {"bender2006",
          "J. Bender, A. Schmitt: Constraint-based collision and contact handling using impulses (2006)",
          {{"inclines", "blocks of several frictions stop on a slope and stay there", bender2006::inclines},
           {"funnel", "1000 cubes through a funnel: collisions, resting contacts, times", bender2006::funnel},
           {"tippe_top", "a top that turns over, with several frictions", bender2006::tippe_top},
           {"office_toy", "balls on threads: 1, 2 and 3 of them let go, and the energy", bender2006::office_toy},
           {"one_contact", "one contact needs one or two iterations at h = 0.04 s", bender2006::one_contact}}};
}

namespace bender2006 {

SceneDescription scene_of(const PaperOptions& options, const std::string& name,
                          const std::vector<SceneOverride>& overrides) {
  return paper_scene(options, "bender2006", name, overrides);
}

}  // namespace bender2006
}  // namespace touchstone
