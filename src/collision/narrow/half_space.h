#pragma once
// A half-space against any shape: the shape's extreme points below the plane. Exact for every kind.
#include "collision/narrow/narrow.h"

namespace touchstone {

template <int D>
void half_space_against(const Placed<D>& half_space, const Placed<D>& other, double margin, ContactPoints<D>& out);

}  // namespace touchstone
