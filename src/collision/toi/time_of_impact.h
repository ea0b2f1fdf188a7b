#pragma once
// When two moving shapes first touch. Three methods find the same time; a table gives them by name.
//
// Each body moves with constant velocity and constant angular velocity over the interval. The impact is the first time
// at which the gap has come down to `distance`; the answer is from the free side: the gap there is between `distance`
// and `distance + tolerance`, and no contact was passed before. A pass that comes nearer than distance + tolerance but
// not down to `distance` may be answered either way.
//
// Within distance + tolerance at the start: the pair touches. That is an impact at time 0 (kTouching) if the gap then
// shrinks, and none if it stays or grows; after they have parted by another `distance`, the next impact counts as any
// other. While they are parting, the gap may shrink by up to half of `distance` before it is called an impact, which
// is then dated back to the largest gap.
#include <span>
#include <string_view>

#include "collision/narrow/narrow.h"

namespace touchstone {

template <int D>
struct Moving {
  const Shape<D>& shape;
  Vec<D> p;  // of the shape's frame at time 0
  Mat<D> R;
  Vec<D> center = p;  // the point about which it turns, at time 0; it moves with the velocity
  Vec<D> velocity = Vec<D>::Zero();
  AngVec<D> angular_velocity = AngVec<D>::Zero();

  Placed<D> at(double time) const {
    const Mat<D> turn = matrix_of(exp_rotation(AngVec<D>(angular_velocity * time)));
    return {shape, center + velocity * time + turn * (p - center), turn * R};
  }
};

template <int D>
struct Impact {
  enum class Status : std::uint8_t {
    kNone,        // no impact within the duration
    kHit,         // at `time`
    kTouching,    // at time 0: they touch already, and approach
    kCapReached,  // the evaluations ran out; there is no impact before `time`
  };
  Status status = Status::kNone;
  double time = 0;      // [s]; the duration if there is none
  Closest<D> closest;   // at that time; not set if there is none
  int evaluations = 0;  // of the distance
  bool happened() const { return status == Status::kHit || status == Status::kTouching; }
};

template <int D>
struct ImpactOptions {
  double duration = 0;  // [s]
  // The gap at which the shapes are said to touch [m]. Negative: 1e-6 of the smaller shape's reach, which is far below
  // what can be seen; or, if that is more, ten times what distances of these shapes, at these coordinates, are known
  // to.
  double distance = -1;
  // How much more the gap may be when the search ends [m]. Negative: a tenth of the distance. It is raised to what
  // distances are known to.
  double tolerance = -1;
  int cap = 1000;                             // evaluations of the distance; a hit takes about 5 to 60
  ClosestRoutine<D> closest = closest_of<D>;  // the distance
};

template <int D>
using TimeOfImpact = Impact<D> (*)(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options);

template <int D>
Impact<D> bisection(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options);
template <int D>
Impact<D> regula_falsi(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options);
template <int D>
Impact<D> conservative_advancement(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options);

template <int D>
struct TimeOfImpactMethod {
  std::string_view name;
  TimeOfImpact<D> find;
};
// The default comes first.
template <int D>
std::span<const TimeOfImpactMethod<D>> time_of_impact_methods();
// Null if there is no method of that name.
template <int D>
TimeOfImpact<D> find_time_of_impact(std::string_view name);

}  // namespace touchstone
