// Purpose: time of impact by halving. An interval is halved, the earlier half first, until it is known to be free or
//   its start touches.
// Source: [thompson2003, narrow phase: "binary search back in time over the last time step"]; [yang2020, time-step
//   control: bisection].
// Deviations: (1) both sources search only when the shapes overlap at the end of the step, and miss what went right
//   through; here every interval is searched that the bound of the gap's rate does not clear. (2) The end of the search
//   is a gap, not a time: what the caller wants is shapes that are close and free.
// Fails: kCapReached, with the time until which there is no contact.
#include "collision/toi/guarded_search.h"

namespace touchstone {

template <int D>
Impact<D> bisection(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options) {
  return guarded_search<D>(a, b, options, [](const Sweep<D>&, const Sample<D>& first, const Sample<D>& second) {
    return 0.5 * (first.t + second.t);
  });
}

template Impact<2> bisection(const Moving<2>&, const Moving<2>&, const ImpactOptions<2>&);
template Impact<3> bisection(const Moving<3>&, const Moving<3>&, const ImpactOptions<3>&);

}  // namespace touchstone
