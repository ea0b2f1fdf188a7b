// Purpose: the narrow phase `vclip`: distance and penetration depth of two convex polyhedra with radii. The walk over
// pairs of features is in vclip_walk.cpp.
// Source: B. Mirtich, V-Clip: fast and robust polyhedral collision detection, ACM Transactions on Graphics 17 (1998).
// Letters: none.
// Deviations: 1. Penetration depth, which V-Clip does not give, comes from separating axes. 2. What two boxes remember
//   is tried in closed form before anything is prepared (kept_boxes.cpp).
// Fails: see vclip_walk.cpp and feature_walk.cpp; the answer is right in any case.
#include "collision/narrow/vclip.h"

#include "collision/narrow/feature_walk.h"
#include "collision/narrow/kept_boxes.h"

namespace touchstone {

bool vclip(const Placed<3>& a, const Placed<3>& b, double margin, PairMemory& memory, Closest<3>& out) {
  const bool remembered = memory.kind == PairMemory::Kind::kFeatures;
  if (remembered && both_boxes(a, b))
    if (const Kept kept = kept_box_features(a, b, margin, memory, 0, out); kept != Kept::kNo)
      return kept == Kept::kWithin;
  const CorePair<3> pair(a, b);
  out.iterations = 0;
  out.converged = true;
  memory.kind = PairMemory::Kind::kFeatures;
  const CoreAnswer<3> cores = closest_by_features(pair, margin + pair.radii(), memory, 0, remembered, out.iterations);
  return finish(a, pair, cores, margin, out);
}

}  // namespace touchstone
