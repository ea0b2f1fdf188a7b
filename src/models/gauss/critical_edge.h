#pragma once
// Which vertices of two convex polygons are held by which edge of the other one (§8.5).
#include "models/gauss/sidedness.h"

namespace touchstone {

// Of all pairs of bodies of a framework that are nearer than `margin` [m]; in the order of the pairs.
void critical_sides(const Framework<2>& framework, std::span<const Vec<2>> p, double margin,
                    std::vector<Sidedness<2>>& out);

// Of one pair, given by their outlines.
void add_critical_sides(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::span<const Vec<2>> p,
                        double margin, std::vector<Sidedness<2>>& out);

}  // namespace touchstone
