#pragma once
// What a model gave up on a scene, in plain words: one table of rules with thresholds relative to the scene.
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
inline constexpr double kJointPosition = 1e-3;     // of the bodies' size
inline constexpr double kJointAngle = 1e-3;        // [rad]
inline constexpr double kElsewhere = 0.1;          // of the bodies' size
inline constexpr double kSlow = 10;                // times the fastest

// A rule looks at one run among the others and says a sentence if its threshold is passed.
struct Rule {
  const char* name;
  const char* threshold;                                                  // in words, for the docs and the JSON
  std::string (*say)(const Comparison& comparison, const ModelRun& run);  // "": nothing to say
  bool fault = true;  // breaks a law; otherwise it is worth knowing, and the model still held
};
std::span<const Rule> rules();

// Of the runs that are compared, in their order, the gravest rule first. A run that breaks no law has a sentence that
// says so before the others.
std::vector<Word> words_of(const Comparison& comparison);

// "3.1 mm", "4 µm/s": three digits and the prefix that fits. The unit is m, m/s, s, J or the like.
std::string with_unit(double value, const std::string& unit);
// "2 %", "0.013 %"
std::string percent(double fraction);

}  // namespace touchstone::compare
