#pragma once
// What the scores of contacts add up to: worst, mean and where. The same for a solve of a world and for a problem.
#include "contact/contact_laws.h"
#include "touchstone/measures.h"

namespace touchstone {

// The worst, where it was, and the sum: a mean once it is divided. What is not a number is the worst of all, infinite:
// it must not look like no error.
void add_to_measure(Measure& m, double value, std::uint32_t a, std::uint32_t b);
void divide_measure(Measure& m, std::int64_t count);

// Adds one solve. least_speed: what errors of velocity are compared with, if nothing is faster [m/s]. Counts contacts
// that slide.
template <int D>
void add_scores(std::span<const ContactScore<D>> scores, double least_speed, StepMeasures& m, std::int64_t& sliding);

// Sums to means, of what add_scores adds.
void finish_scores(StepMeasures& m, std::int64_t sliding);

}  // namespace touchstone
