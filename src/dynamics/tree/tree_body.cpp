#include "dynamics/tree/tree_body.h"

#include "base/archive.h"
#include "dynamics/tree/kinematics.h"

namespace touchstone {

static void serialize_fields(Archive& ar, Pose<3>& pose) { ar(pose.p), ar(pose.R); }
static void serialize_fields(Archive& ar, TreeLink& l) {
  ar(l.name), ar(l.parent), ar(l.joint), serialize_fields(ar, l.joint_in_parent), serialize_fields(ar, l.joint_in_link);
  ar(l.axis), ar(l.axis_b), ar(l.pitch), ar(l.reference), ar(l.rates), ar(l.mass), ar(l.center), ar(l.inertia);
  ar(l.inertia_axes);
}
static void serialize_fields(Archive& ar, TreeConstraint& c) {
  ar(c.kind), ar(c.a), ar(c.b), ar(c.point_a), ar(c.point_b), serialize_fields(ar, c.relative);
  ar(c.reference_a), ar(c.reference_b), ar(c.polynomial);
}

void TreeBody::serialize(Archive& ar) {
  ar(name), ar(links), ar(slot), ar(springs), ar(constraints), ar(drives), ar(first_q), ar(first_v);
  if (ar.saving()) return;
  const auto damaged = [](bool yes) {
    if (yes) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
  };
  for (const TreeLink& link : links) damaged(link.joint > TreeJoint::kFloating);
  for (const TreeConstraint& c : constraints) damaged(c.kind > TreeConstraint::Kind::kWeld);
  model = make_tree(links);
  damaged(slot.size() != model.size() || springs.size() != model.nv() || drives.size() != model.nv());
  TreeConstraints(model, constraints);
}

void TreeBody::find_bodies() {
  bodies.clear(), body_links.clear();
  for (std::uint32_t i = 0; i < model.size(); ++i) {
    if (slot[i] == kNone || last_rate(model, i) == TreeModel::kNone) continue;
    bodies.push_back(slot[i]), body_links.push_back(i);
  }
}

void write_bodies(const TreeBody& tree, const Bodies<3>& bodies, TreeData& data, State<3>& state) {
  place_links(tree.model, tree.q(state), data);
  move_links(tree.model, tree.v(state), data);
  for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
    const std::uint32_t slot = tree.bodies[k];
    const Pose<3> pose = link_pose(tree.model, data, tree.body_links[k]);
    state.orientation[slot] = compose(pose.R, bodies.axes[slot]);
    state.position[slot] = pose.p + state.orientation[slot] * bodies.center[slot];
    const Spatial v = velocity_at(data, tree.body_links[k], state.position[slot]);
    state.angular_velocity[slot] = v.head<3>(), state.velocity[slot] = v.tail<3>();
  }
}

double tree_spring_energy(const TreeBody& tree, const State<3>& state) {
  double sum = 0;
  for (std::size_t i = 0; i < tree.springs.size(); ++i) {
    if (tree.springs[i].stiffness == 0) continue;
    const double stretch = tree.q(state)[tree.model.coordinate[i]] - tree.springs[i].rest;
    sum += 0.5 * tree.springs[i].stiffness * stretch * stretch;
  }
  return sum;
}

double armature_energy(const TreeBody& tree, const State<3>& state) {
  double sum = 0;
  for (std::size_t i = 0; i < tree.model.nv(); ++i)
    sum += 0.5 * tree.model.rates[i].armature * tree.v(state)[i] * tree.v(state)[i];
  return sum;
}

}  // namespace touchstone
