#pragma once
// Exact mass, centre of mass and inertia of shapes and of their union by sum (overlaps count twice).
// In 2D a density is per area and the inertia is the polar one.
#include "geometry/shape.h"

namespace touchstone {

template <int D>
struct MassProperties {
  double mass = 0.0;
  Vec<D> center = Vec<D>::Zero();
  AngMat<D> inertia = AngMat<D>::Zero();  // about the centre, axes of the frame
};

// Whether the shape encloses something. A half-space, a height field and an open mesh do not.
template <int D>
bool has_volume(const Shape<D>& shape);

// Of one shape in its own frame. Throws for one without volume.
template <int D>
MassProperties<D> mass_properties(const Shape<D>& shape, double density);

// The same body seen from a frame in which the old frame has the given pose.
template <int D>
MassProperties<D> moved(const MassProperties<D>& properties, const Pose<D>& pose);

// Principal moments and the axes they belong to, in the frame of the properties. The frame's own axes where the inertia
// is diagonal in them (to 1e-12), so that an ordinary body keeps its frame.
template <int D>
struct PrincipalInertia {
  AngVec<D> moments;
  Rotation<D> axes;
};
template <int D>
PrincipalInertia<D> principal_inertia(const AngMat<D>& inertia);

template <int D>
MassProperties<D> combined(const MassProperties<D>& a, const MassProperties<D>& b);

// Throws Error unless mass > 0 and the inertia is symmetric, positive definite and, in 3D, its principal
// moments fulfil the triangle inequality: no distribution of mass has any other.
template <int D>
void check_physical(const MassProperties<D>& properties);

}  // namespace touchstone
