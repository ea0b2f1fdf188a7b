#pragma once
// Reports of frames that are left out: what of them the next kept frame shows.
#include <vector>

namespace touchstone {

// Adds the report of a later frame: numbers are the later ones, but of each measure of the yardstick (with whose and
// when it was), of model_penetration and max_speed the greater one stays.
void merge_report(std::vector<double>& into, const std::vector<double>& later);

}  // namespace touchstone
