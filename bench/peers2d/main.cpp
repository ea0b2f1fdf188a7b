// Planar benchmark scenes under Touchstone, Box2D and Chipmunk: the same bodies, the same judge, one run.
#include "peers/program.h"
#include "peers2d/engines.h"

int main(int argc, char** argv) {
  using namespace touchstone::bench;
  return run_program({"touchstone bench peers2d",
                      "Planar benchmark scenes under Touchstone, Box2D and Chipmunk: the same bodies, the same judge.",
                      planar_scene_names(), make_planar_scene, planar_engines(), "box2d"},
                     argc, argv);
}
