#include "peers/engine.h"

namespace touchstone::bench {

const std::vector<EngineEntry>& engines() {
  static const std::vector<EngineEntry> all{
      {"touchstone", "", make_touchstone},
#ifdef TOUCHSTONE_BULLET
      {"bullet", "libbullet-dev", make_bullet},
#else
      {"bullet", "libbullet-dev", nullptr},
#endif
#ifdef TOUCHSTONE_ODE
      {"ode", "libode-dev", make_ode},
#else
      {"ode", "libode-dev", nullptr},
#endif
#ifdef TOUCHSTONE_MUJOCO
      {"mujoco", "libmujoco-dev", make_mujoco},
#else
      {"mujoco", "libmujoco-dev", nullptr},
#endif
  };
  return all;
}

}  // namespace touchstone::bench
