#pragma once
// The contact points of the penalty model: what they are made of, what they remember, and how bodies answer to them.
#include <cstdint>
#include <vector>

#include "base/archive.h"
#include "base/parallel.h"
#include "collision/contact.h"
#include "dynamics/bodies.h"

namespace touchstone {

// What a contact point keeps from one substep to the next.
template <int D>
struct StickMemory {
  std::uint64_t key;
  std::uint32_t body_a, body_b;
  Vec<D> slip;     // ξ [m], world axes
  double damping;  // k_d/k_p [s/m]
  bool sliding;
  void serialize(Archive& ar) { ar(key), ar(body_a), ar(body_b), ar(slip), ar(damping), ar(sliding); }
};

// How fast a unit impulse at the point moves it: in the worst direction at most (1/m + |r|²·‖I⁻¹‖), and exactly along
// the normal.
struct Response {
  double most = 0, normal = 0;
};

// A contact point at work. Points that do not touch have depth zero.
template <int D>
struct PointSpring {
  double shared_by = 1;                            // n_c
  const StickMemory<D>* memory = nullptr;          // of the substep before; null at first touch
  double stiffness = 0, tangential_stiffness = 0;  // of this point, shared
  double depth = 0, damping = 0, tangential_damping = 0;
  Response response_a, response_b;
  Vec<D> velocity = Vec<D>::Zero();  // u, with surface velocities
  Vec<D> slip = Vec<D>::Zero();
  Vec<D> force = Vec<D>::Zero();  // on B
  bool sliding = false;
};

// What every point of a body needs of it, worked out once a body instead of once a point.
template <int D>
class BodyCache {
 public:
  void update(const Bodies<D>& bodies, const State<D>& state, const Parallel& parallel);
  // Velocity of the body's skin against the body, in world axes: a conveyor's belt.
  const Vec<D>& skin(std::uint32_t body) const { return skin_[body]; }
  Response response(const Bodies<D>& bodies, const State<D>& state, std::uint32_t body, const Contact<D>& c) const;

 private:
  std::vector<AngMat<D>> inv_inertia_;  // world axes
  std::vector<Vec<D>> skin_;
};

// The slip vector follows the contact: tilted with the normal, turned with the mean spin of both bodies about it.
// spin: the sum of their angular velocities.
Vec<2> carried_slip(const Vec<2>& slip, const Vec<2>& normal, const AngVec<2>& spin, double h);
Vec<3> carried_slip(const Vec<3>& slip, const Vec<3>& normal, const Vec<3>& spin, double h);

}  // namespace touchstone
