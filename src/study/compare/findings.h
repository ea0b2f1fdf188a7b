#pragma once
// What a model did on a scene, as findings: one table of rules with thresholds relative to the scene.
#include <functional>
#include <span>

#include "study/compare/comparison.h"

namespace touchstone::compare {

// Thresholds, all relative; why: what a viewer of the scene or a reader of its numbers would notice.
inline constexpr double kPenetrationRatio = 1e-3;  // of the smaller body's size: a hair on a brick
inline constexpr double kThrough = 0.5;            // half of the smaller body: it is no longer on its side
inline constexpr double kCreep = 1e-6;             // of √(g·size): a brick of 0.2 m moves its length in two days
inline constexpr double kNaturalMap = 1e-3;        // mean, of the speed at hand: what iterative solvers reach
inline constexpr double kCone = 1e-3;              // of μ·N
inline constexpr double kFrictionAngle = 5e-2;     // mean [rad]: three degrees
inline constexpr double kPulling = 1e-3;           // of the lightest body's weight over a step
inline constexpr double kCorrection = 0.1;         // of √(g·size): a push that one sees
inline constexpr double kEnergyMade = 1e-2;        // of the energy in motion
inline constexpr double kEnergyDrift = 5e-2;       // the same; first-order integrators have h·g/v of it by nature
inline constexpr double kImpactGain = 1e-3;        // of the kinetic energy
inline constexpr double kMomentum = 1e-6;          // of the body's momentum: beyond rounding and substeps of RK4
inline constexpr double kJointPosition = 1e-3;     // of the smaller body's size
inline constexpr double kJointAngle = 1e-3;        // [rad]
inline constexpr double kGatheredSlip = 1e-3;      // of the smaller body's size
inline constexpr double kStepError = 1e-2;         // of the bodies' size: an end that is off by as much is worth a note
inline constexpr double kElsewhere = 0.1;          // the same: another end
inline constexpr double kSlow = 10;                // times the fastest

// A rule looks at one run among the others and finds something if its threshold is passed.
struct Rule {
  const char* kind;
  const char* threshold;  // as text, for the docs and the JSON
  std::optional<Finding> (*find)(const Comparison& comparison, const ModelRun& run);
  bool fault = true;  // breaks a law; otherwise it is worth knowing, and the model still kept the laws
};
std::span<const Rule> rules();

// Of the runs that are compared, in their order, the gravest rule first; sets their verdicts. A run that breaks no law
// has a finding of kind "kept" before the others.
std::vector<Finding> find_all(Comparison& comparison);

// Whether the run's end is farther from the reference's than kElsewhere.
bool ended_elsewhere(const Comparison& comparison, const ModelRun& run);

// One line: the models that were cut off by the budget, and where; "": none was.
std::string cut_off_text(const Comparison& comparison);

}  // namespace touchstone::compare
