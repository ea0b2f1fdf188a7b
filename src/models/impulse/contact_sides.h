#pragma once
// How two shapes are curved where they touch, which of them turns the normal, and the laws between them.
#include <span>

#include "models/impulse/contact_record.h"

namespace touchstone {

// Of a contact of bodies that are turned like this: how the sides are curved, and which turns the normal.
template <int D>
void describe_sides(const StepInput<D>& in, const State<D>& state, const Contact<D>& contact, const Mat<D>& rotation_a,
                    const Mat<D>& rotation_b, ContactSides<D>& sides);
// That, and everything else; rotation: of all bodies.
template <int D>
void describe_pair(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation,
                   const Contact<D>& contact, ContactSides<D>& sides);

}  // namespace touchstone
