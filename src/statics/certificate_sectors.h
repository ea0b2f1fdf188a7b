#pragma once
// Directions of sliding in the tree of modes of a certificate.
#include "statics/certificate_reader.h"

namespace touchstone::statics::certificate {

using Plane = std::array<Fraction, 2>;
inline Fraction turn(const Plane& a, const Plane& b) { return a[0] * b[1] - a[1] * b[0]; }
inline Fraction dot(const Plane& a, const Plane& b) { return a[0] * b[0] + a[1] * b[1]; }

// Fails unless the sectors fill the sector `within`, or the whole turn if there is none.
void check_sectors(const std::vector<Mode>& all, const Mode* within, std::size_t dimension, bool pyramid);

}  // namespace touchstone::statics::certificate
