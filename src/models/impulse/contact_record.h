#pragma once
// A contact as the impulse model works on it: where it was at the start of the step, the law that holds, and what it
// carries from step to step. Letters: n from A to B, p impulse on B, s slip (tangential distance of the two material
// points since they stuck). Slips are small, and single precision has enough digits for them.
#include "models/contact_model.h"

namespace touchstone {

// What the points of two shapes with one normal share.
template <int D>
struct ContactSides {
  const PairMaterial* material = nullptr;  // of the scene
  Vec<D> skin = Vec<D>::Zero();            // velocity of B's skin relative to A's, tangential [m/s]
  // A smooth side's distance from its centre of curvature to the point [m]. That centre moves with the material, and
  // the point stays at this distance from it along the normal. 0 for other sides.
  double radius_a = 0, radius_b = 0;
  // How far the normal turns with A, and with B: it belongs to the side that has a face there.
  float normal_a = 0, normal_b = 0;
  Vec<D> edge_a = Vec<D>::Zero(),
         edge_b = Vec<D>::Zero();           // unit vectors, if edges cross: the normal stays across both
  float weight_a = 0.5f;                    // both are pushed at one point: how much of it is A's own, the rest is B's
  bool smooth_a = false, smooth_b = false;  // the point does not move with the material: it rolls
};

template <int D>
struct ContactRecord {
  const Contact<D>* contact = nullptr;  // as it was found; these two are kept by the list of contacts
  const ContactSides<D>* sides = nullptr;
  Vec<D> impulse = Vec<D>::Zero();           // of one substep: the guess that it starts from, and its result [N·s]
  Vec<D> total = Vec<D>::Zero();             // of the whole step, impacts included [N·s]
  SingleVec<D> slip = SingleVec<D>::Zero();  // [m]
  bool stuck = false;                        // marked: held by static friction
  bool rests = false;                        // does not slip at the start; only set where there are two coefficients
  bool idle = false;                         // the two stay apart within the substep: not laid out for the solver
};

// From the centres of mass, which were there when the contact was found, to the points of the two surfaces.
template <int D>
Vec<D> arm_of_a(const Contact<D>& c, std::span<const Vec<D>> position) {
  return c.point - 0.5 * c.gap * c.normal - position[c.body_a];
}
template <int D>
Vec<D> arm_of_b(const Contact<D>& c, std::span<const Vec<D>> position) {
  return c.point + 0.5 * c.gap * c.normal - position[c.body_b];
}

// The normal n after A and B have turned by 1 + turn_a and 1 + turn_b.
inline Vec<2> turned_normal(const ContactSides<2>& s, const Vec<2>& n, const Mat<2>& turn_a, const Mat<2>& turn_b) {
  return n + s.normal_a * (turn_a * n) + s.normal_b * (turn_b * n);
}
inline Vec<3> turned_normal(const ContactSides<3>& s, const Vec<3>& n, const Mat<3>& turn_a, const Mat<3>& turn_b) {
  const Vec<3> across = (s.edge_a + turn_a * s.edge_a).cross(s.edge_b + turn_b * s.edge_b);
  const double length = across.norm();
  if (length > 0) return across / (across.dot(n) < 0 ? -length : length);
  return n + s.normal_a * (turn_a * n) + s.normal_b * (turn_b * n);
}

// What is remembered of a contact that carried force, by key.
template <int D>
struct ContactMemory {
  std::uint64_t key = 0;
  std::uint32_t body_a = 0;
  std::uint32_t body_b : 31 = 0, stuck : 1 = 0;
  Vec<D> force = Vec<D>::Zero();  // the mean over the last substep [N]: the guess for the next one
  SingleVec<D> slip = SingleVec<D>::Zero();
  SingleVec<D> point = SingleVec<D>::Zero();  // from A's centre, in A's axes
  void serialize(Archive& ar) {
    std::uint32_t b = body_b;
    bool sticks = stuck;
    ar(key), ar(body_a), ar(b), ar(force), ar(slip), ar(point), ar(sticks);
    body_b = b & 0x7fffffff, stuck = sticks;
  }
};

// How a body has moved since the start of the step: dx of its centre, and two ways in which an arm r goes along as the
// body turns. `material` is R·R₀ᵀ − 1: material·r is where the material point went. `turned` is θ = ∫ω dt: θ×r is what
// passed by a point that stays at the same place of a smooth surface.
template <int D>
struct Displacement {
  Vec<D> dx = Vec<D>::Zero();
  Mat<D> material = Mat<D>::Zero();
  AngVec<D> turned = AngVec<D>::Zero();
};

}  // namespace touchstone
