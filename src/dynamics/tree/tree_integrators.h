#pragma once
// Purpose: steps of a tree without contacts, by four methods, on the manifold of its coordinates.
// Source: explicit Euler, semi-implicit Euler, the classical Runge-Kutta method in the increments of q [H. Munthe-Kaas,
//   Appl. Numer. Math. 29 (1999)]; implicit damping: (M + h·D)·(v⁺ − v) = h·(Q − c − D·v).
// Letters: D damping of the rates; Q forces on the rates; c forces of velocities and gravity.
// Fails: explicit damping is unstable from h·D beyond 2·M on; the check is the caller's.
#include <functional>
#include <span>
#include <vector>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

enum class TreeIntegrator : std::uint8_t { kExplicitEuler, kSemiImplicitEuler, kImplicitDamping, kRk4 };

// Adds to the forces on rates, at a time since the start of the step. Called once a stage.
using TreeForceLaw = std::function<void(double since_start, std::span<const double> q, std::span<const double> v,
                                        std::span<double> force)>;

class TreeStepper {
 public:
  explicit TreeStepper(const TreeModel& model);
  // q and v to the end of a step h. `law` may be empty. Damping of the model is included, dry friction and limits are
  // not.
  void step(const TreeModel& model, TreeData& data, TreeIntegrator integrator, const Vec<3>& gravity, double h,
            const TreeForceLaw& law, std::span<double> q, std::span<double> v);
  // The accelerations at q and v, with damping.
  void accelerations(const TreeModel& model, TreeData& data, const Vec<3>& gravity, double since_start,
                     const TreeForceLaw& law, std::span<const double> q, std::span<const double> v,
                     std::span<double> out, std::span<const double> added = {});

 private:
  void runge_kutta(const TreeModel& model, TreeData& data, const Vec<3>& gravity, double h, const TreeForceLaw& law,
                   std::span<double> q, std::span<double> v);

  std::vector<double> force_, a_, added_, stage_q_, stage_v_, increment_, rate_, sum_v_, sum_a_;
};

}  // namespace touchstone
