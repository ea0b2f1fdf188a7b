// Purpose: the length of a substep of RK4 that keeps the energy.
// Method: joints do no work, so that the energy after a substep, less the work of forces, is that before. What differs
// is
//   the integrator's error, of order h⁶, and the substep is cut by its sixth root. The paper's steps of 1 turn bodies
//   by a tenth of a radian, at which RK4 loses 1e-7 of the energy each.
// Deviations: -
// Fails: an error that shorter substeps do not diminish is not the integrator's; the step goes on without cutting.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/lagrange/kinetic_energy.h"
#include "models/lagrange/lagrange_stepping.h"

namespace touchstone {

// What the integrator and the projection have made of the energy, besides the work of forces. Joints do none.
template <int D>
double Lagrange<D>::energy_error(const StepInput<D>& in, const State<D>& state) const {
  const double now = kinetic_energy_of(in.bodies, state) + potential_energy(in.bodies, state, in.forces);
  return std::abs(now - part_energy_ - trial_.work[ForceClass::kDrag] - trial_.work[ForceClass::kExternal]);
}

// The substep of RK4 is cut until it keeps the energy. Returns its length.
template <int D>
double Lagrange<D>::adapt(const StepInput<D>& in, State<D>& state) {
  constexpr double kRounding = 1e-13;  // of energies
  constexpr double kOrder = 1.0 / 6;   // a step of RK4 makes h⁶ of the energy
  constexpr int kMostCuts = 8;
  double h = in.h;
  const bool projected = options_.stage.stabilisation == Stabilisation::kProjection;
  if (in.integrator != Integrator::kRk4 || in.joints.empty() || in.forces.user || !projected || !adapts_) return h;
  double before = std::numeric_limits<double>::infinity();  // error over time
  for (int k = 0; k < kMostCuts && trial_.smooth; ++k) {
    const double allowed = options_.energy_tolerance * part_kinetic_ * (h / part_step_) +
                           kRounding * (part_kinetic_ + std::abs(part_energy_));
    const double error = energy_error(in, state);
    if (error <= allowed) break;
    adapts_ = error / h < 0.25 * before;  // otherwise it is not the integrator's, and shorter steps are in vain
    if (!adapts_) break;
    before = error / h;
    const double pieces = std::ceil(1.05 * std::pow(error / allowed, kOrder));
    h = h / std::clamp(pieces, 2.0, 16.0);
    state = start_;
    fly(in, h, state);
  }
  return h;
}

template double Lagrange<2>::energy_error(const StepInput<2>&, const State<2>&) const;
template double Lagrange<3>::energy_error(const StepInput<3>&, const State<3>&) const;
template double Lagrange<2>::adapt(const StepInput<2>&, State<2>&);
template double Lagrange<3>::adapt(const StepInput<3>&, State<3>&);

}  // namespace touchstone
