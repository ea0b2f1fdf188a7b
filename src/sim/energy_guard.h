#pragma once
// Tells a run whose energy has come from nowhere from one whose energy is accounted for (docs/conventions.md, "Steps
// that fail").
#include <algorithm>
#include <limits>

#include "base/archive.h"

namespace touchstone {

// The energy that a model has made since it last had the least, against the greatest energy in motion that the run had
// by right. Ten times that is the bound: below it a gain is a finding (sweeps that are cut short by intent make some),
// above it nothing of the motion is left that the laws explain.
class EnergyGuard {
 public:
  // made: StepReport::energy_made. law_gain: what impacts of this step gave under their law of restitution, which is a
  // finding and no failure. in_motion: kinetic energy with that of springs and contacts. All in J.
  void add(double made, double law_gain, double in_motion) {
    law_gain_ += law_gain;
    const double beyond = made - law_gain_;
    least_ = fresh_ ? beyond : std::min(least_, beyond);
    fresh_ = false;
    made_ = beyond - least_;
    by_right_ = std::max(by_right_, in_motion - made_);
  }
  static constexpr double kMostMade = 10;        // times the energy by right
  double made() const { return made_; }          // [J]
  double by_right() const { return by_right_; }  // [J]
  // Bodies were added, removed or put elsewhere: contacts start anew from here.
  void restart() { fresh_ = true; }
  void serialize(Archive& ar) { ar(least_), ar(law_gain_), ar(made_), ar(by_right_), ar(fresh_); }

 private:
  double least_ = 0, law_gain_ = 0, made_ = 0, by_right_ = 0;
  bool fresh_ = true;
};

}  // namespace touchstone
