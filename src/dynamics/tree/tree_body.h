#pragma once
// An articulated tree among the bodies of a world. Its coordinates and rates are part of the state; its links are
// bodies to everyone who looks, whose poses and velocities are written from them after each change.
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "dynamics/bodies.h"
#include "dynamics/tree/robot_tree.h"
#include "dynamics/tree/tree_data.h"

namespace touchstone {

// What drives a rate: Q = force + clamp(stiffness·(position − q) + damping·(speed − v)), the second part at the end of
// a step. Of a quaternion's rates only the damping acts.
struct RateDrive {
  double force = 0;                                            // [N·m], [N]
  double position = 0, speed = 0;                              // [rad], [m]; [rad/s], [m/s]
  double stiffness = 0, damping = 0;                           // [N·m/rad], [N/m]; [N·m·s/rad], [N·s/m]
  double max_force = std::numeric_limits<double>::infinity();  // of the second part
};

struct TreeBody {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::string name;
  std::vector<TreeLink> links;  // as they were given; `model` is made of them
  TreeModel model;
  std::vector<std::uint32_t> slot;  // body of a link, or kNone: it has neither mass nor shape
  std::vector<RateSpring> springs;  // by rate
  std::vector<TreeConstraint> constraints;
  std::vector<RateDrive> drives;           // by rate
  std::uint32_t first_q = 0, first_v = 0;  // in the state

  // Of those that its joints move.
  std::vector<std::uint32_t> bodies, body_links;

  std::span<const double> q(const State<3>& s) const { return std::span(s.q).subspan(first_q, model.nq()); }
  std::span<const double> v(const State<3>& s) const { return std::span(s.v).subspan(first_v, model.nv()); }
  std::span<double> q(State<3>& s) const { return std::span(s.q).subspan(first_q, model.nq()); }
  std::span<double> v(State<3>& s) const { return std::span(s.v).subspan(first_v, model.nv()); }
  // Fills `bodies` and `body_links` from slots and model.
  void find_bodies();
  void serialize(Archive& ar);
};

// Bodies of the tree to where q and v of the state put them. `data` is for the tree, and holds their kinematics then.
void write_bodies(const TreeBody& tree, const Bodies<3>& bodies, TreeData& data, State<3>& state);
// Of springs on coordinates, and of armatures, which the bodies' kinetic energy does not hold [J].
double tree_spring_energy(const TreeBody& tree, const State<3>& state);
double armature_energy(const TreeBody& tree, const State<3>& state);

}  // namespace touchstone
