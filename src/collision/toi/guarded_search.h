#pragma once
// The search that bisection and regula falsi share: intervals are dealt with from the left, and one is left behind only
// if the bounds of the gap's rate say that it is free of contact. They differ in where they cut an interval.
#include <array>
#include <limits>

#include "collision/toi/sweep.h"

namespace touchstone {

// cut(first, second) is a time between the two. The first is free, the second may be in contact.
template <int D, class Cut>
Impact<D> guarded_search(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options, Cut cut) {
  Sweep<D> sweep(a, b, options);
  Impact<D> out;
  Sample<D> first;
  if (sweep.begin(first, out)) return out;
  // The cuts are at a quarter of the interval or farther inside: after so many nothing is left between two doubles.
  constexpr std::size_t kDepth = 128;
  std::array<Sample<D>, kDepth> later;
  std::size_t count = 0;
  later[count++] = sweep.sample(sweep.duration);
  const double shortest = 4 * std::numeric_limits<double>::epsilon() * sweep.duration;
  while (count > 0) {
    const Sample<D>& second = later[count - 1];
    if (sweep.touches(first)) return sweep.hit(first);
    const bool contact = second.gap() <= sweep.distance;
    const bool no_room = second.t - first.t <= shortest;
    if (contact && no_room) return sweep.hit(first);
    if (!contact && (no_room || sweep.free_between(first, second))) {
      first = second;
      --count;
      continue;
    }
    if (sweep.exhausted() || count == kDepth) return sweep.capped(first);
    const Sample<D> middle = sweep.sample(cut(sweep, first, second));
    if (middle.gap() <= sweep.distance) count = 0;  // what comes after it does not matter
    later[count++] = middle;
  }
  return sweep.none();
}

}  // namespace touchstone
