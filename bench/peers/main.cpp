// The eight benchmark scenes under Touchstone, Bullet, ODE and MuJoCo: the same bodies, the same judge, one run.
#include "peers/program.h"

int main(int argc, char** argv) {
  using namespace touchstone::bench;
  return run_program({"touchstone bench peers",
                      "Eight benchmark scenes under Touchstone and its rivals: the same bodies, the same judge.",
                      scene_names(), make_scene, engines(), "bullet"},
                     argc, argv);
}
