// Purpose: time of impact by steps that cannot reach the contact. From each time it goes on by as long as the gap, at
//   its greatest rate, needs to fall to the distance.
// Source: B. Mirtich, Impulse-based dynamic simulation of rigid body systems, PhD thesis, UC Berkeley 1996, §2.3.
// Deviations: none; the bound of the rate is in sweep.cpp.
// Fails: kCapReached, with the time until which there is no contact: long bodies that turn quickly past each other.
#include "collision/toi/sweep.h"

namespace touchstone {

template <int D>
Impact<D> conservative_advancement(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options) {
  Sweep<D> sweep(a, b, options);
  Impact<D> out;
  Sample<D> now;
  if (sweep.begin(now, out)) return out;
  while (!sweep.touches(now)) {
    const double next = now.t + sweep.free_for(now);
    if (!(next <= sweep.duration)) return sweep.none();
    if (sweep.exhausted()) return sweep.capped(now);
    if (next == now.t) return sweep.hit(now);  // less than the last bit of the time is left
    now = sweep.sample(next);
  }
  return sweep.hit(now);
}

template Impact<2> conservative_advancement(const Moving<2>&, const Moving<2>&, const ImpactOptions<2>&);
template Impact<3> conservative_advancement(const Moving<3>&, const Moving<3>&, const ImpactOptions<3>&);

}  // namespace touchstone
