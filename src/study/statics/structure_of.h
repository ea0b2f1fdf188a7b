#pragma once
// The structure that a scene is at its start: bodies, loads, joints, and every point where faces touch.
#include "statics/structure.h"
#include "touchstone/description.h"

namespace touchstone::statics {

struct TouchSettings {
  static constexpr double kMostTolerance = 0.1;

  double tolerance = 1e-6;         // of the smaller body's size: as much apart or as deep counts as touching
  double near = 1e-3;              // of it: a gap up to here is reported, because touching may be meant
  std::optional<double> friction;  // of every pair of materials
};

struct NearPair {
  std::string a, b;
  double gap = 0;        // [m]
  double tolerance = 0;  // [m]
};

struct Detected {
  Structure structure;                // [m, kg, N]
  std::vector<NearPair> gaps;         // pairs of bodies that nearly touch and nowhere do
  std::vector<NearPair> corners;      // that touch in a corner or an edge only, and have no direction of contact
  std::vector<std::string> floating;  // free bodies that touch nothing and hang on nothing
  std::vector<std::string> notes;     // of the scene: what has no meaning at rest
};

// Throws Error (kBadInput) with every pair that overlaps and its depth; for bodies that move; for a scene without free
// bodies.
Detected structure_of(const SceneDescription& scene, const TouchSettings& settings);

}  // namespace touchstone::statics
