#pragma once
// Two boxes with features that were closest last time: if these still are, the answer in closed form. What the walks
// over features and the separating plane ask first, so that a pair at rest costs neither a search nor its preparation.
#include "collision/narrow/exhaustive.h"

namespace touchstone {

enum class Kept {
  kNo,      // not beyond doubt: to be searched
  kWithin,  // the features hold, and the answer is written
  kBeyond   // they hold, and the gap is larger than the margin
};

// A feature of a box by the side that it is on along each axis: −1, +1, or 0 if it runs from one to the other. Its
// centre is the half edge lengths times that. In the numbering of unit_box; false if there is no such feature.
template <int D>
bool box_sides(const Feature& f, Vec<D>& sides);

// With the features in the memory's entries slot and slot + 1. Both shapes are boxes.
template <int D>
Kept kept_box_features(const Placed<D>& a, const Placed<D>& b, double margin, const PairMemory& memory,
                       std::size_t slot, Closest<D>& out);

// With the line through the side `side` of A (of_a) or B. Features decide where it separates but its side does not face
// the other box: those of entries 2 and 3.
Kept kept_box_side(const Placed<2>& a, const Placed<2>& b, double margin, bool of_a, std::uint32_t side,
                   const PairMemory& memory, Closest<2>& out);

template <int D>
bool both_boxes(const Placed<D>& a, const Placed<D>& b) {
  return a.shape.kind == ShapeKind::kBox && b.shape.kind == ShapeKind::kBox;
}

}  // namespace touchstone
