#pragma once
// Where a run parts from the reference, and whether that is an event to which the laws of contact allow several
// answers.
#include "study/compare/comparison.h"

namespace touchstone::compare {

inline constexpr double kParted = 1e-2;         // of a body's size: nearer is together
inline constexpr double kStepErrors = 3;        // times the step errors of both runs: what they may explain
inline constexpr std::size_t kEventFrames = 3;  // an event shows in the distance after so many frames at most

// The first frame in which a body that ends elsewhere (farther than kElsewhere of its size) is farther from the
// reference than kParted of its size and than the step errors of both runs explain. Both are followed in their finest
// runs; a run's step error at a frame is its distance from the run with twice its step. None: step errors explain all
// of it, or one of the two was not halved.
std::optional<Parting> find_parting(const SceneFacts& facts, const Halving& run, const Halving& reference);

}  // namespace touchstone::compare
