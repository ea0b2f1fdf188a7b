#pragma once
// The directions of friction as fractions: what forces a contact may carry, and which of them go with which sliding
// direction. Everything is in the coordinates of the tangents, for a normal force of 1 and μ = 1.
#include <vector>

#include "math/exact/rational.h"

namespace touchstone::statics {

// kCircle: Coulomb's cone. kPyramid: |f_1| + |f_2| <= μ·f_N, the four-sided pyramid. In 2D both are the same.
enum class FrictionLaw : std::uint8_t { kCircle, kPyramid };

struct Direction {
  Rational x, y;  // in 2D y is 0
};

// Points exactly on the unit circle, counter-clockwise from (1, 0), nearly evenly spaced. `count`: a multiple of 4.
std::vector<Direction> circle_points(int count);
// Where the tangents at neighbouring points meet: the circle lies inside the hull of these.
std::vector<Direction> tangent_corners(const std::vector<Direction>& points);

// A linear function of the tangential acceleration, and which sign it has in a mode: +1, −1, or 0.
struct ModeSide {
  int row = 0, sign = 0;
};
// A way of sliding: tangential accelerations within a sector, and the friction forces that may oppose one of them.
struct SlideMode {
  Direction from, to;  // rays of the sector, counter-clockwise; in 2D both are the direction
  std::vector<ModeSide> sides;
  std::vector<int> forces;    // places among FrictionCone::forces: friction is in their hull
  std::vector<int> children;  // the same sector in finer parts; none: it is not split
};

struct FrictionCone {
  std::vector<Direction> rows;    // a mode's row is x·a_1 + y·a_2
  std::vector<Direction> forces;  // corners for everything below
  std::vector<int> inside;        // the hull of these is within the law
  std::vector<int> outside;       // the law is within the hull of these
  std::vector<int> zero_rows;     // a_T = 0 where these are 0
  std::vector<SlideMode> modes;
  std::vector<int> top;  // modes that cover all directions
};

// `sectors`: of the circle, a power of two from 8 on; the pyramid and 2D have their own.
FrictionCone friction_cone(int dimension, FrictionLaw law, int sectors);

}  // namespace touchstone::statics
