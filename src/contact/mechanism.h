#pragma once
// Bodies that move together with few degrees of freedom, as the links of an articulated tree do, seen from the contact
// side: one clique of generalised velocities v. What it takes is small: the joint-space inertia as an operator, and the
// velocities of its bodies as linear functions of v. Both are those of one instant.
#include <cstdint>
#include <span>

#include "dynamics/joints/joint.h"
#include "math/symmetric_operator.h"
#include "math/types.h"

namespace touchstone {

template <int D>
class Mechanism {
 public:
  virtual ~Mechanism() = default;
  // The slots of its bodies. They are dynamic bodies like others to everyone but builder and yardstick.
  virtual std::span<const std::uint32_t> bodies() const = 0;
  // The joint-space inertia, of as many numbers as v has.
  virtual const SymmetricOperator& mass() const = 0;
  // row += linear·∂(velocity of the body's centre of mass)/∂v + angular·∂(its angular velocity)/∂v, in world axes. With
  // a direction and its moment this is a row of a constraint; with an impulse on the body and its moment about the
  // centre of mass, the generalised impulse.
  virtual void add_row(std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular,
                       std::span<double> row) const = 0;
};

// How a mechanism enters a problem: generalised velocities at the start, and with all forces of h.
template <int D>
struct MechanismInput {
  const Mechanism<D>* mechanism = nullptr;
  std::span<const double> before, free;
};

// A row on the coordinates of one mechanism: a limit, a motor, dry friction, or a coupling of several coordinates.
struct CoordinateRow {
  std::uint32_t mechanism = 0;       // of the input's
  std::span<const double> jacobian;  // dC/dt = jacobian·v
  RowKind kind = RowKind::kEquality;
  double error = 0;                                            // C [m or rad]
  double target_speed = 0;                                     // motor [m/s or rad/s]
  double max_force = std::numeric_limits<double>::infinity();  // motor, friction [N or N·m]
};

}  // namespace touchstone
