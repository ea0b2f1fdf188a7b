#pragma once
// What a model shows of one solve, for the yardstick: nothing that a solver thinks of itself, only contacts, the
// impulses that were applied and the velocities of the bodies and mechanisms around it. A step has one solve, or
// several (substeps, impacts).
#include <span>

#include "collision/contact.h"
#include "contact/materials.h"
#include "contact/mechanism.h"
#include "dynamics/bodies.h"

namespace touchstone {

template <int D>
struct Twist {
  Vec<D> linear = Vec<D>::Zero();         // of the centre of mass [m/s]
  AngVec<D> angular = AngVec<D>::Zero();  // [rad/s]
};

template <int D>
struct SolvedContact {
  Contact<D> contact;  // where it was, at the start of the solve
  PairMaterial material;
  Vec<D> impulse = Vec<D>::Zero();           // on B [N·s]
  Vec<D> surface_velocity = Vec<D>::Zero();  // of B's skin relative to A's, tangential: added to the bodies' velocity
  double restitution = 0;                    // as the model used it here: 0 below its threshold
  // With which a sticking contact is brought back to where it began to stick, tangential: asked for besides the law, as
  // the velocity that pushes a penetration out is.
  Vec<D> return_velocity = Vec<D>::Zero();
  bool course = false;  // an impact whose restitution and friction follow its course (impact_law.h)
};

// What a body received besides the impulses of contacts.
template <int D>
struct BodyImpulse {
  Vec<D> linear = Vec<D>::Zero();         // [N·s]
  AngVec<D> angular = AngVec<D>::Zero();  // about the centre of mass [N·m·s]
};

// A mechanism and its generalised velocities in a solve. Its bodies' own balance is none of their own: forces at its
// joints act on them that nobody reports.
template <int D>
struct SolvedMechanism {
  const Mechanism<D>* mechanism = nullptr;      // at the poses of the view
  std::span<const double> before, free, after;  // as those of the bodies
  std::span<const double> joints;               // generalised impulse besides that of contacts; or nothing
};

template <int D>
struct SolveView {
  bool impact = false;     // an instant: no force acts meanwhile, and an open gap does not close
  double time = 0, h = 0;  // h: how long the solve lasts; of an impact, the step that it is part of [s]
  const Bodies<D>& bodies;
  const State<D>& state;                          // poses at which the contacts hold; its velocities are not looked at
  std::span<const SolvedContact<D>> contacts;     // in the order of their keys
  std::span<const Twist<D>> before, free, after;  // one a body: at the start; with the other forces of h; solved
  std::span<const BodyImpulse<D>> joints = {};    // one a body, or none at all: of joints, in this solve
  std::span<const SolvedMechanism<D>> mechanisms = {};
  // The bodies whose velocities this solve may change, by slot; none: any body. A model that shows each collision of a
  // pair by itself names the pair, so that the cost of a collision does not grow with the scene.
  std::span<const std::uint32_t> moved = {};
};

// Calls visit(slot) for each dynamic body that the solve may move, in the order of the slots or of `moved`.
template <int D, class Visit>
void for_moved(const SolveView<D>& view, const Visit& visit) {
  if (view.moved.empty()) {
    for (std::uint32_t i = 0; i < view.bodies.size(); ++i)
      if (view.bodies.dynamic(i)) visit(i);
    return;
  }
  for (const std::uint32_t i : view.moved)
    if (view.bodies.dynamic(i)) visit(i);
}

template <int D>
class SolveObserver {
 public:
  virtual ~SolveObserver() = default;
  virtual void solved(const SolveView<D>& view) = 0;
};

}  // namespace touchstone
