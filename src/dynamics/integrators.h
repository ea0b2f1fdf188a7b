#pragma once
// Time integration of free rigid bodies under given forces.
//
// Letters: x position, v velocity, R orientation, ω angular velocity, L = I·ω angular momentum, τ torque.
// - explicit Euler [thompson2003, eqs 11-12, with Δt]: x and R with the old v and ω, ω by Euler's equation.
// - semi-implicit Euler: v first, then x with the new v. The angular momentum is advanced, L += hτ, and R then turns
//   freely (free_turn.h): without torque L and the energy are kept to rounding, which ω += hI⁻¹(τ − ω×Iω) does not do.
// - RK4 [thompson2003, eq 13]: classical in x, v and L; in R as Runge-Kutta-Munthe-Kaas, that is, in the
//   rotation vector of the step with the truncated inverse of the exponential's tangent.
#include <vector>

#include "base/archive.h"
#include "dynamics/forces.h"

namespace touchstone {

// Where an integrator gets its forces from. `stage` counts the evaluations within a step from 0; the state's
// kinematic bodies are set to `time` before.
template <int D>
class ForceSource {
 public:
  virtual ~ForceSource() = default;
  virtual void set_kinematic(double time, State<D>& state) = 0;
  // Before the forces of a stage of RK4 after the first: a source with constraints may move the bodies to where these
  // hold. With f the slopes and P that map, the method then integrates f∘P. It agrees with f where the constraints
  // hold, so that solutions that start there, and the order, stay.
  virtual void hold(State<D>&) {}
  virtual void evaluate(double time, int stage, double since_start, const State<D>& state, WrenchSet<D>& out) = 0;
};

// Work done on the bodies [J], by class of force and by the classes below, which no wrench belongs to. Joint: of the
// constraint forces of joints. Motor: of their motors. Driven: put in by prescribed bodies and belts, through contacts
// and joints. Correction: potential energy from moving bodies apart, or joints together, without a force.
enum class WorkClass : std::size_t { kJoint = kForceClasses, kMotor, kDriven, kCorrection };
inline constexpr std::size_t kWorkClasses = kForceClasses + 4;
class WorkByClass {
 public:
  double& operator[](std::size_t c) { return work_[c]; }
  double& operator[](ForceClass c) { return work_[static_cast<std::size_t>(c)]; }
  double& operator[](WorkClass c) { return work_[static_cast<std::size_t>(c)]; }
  double operator[](ForceClass c) const { return work_[static_cast<std::size_t>(c)]; }
  double operator[](WorkClass c) const { return work_[static_cast<std::size_t>(c)]; }
  WorkByClass& operator+=(const WorkByClass& other) {
    for (std::size_t c = 0; c < kWorkClasses; ++c) work_[c] += other.work_[c];
    return *this;
  }
  // Of all classes but the conservative one, whose work is in the potential energy.
  double sum() const {
    double out = 0;
    for (std::size_t c = 1; c < kWorkClasses; ++c) out += work_[c];
    return out;
  }
  void serialize(Archive& ar) { ar(work_); }

 private:
  std::array<double, kWorkClasses> work_{};
};

template <int D>
struct IntegratorWorkspace {
  WrenchSet<D> wrenches;
  State<D> start;
  std::vector<AngVec<D>> momentum;  // L at the start
  struct Slope {
    Vec<D> x, v;
    AngVec<D> r, l;
  };
  std::vector<Slope> slope, sum;
};

// Advances dynamic bodies from `time` by h and kinematic ones to time + h; adds to `work`.
template <int D>
void integrate(Integrator method, const Bodies<D>& bodies, double time, double h, ForceSource<D>& source,
               State<D>& state, IntegratorWorkspace<D>& workspace, const Parallel& parallel, WorkByClass& work);

// Dynamic bodies go on for h as they are, without force: straight, and turning freely (free_turn.h), with their angular
// momentum and their energy kept.
template <int D>
void coast(const Bodies<D>& bodies, double h, State<D>& state, const Parallel& parallel);
// One of them, which turns by this rotation vector.
template <int D>
void coast_body(const Bodies<D>& bodies, std::size_t i, double h, const AngVec<D>& turn, State<D>& state) {
  const AngVec<D> momentum =
      apply_moments(frame_of(state.orientation[i]), bodies.inertia[i], state.angular_velocity[i]);
  state.position[i] += h * state.velocity[i];
  state.orientation[i] = rotate_by(turn, state.orientation[i]);
  state.angular_velocity[i] = apply_moments(frame_of(state.orientation[i]), bodies.inv_inertia[i], momentum);
}

// The kernels of the two Euler methods over all bodies (euler_kernels.cpp); the wrench is held over the step. An empty
// list: no forces act.
template <int D>
void explicit_euler(const Bodies<D>& bodies, const std::vector<Wrench<D>>& wrench, double h, State<D>& state,
                    const Parallel& parallel);
template <int D>
void semi_implicit_euler(const Bodies<D>& bodies, const std::vector<Wrench<D>>& wrench, double h, State<D>& state,
                         const Parallel& parallel);
template <>
void explicit_euler(const Bodies<2>&, const std::vector<Wrench<2>>&, double, State<2>&, const Parallel&);
template <>
void explicit_euler(const Bodies<3>&, const std::vector<Wrench<3>>&, double, State<3>&, const Parallel&);
template <>
void semi_implicit_euler(const Bodies<2>&, const std::vector<Wrench<2>>&, double, State<2>&, const Parallel&);
template <>
void semi_implicit_euler(const Bodies<3>&, const std::vector<Wrench<3>>&, double, State<3>&, const Parallel&);

}  // namespace touchstone
