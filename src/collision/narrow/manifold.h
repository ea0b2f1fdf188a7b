#pragma once
// Contact points of a pair from its closest points: where two faces look at each other, all corners of their overlap.
#include <algorithm>

#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// Of the smaller reach: a corner of one face this far outside the other still counts as inside, so that boxes of equal
// size on top of each other keep the same four points whatever rounding does to their edges.
inline constexpr double kEdgeSlack = 1e-6;
// Of the smaller reach: a corner of the overlap this much higher than the closest points does not stand for them.
inline constexpr double kSameGap = 1e-7;

// Appends the points with gap <= margin; the closest points themselves where no corner stands for them, unless
// `corners_only`. The features name vertices and edges of the shapes, not of the
// routine: a vertex of B, a vertex of A, or an edge of each that cross.
template <int D>
void add_manifold(const Placed<D>& a, const Placed<D>& b, const Closest<D>& closest, double margin,
                  ContactPoints<D>& out, bool corners_only = false);

// Points from `first` on, in order of their features: moves a feature that two share to the next free one.
template <int D>
void keep_distinct(ContactPoints<D>& points, std::size_t first) {
  for (std::size_t i = first + 1; i < points.size(); ++i)
    if (points[i].feature <= points[i - 1].feature && points[i - 1].feature < 0xffff)
      points[i].feature = static_cast<std::uint16_t>(points[i - 1].feature + 1);
}
// The same for points in any order.
template <int D>
void make_distinct(ContactPoints<D>& points, std::size_t first) {
  std::sort(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(),
            [](const ContactPoint<D>& x, const ContactPoint<D>& y) { return x.feature < y.feature; });
  keep_distinct(points, first);
}

}  // namespace touchstone
