#pragma once
// Two boxes in 3D.
#include "collision/narrow/narrow.h"

namespace touchstone {

void box_box(const Placed<3>& a, const Placed<3>& b, double margin, ContactPoints<3>& out);

}  // namespace touchstone
