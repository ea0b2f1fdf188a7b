#pragma once
#ifdef TOUCHSTONE_MUJOCO
// A robot as MuJoCo's own compiler makes it, and the comparison with ours.
#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "touchstone/robot.h"

namespace touchstone::testing {

struct MujocoDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

// Null, with the reason in `error`, if MuJoCo refuses the file.
MujocoModel load_mujoco(const std::string& path, std::string& error);

// Expectations on bodies, joints, actuators, equalities, and on poses, mass matrices, gravity torques and geoms at
// random coordinates. `tolerance`: relative to 1 in SI units.
void expect_equal(const RobotDescription& robot, const mjModel& model, double tolerance);

}  // namespace touchstone::testing
#endif
