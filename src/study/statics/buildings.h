#pragma once
// Structures by name, as scenes: arches, walls, vaults and spinal stacks; towers of bricks are in study/towers.h.
#include "touchstone/description.h"

namespace touchstone::statics {

struct ArchOptions {
  int voussoirs = 11;
  double radius = 1;       // of the middle line [m]
  double thickness = 0.2;  // [m]
  double friction = 0.8;
  double density = 2000;  // [kg/m³], in 2D [kg/m²]
  // Voussoirs with the mass of a sector of a ring; otherwise of the straight-sided block that is drawn.
  bool annular = true;
  // A barrel vault of so many courses along y, each as long as this [m]. 0: an arch in the plane.
  int courses = 0;
  double length = 0.5;
};
// Semicircular, on a ground at height 0.
SceneDescription arch_scene(const ArchOptions& options);

struct WallOptions {
  int rows = 10, columns = 10;
  double width = 0.25, height = 0.0625, depth = 0.125;  // of a brick [m]
  double friction = 0.6, density = 2000;
  int dimension = 2;
};
// Running bond: every other row begins and ends with half a brick.
SceneDescription wall_scene(const WallOptions& options);

struct SpinalOptions {
  int levels = 4;
  double width = 1, height = 0.25;
  double overhang = 0.15;  // of each brick's middle beyond the end of the one below it, in widths; below 1/4
  double density = 1;
  double safety = 1.05;  // counterweights against what balances
};
// One brick a level, each with a counterweight on its inner half.
SceneDescription spinal_scene(const SpinalOptions& options);

}  // namespace touchstone::statics
