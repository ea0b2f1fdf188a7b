#pragma once
// Last digits for curved cores, on which GJK and EPA close in slowly.
#include "collision/narrow/minkowski.h"

namespace touchstone {

// Turns a unit normal (in A's frame, from A to B) towards the greatest separation n·w of the cores near it, w the point
// of M that is lowest along n; returns that separation.
template <int D>
double refine_normal(const MinkowskiDifference<D>& m, Vec<D>& n);

// From the normal along the kinks beside it, where refine_normal stops: at right angles to a straight line of one of
// the surfaces, or to two. `best` is the separation along n; returns the new one.
double follow_kinks(const MinkowskiDifference<3>& m, Vec<3>& n, double best);

// The same from the axes of both shapes, both ways, besides the normal: for shapes about one centre, where every
// direction looks as good as the next until it is followed.
template <int D>
double refine_from_axes(const MinkowskiDifference<D>& m, Vec<D>& n);

}  // namespace touchstone
