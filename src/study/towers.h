#pragma once
// Towers of bricks as scenes: the stacks, diamonds and triangles of the overhang problem, in 2D or extruded in 3D.
#include <vector>

#include "models/gauss/framework.h"
#include "touchstone/description.h"

namespace touchstone {

struct TowerOptions {
  int dimension = 2;
  double width = 1, height = 0.25, depth = 0.5;  // of a brick [m]; depth in 3D
  double mass = 1;                               // of a brick [kg]
  double gap = 0;                                // between bricks of a row [m]
  bool sides = true;                             // whether bricks of a row may touch each other
  double friction = 0;
  double gravity = 9.81;  // [m/s²]
};

// Middles of the bricks of each row, from the bottom [m].
using TowerRows = std::vector<std::vector<double>>;

// Rows of 1, 2, …, m, …, 2, 1 bricks, and of 1, 2, …, m bricks.
TowerRows diamond_rows(int m, const TowerOptions& options);
TowerRows triangle_rows(int m, const TowerOptions& options);
// n bricks above each other, each `overhang` further to the right than the one below it, the lowest at `first`.
TowerRows stack_rows(int n, double overhang, double first = 0);
// n bricks at the edge x = 0 of a table, as far to the right as they can be: the top one's end is at ½·H_n widths.
// `shift`: of all of them [m].
TowerRows harmonic_rows(int n, double shift, const TowerOptions& options);

// The bricks on a wide ground whose top is at height 0; or, if `edge`, on a table that ends at x = 0. Bodies "ground",
// and "brick_R_K" with row and place from the left, from 1. Throws Error (kBadInput) for sizes, masses and numbers that
// are no tower's.
SceneDescription tower_scene(const TowerRows& rows, const TowerOptions& options, bool edge = false);

// The same as points and bars (2D). Boxes with masses become frameworks, static ones fixed outlines. `first`: the first
// point of each body of the scene.
enum class BrickPoints : std::uint8_t { kNine, kCorners };
struct TowerFramework {
  Framework<2> framework;
  std::vector<std::uint32_t> first;
};
TowerFramework tower_framework(const SceneDescription& scene, BrickPoints points, bool independent);

}  // namespace touchstone
