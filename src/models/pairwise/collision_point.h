#pragma once
// A contact point that takes impulses one at a time: arms, axes and how its relative velocity answers to an impulse.
// Impulses and velocities of a point are in its axes: the normal first, then the tangents.
#include <algorithm>
#include <span>

#include "contact/contact_frame.h"
#include "contact/solve_view.h"

namespace touchstone {

template <int D>
struct CollisionPoint {
  std::uint32_t contact = 0;  // its place in the list of contacts
  std::uint32_t a = 0, b = 0;
  std::uint64_t pair = 0;      // the same for all points of two colliders
  Vec<D> arm_a, arm_b;         // from the centres of mass
  Mat<D> axes;                 // as columns
  AngVec<D> lever_a, lever_b;  // arm × normal: what turning adds to the normal velocity
  Mat<D> k;                    // K: u⁺ = u + K·p
  Vec<D> skin;                 // velocity of B's surface against A's, beyond that of the bodies
  double gap = 0;              // at the start of the step [m]
  PairMaterial material;

  Vec<D> velocity(const Twist<D>& of_a, const Twist<D>& of_b) const {
    return axes.transpose() *
               Vec<D>(of_b.linear + cross(of_b.angular, arm_b) - of_a.linear - cross(of_a.angular, arm_a)) +
           skin;
  }
};

// What all points of a step need to know of the bodies.
template <int D>
struct Inertias {
  std::span<const double> inv_mass;
  std::span<const AngMat<D>> inv_inertia;  // world axes
};

// K if only some of the two bodies give way [mirtich1996, eq 3.4; guendelman2003, §6].
template <int D>
Mat<D> response_of(const CollisionPoint<D>& point, const Inertias<D>& inertias, bool moves_a, bool moves_b) {
  Mat<D> world = Mat<D>::Zero();
  const auto add = [&](std::uint32_t body, const Vec<D>& arm) {
    world += inertias.inv_mass[body] * Mat<D>::Identity();
    for (int j = 0; j < D; ++j) {
      const AngVec<D> turn = inertias.inv_inertia[body] * torque_of(arm, Vec<D>(Vec<D>::Unit(j)));
      world.col(j) += cross(turn, arm);
    }
  };
  if (moves_a) add(point.a, point.arm_a);
  if (moves_b) add(point.b, point.arm_b);
  return point.axes.transpose() * world * point.axes;
}

// Where a gap will have closed: on the body that moves, if it is one alone.
template <int D>
Vec<D> meeting_point(const Contact<D>& c, std::span<const double> inv_mass) {
  const double to_b = (inv_mass[c.body_b] > 0 ? 0.5 : 0.0) - (inv_mass[c.body_a] > 0 ? 0.5 : 0.0);
  return c.point + to_b * std::max(c.gap, 0.0) * c.normal;
}

template <int D>
CollisionPoint<D> make_point(const SolvedContact<D>& solved, std::uint32_t index, const State<D>& state,
                             const Inertias<D>& inertias) {
  const Contact<D>& c = solved.contact;
  const Vec<D> meets = meeting_point(c, inertias.inv_mass);
  CollisionPoint<D> p;
  p.contact = index;
  p.a = c.body_a, p.b = c.body_b;
  p.pair = c.key >> 16;
  p.arm_a = meets - state.position[c.body_a], p.arm_b = meets - state.position[c.body_b];
  p.axes = frame_of_normal(c.normal);
  p.lever_a = torque_of(p.arm_a, c.normal), p.lever_b = torque_of(p.arm_b, c.normal);
  p.skin = p.axes.transpose() * solved.surface_velocity;
  p.gap = c.gap;
  p.material = solved.material;
  p.k = response_of(p, inertias, true, true);
  return p;
}

// An impulse on B, the opposite on A, as far as they give way.
template <int D>
void push(const CollisionPoint<D>& point, const Inertias<D>& inertias, const Vec<D>& impulse, bool moves_a,
          bool moves_b, Twist<D>& of_a, Twist<D>& of_b) {
  const Vec<D> world = point.axes * impulse;
  if (moves_a) {
    of_a.linear -= inertias.inv_mass[point.a] * world;
    of_a.angular -= inertias.inv_inertia[point.a] * torque_of(point.arm_a, world);
  }
  if (moves_b) {
    of_b.linear += inertias.inv_mass[point.b] * world;
    of_b.angular += inertias.inv_inertia[point.b] * torque_of(point.arm_b, world);
  }
}

}  // namespace touchstone
