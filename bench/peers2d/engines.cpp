#include "peers2d/engines.h"

namespace touchstone::bench {

const std::vector<EngineEntry>& planar_engines() {
  static const std::vector<EngineEntry> all{
      {"touchstone", "", make_touchstone},
#ifdef TOUCHSTONE_BOX2D
      {"box2d", "libbox2d-dev", make_box2d},
#else
      {"box2d", "libbox2d-dev", nullptr},
#endif
#ifdef TOUCHSTONE_CHIPMUNK
      {"chipmunk", "libchipmunk-dev", make_chipmunk},
#else
      {"chipmunk", "libchipmunk-dev", nullptr},
#endif
  };
  return all;
}

}  // namespace touchstone::bench
