#pragma once
// What the methods share: the gap of two moving shapes at a time, and how fast it can fall from there.
#include "collision/toi/fall_bound.h"

namespace touchstone {

template <int D>
struct Sample {
  double t = 0;
  Closest<D> closest;
  // Greatest fall of the gap per second: going on in time, and going back [m/s].
  double forward = 0, backward = 0;
  double gap() const { return closest.gap; }
};

template <int D>
class Sweep {
 public:
  Sweep(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options);

  Sample<D> sample(double t);
  bool exhausted() const { return evaluations_ >= cap_; }
  // Deals with shapes that never come near, and with those that touch at the start. True: `out` is the answer. False:
  // `start` is where to search from, with a gap above distance + tolerance.
  bool begin(Sample<D>& start, Impact<D>& out);
  // Whether the gap certainly stays above `distance` between the two, which are above it.
  bool free_between(const Sample<D>& first, const Sample<D>& second);
  // How long the gap certainly stays above `distance` [s].
  double free_for(const Sample<D>& s) { return time_to_fall(s, s.gap() - distance, 1); }
  bool touches(const Sample<D>& s) const { return s.gap() <= distance + tolerance; }

  Impact<D> none() const { return {Impact<D>::Status::kNone, duration, {}, evaluations_}; }
  Impact<D> hit(const Sample<D>& s) const { return {Impact<D>::Status::kHit, s.t, s.closest, evaluations_}; }
  Impact<D> capped(const Sample<D>& s) const { return {Impact<D>::Status::kCapReached, s.t, s.closest, evaluations_}; }

  double duration = 0, distance = 0, tolerance = 0;

 private:
  double time_to_fall(const Sample<D>& s, double height, double sense);
  void add_body(const Moving<D>& body, double t, const Vec<D>& outward, double sense, double arm);
  double fall_rate(const Vec<D>& normal, double sense) const;
  bool part(Sample<D>& start, Impact<D>& out);

  const Moving<D>&a_, &b_;
  ClosestRoutine<D> closest_;
  PairMemory memory_;
  Vec<D> relative_velocity_;
  double arm_a_ = 0, arm_b_ = 0;  // how far a core reaches from the axis that its body turns about [m]
  double greatest_rate_ = 0;      // of the fall of the gap, whatever the normal [m/s]
  bool directed_ = true;          // whether the gap along a fixed normal bounds the gap: convex shapes
  bool surface_ = false;          // one is a surface made of pieces
  double sight_ = 0;              // gaps beyond this are not worked out [m]
  FallBound<D>& fall_;            // of this thread: it keeps its memory
  int evaluations_ = 0, cap_ = 0;
};

}  // namespace touchstone
