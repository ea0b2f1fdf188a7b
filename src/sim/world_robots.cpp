// Robots of a world: their links become bodies, their coordinates a part of the state.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "contact/body_measures.h"
#include "dynamics/tree/coordinates.h"
#include "dynamics/tree/crba.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/sparse_inertia.h"
#include "sim/world.h"

namespace touchstone {
namespace {

constexpr double kClosed = 1e-10;  // [m, rad] of equalities at the start
constexpr int kMostClosing = 100;
constexpr double kPastLimit = 1e-9;  // [rad, m]: rounding of a coordinate at its limit

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

Pose<3> pose_of(const Placement& p) { return {p.position, p.orientation.normalized()}; }
Placement placement_of(const Pose<3>& pose) {
  Placement out;
  out.position = pose.p, out.orientation = pose.R;
  return out;
}

// The link that a link is rigidly connected to and that a joint moves, or kNone: the world.
std::uint32_t rigid_root(const TreeModel& model, std::uint32_t link) {
  for (std::int32_t i = static_cast<std::int32_t>(link); i >= 0; i = model.links[static_cast<std::size_t>(i)].parent)
    if (model.links[static_cast<std::size_t>(i)].nv > 0) return static_cast<std::uint32_t>(i);
  return TreeBody::kNone;
}
// The same above it: chains of joints without a body in between count as one joint.
std::uint32_t rigid_parent(const TreeModel& model, std::uint32_t root) {
  if (root == TreeBody::kNone) return TreeBody::kNone;
  std::int32_t i = model.links[root].parent;
  while (i >= 0 && model.links[static_cast<std::size_t>(i)].inertia.mass == 0 &&
         model.links[static_cast<std::size_t>(i)].nv > 0)
    i = model.links[static_cast<std::size_t>(i)].parent;
  return i < 0 ? TreeBody::kNone : rigid_root(model, static_cast<std::uint32_t>(i));
}

bool masks_meet(const RobotLink& a, const RobotLink& b) {
  for (const RobotShape& s : a.shapes)
    for (const RobotShape& t : b.shapes)
      if ((s.category & t.mask) || (t.category & s.mask)) return true;
  return false;
}

// Shapes of a link without mass belong to the link with mass that carries it rigidly, in whose frame they are given.
struct Carrier {
  std::size_t link = RobotLink::kWorld;  // of the robot; kWorld: the world
  Pose<3> pose;                          // of the massless link in it
};
Carrier carrier_of(const RobotDescription& robot, std::size_t index) {
  Carrier out{index, {}};
  while (out.link != RobotLink::kWorld && robot.links[out.link].mass == 0) {
    const RobotLink& link = robot.links[out.link];
    for (const std::size_t j : link.joints)
      if (robot.joints[j].kind != RobotJointKind::kFixed)
        throw Error(ErrorKind::kBadInput,
                    fmt::format("link '{}' has shapes but no mass, and joint '{}' moves it: give it a mass and an "
                                "inertia",
                                robot.links[index].name, robot.joints[j].name));
    const Pose<3> in_parent{link.pose.position, link.pose.orientation.normalized()};
    out.pose = {in_parent.p + in_parent.R * out.pose.p, in_parent.R * out.pose.R};
    out.link = link.parent;
  }
  return out;
}

ShapeDescription carried(const ShapeDescription& shape, const Pose<3>& pose) {
  ShapeDescription out = shape;
  out.placement.position = pose.p + pose.R * shape.placement.position;
  out.placement.orientation = (pose.R * shape.placement.orientation).normalized();
  return out;
}

}  // namespace

template <int D>
const WorldRobot& World<D>::robot(std::size_t index) const {
  if (index >= robots_.size()) bad(fmt::format("there is no robot {}; the world has {}", index, robots_.size()));
  return robots_[index];
}

template <int D>
void World<D>::refuse_if_link(std::uint32_t slot, const char* what) const {
  for (const WorldRobot& robot : robots_)
    if (std::find(robot.slots.begin(), robot.slots.end(), slot) != robot.slots.end())
      bad(fmt::format("body '{}' cannot be {}: it is a link of the robot '{}'; set the robot's joints instead",
                      bodies_.name[slot], what, robot.name));
}

template <int D>
double World<D>::tree_energy() const {
  double sum = 0;
  if constexpr (D == 3)
    for (const TreeBody& tree : trees_) sum += armature_energy(tree, state_) + tree_spring_energy(tree, state_);
  return sum;
}

template <int D>
double World<D>::total_energy() const {
  const BodyMeasures m = measure_bodies(bodies_, state_, forces_.gravity);
  return m.kinetic_energy + m.gravity_energy + spring_energy(forces_, state_) + tree_energy();
}

template <int D>
void World<D>::write_tree(const TreeBody& tree) {
  if constexpr (D == 3) {
    TreeData data(tree.model);
    write_bodies(tree, bodies_, data, state_);
  }
}

// Bodies of the links, where the robot's reference puts them.
template <int D>
void World<D>::add_links(const RobotDescription& robot, const RobotPlacement& placement, const RobotTree& tree,
                         WorldRobot& out, TreeBody& body) {
  std::vector<BodyDescription> bodies(robot.links.size());
  TreeData data(body.model);
  place_links(body.model, body.model.neutral(), data);
  const auto add_shapes = [&](const RobotLink& link, const Carrier& carrier, BodyDescription& to) {
    for (const RobotShape& shape : link.shapes)
      if (shape.category || shape.mask) to.shapes.push_back(carried(shape.shape, carrier.pose));
  };
  BodyDescription world;
  add_shapes(robot.world, {}, world);
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    if (link.shapes.empty()) continue;
    const Carrier carrier = carrier_of(robot, i);
    add_shapes(link, carrier, carrier.link == RobotLink::kWorld ? world : bodies[carrier.link]);
  }
  const auto add = [&](BodyDescription& d, const std::string& name) {
    d.name = out.name + "/" + name;
    d.material = placement.material;
    return add_body(d).index;
  };
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    out.links.push_back(link.name);
    out.slots.push_back(TreeBody::kNone);
    if (link.mass == 0) continue;
    BodyDescription& d = bodies[i];
    d.placement = placement_of(link_pose(body.model, data, tree.link_of[i]));
    d.kind = last_rate(body.model, tree.link_of[i]) == TreeModel::kNone ? BodyKind::kStatic : BodyKind::kDynamic;
    d.mass = link.mass, d.inertia = link.inertia, d.center_of_mass = link.center_of_mass;
    d.gravity_scale = link.gravity_scale;
    if (d.kind == BodyKind::kStatic) d.mass.reset(), d.inertia.reset();
    out.slots[i] = body.slot[tree.link_of[i]] = add(d, link.name);
  }
  if (world.shapes.empty()) return;
  world.kind = BodyKind::kStatic;
  world.placement = placement.base;
  out.links.push_back("world");
  out.slots.push_back(add(world, "world"));
}

template <int D>
void World<D>::drop_links(const std::vector<std::uint32_t>& slots) {
  for (const std::uint32_t slot : slots)
    if (slot != TreeBody::kNone) remove_body(id_of(slot));
}

// Pairs that do not touch: rigidly connected links, a link and its parent, exclusions, shapes whose masks do not meet.
template <int D>
void World<D>::ignore_within(const RobotDescription& robot, const RobotPlacement& placement, const WorldRobot& out,
                             const TreeBody& body) {
  const auto excluded = [&](std::size_t a, std::size_t b) {
    return std::any_of(robot.exclusions.begin(), robot.exclusions.end(), [&](const RobotExclusion& e) {
      return (e.link_a == a && e.link_b == b) || (e.link_a == b && e.link_b == a);
    });
  };
  const auto tree_link = [&](std::size_t link) {
    const auto place = std::find(body.slot.begin(), body.slot.end(), out.slots[link]);
    return static_cast<std::uint32_t>(place - body.slot.begin());
  };
  for (std::size_t a = 0; a < robot.links.size(); ++a) {
    for (std::size_t b = a + 1; b < robot.links.size(); ++b) {
      if (out.slots[a] == TreeBody::kNone || out.slots[b] == TreeBody::kNone) continue;
      const std::uint32_t root_a = rigid_root(body.model, tree_link(a)), root_b = rigid_root(body.model, tree_link(b));
      const bool joined = rigid_parent(body.model, root_b) == root_a || rigid_parent(body.model, root_a) == root_b;
      if (!placement.self_collision || root_a == root_b || (joined && !robot.parents_collide) || excluded(a, b) ||
          !masks_meet(robot.links[a], robot.links[b]))
        set_pair_collision(id_of(out.slots[a]), id_of(out.slots[b]), false);
    }
    for (std::size_t w = robot.links.size(); w < out.slots.size(); ++w)
      if (out.slots[a] != TreeBody::kNone && excluded(a, RobotLink::kWorld))
        set_pair_collision(id_of(out.slots[a]), id_of(out.slots[w]), false);
  }
}

// The state at the start: keyframe or reference, then limits, then equalities.
template <int D>
void World<D>::start_robot(const RobotDescription& robot, const RobotPlacement& placement, TreeBody& body) {
  if constexpr (D == 3) {
    std::vector<double> q = body.model.neutral(), v(body.model.nv(), 0.0);
    if (!placement.keyframe.empty()) {
      const auto place = robot.find_keyframe(placement.keyframe);
      std::vector<std::string> names;
      for (const RobotKeyframe& k : robot.keyframes) names.push_back(k.name);
      if (!place)
        bad(fmt::format("robot '{}' has no keyframe '{}'{}", body.name, placement.keyframe,
                        did_you_mean(placement.keyframe, names)));
      const RobotKeyframe& key = robot.keyframes[*place];
      if (!key.q.empty()) q = key.q;
      if (!key.v.empty()) v = key.v;
      if (q.size() != body.model.nq() || v.size() != body.model.nv())
        bad(fmt::format("keyframe '{}' has {} coordinates and {} rates, but robot '{}' has {} and {}", key.name,
                        q.size(), v.size(), body.name, body.model.nq(), body.model.nv()));
    }
    for (std::size_t i = 0; i < body.model.nv(); ++i)
      if (const std::uint32_t at = body.model.coordinate[i]; at != TreeModel::kNone)
        q[at] = std::clamp(q[at], body.model.rates[i].lower, body.model.rates[i].upper);
    TreeData data(body.model);
    TreeConstraints constraints(body.model, body.constraints);
    if (!constraints.close(body.model, data, kClosed, kMostClosing, q))
      bad(fmt::format("the equalities of robot '{}' cannot be met at its start: they are open by {:.3g} m or rad",
                      body.name, constraints.error().cwiseAbs().maxCoeff()));
    state_.q.insert(state_.q.end(), q.begin(), q.end());
    state_.v.insert(state_.v.end(), v.begin(), v.end());
  }
}

template <int D>
std::size_t World<D>::add_robot(const RobotDescription& given, const RobotPlacement& placement) {
  if constexpr (D == 2) {
    throw Error(ErrorKind::kUnsupported, fmt::format("robot '{}' needs a 3D world", given.name));
  } else {
    refuse_in_step("adding a robot");
    WorldRobot out;
    out.name = placement.name.empty() ? given.name : placement.name;
    require_trees(*model_info_, out.name);
    for (const WorldRobot& other : robots_)
      if (other.name == out.name) bad(fmt::format("two robots are named '{}'", out.name));
    const RobotDescription robot = placement.floating ? with_floating_base(given) : given;
    const RobotTree tree = make_robot_tree(robot, pose_of(placement.base));
    TreeBody body;
    body.name = out.name;
    body.links = tree.links, body.springs = tree.springs, body.constraints = tree.constraints;
    body.model = make_tree(body.links);
    if (body.model.nv() > 0 && !(body.model.mass() > 0))
      bad(fmt::format("robot '{}' has joints, but none of its links has a mass", out.name));
    body.slot.assign(body.model.size(), TreeBody::kNone);
    body.drives.assign(body.model.nv(), RateDrive{});
    body.first_q = static_cast<std::uint32_t>(state_.q.size());
    body.first_v = static_cast<std::uint32_t>(state_.v.size());
    for (std::size_t j = 0; j < robot.joints.size(); ++j)
      out.joints.push_back({robot.joints[j].name, tree.first_q[j],
                            static_cast<std::uint32_t>(coordinates_of(robot.joints[j].kind)), tree.first_v[j],
                            static_cast<std::uint32_t>(rates_of(robot.joints[j].kind))});
    model_->check_tree(body);
    const double before = total_energy(), start = start_energy_;
    try {
      add_links(robot, placement, tree, out, body);
      body.find_bodies();
      ignore_within(robot, placement, out, body);
      start_robot(robot, placement, body);
    } catch (...) {
      drop_links(out.slots);
      start_energy_ = start;
      throw;
    }
    write_tree(body);
    robots_.push_back(std::move(out));
    trees_.push_back(std::move(body));
    model_->forget_joints();
    start_energy_ = start + total_energy() - before;
    guard_.restart();
    queries_.invalidate();
    return robots_.size() - 1;
  }
}

template <int D>
void World<D>::set_robot_state(std::size_t index, std::span<const double> q, std::span<const double> v) {
  refuse_in_step("setting a state");
  const WorldRobot& named = robot(index);
  const TreeBody& tree = trees_[index];
  if (q.size() != tree.model.nq() || v.size() != tree.model.nv())
    bad(fmt::format("robot '{}' has {} coordinates and {} rates, not {} and {}", named.name, tree.model.nq(),
                    tree.model.nv(), q.size(), v.size()));
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(q.begin(), q.end(), finite) || !std::all_of(v.begin(), v.end(), finite))
    bad(fmt::format("robot '{}': its coordinates and rates must be finite", named.name));
  for (const WorldRobot::Joint& joint : named.joints)
    for (std::uint32_t k = 0; k < joint.nv; ++k) {
      const std::uint32_t at = tree.model.coordinate[joint.first_v + k];
      const TreeRate& rate = tree.model.rates[joint.first_v + k];
      if (at == TreeModel::kNone || (q[at] >= rate.lower - kPastLimit && q[at] <= rate.upper + kPastLimit)) continue;
      bad(fmt::format("joint '{}' of robot '{}' has limits from {} to {}; its coordinate cannot be {}", joint.name,
                      named.name, rate.lower, rate.upper, q[at]));
    }
  if constexpr (D == 3) {
    const double before = total_energy();
    const std::vector<double> still(tree.model.nv(), 0.0);
    move_coordinates(tree.model, q, still, 0.0, tree.q(state_));  // with quaternions of unit length
    std::copy(v.begin(), v.end(), tree.v(state_).begin());
    write_tree(tree);
    for (const std::uint32_t slot : tree.bodies) model_->forget(slot);
    start_energy_ += total_energy() - before;
    guard_.restart();
    queries_.invalidate();
    yardstick_.forget_slips();
  }
}

template <int D>
void World<D>::set_robot_drive(std::size_t index, std::string_view name, std::span<const RobotDrive> drives) {
  refuse_in_step("setting a drive");
  const WorldRobot& named = robot(index);
  const auto joint =
      std::find_if(named.joints.begin(), named.joints.end(), [&](const auto& j) { return j.name == name; });
  std::vector<std::string> names;
  for (const WorldRobot::Joint& j : named.joints) names.push_back(j.name);
  if (joint == named.joints.end())
    bad(fmt::format("robot '{}' has no joint '{}'{}", named.name, name, did_you_mean(name, names)));
  if (drives.size() != joint->nv)
    bad(fmt::format("joint '{}' of robot '{}' has {} rates, but {} drives are given", name, named.name, joint->nv,
                    drives.size()));
  for (const RobotDrive& d : drives) {
    if (!std::isfinite(d.force) || !std::isfinite(d.position) || !std::isfinite(d.speed))
      bad(fmt::format("joint '{}': force, position and speed of its drive must be finite", name));
    if (!(d.stiffness >= 0 && std::isfinite(d.stiffness) && d.damping >= 0 && std::isfinite(d.damping)) ||
        !(d.max_force >= 0))
      bad(fmt::format("joint '{}': stiffness, damping and greatest force of its drive must not be negative", name));
  }
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const RobotDrive& d = drives[k];
    trees_[index].drives[joint->first_v + k] = {d.force, d.position, d.speed, d.stiffness, d.damping, d.max_force};
  }
  for (const std::uint32_t slot : trees_[index].bodies) model_->disturb(slot);
}

template <int D>
void World<D>::serialize_robots(Archive& ar) {
  ar(robots_), ar(trees_);
  if (ar.saving()) return;
  bool fine = robots_.size() == trees_.size() && (D == 3 || trees_.empty());
  std::size_t q = 0, v = 0;
  for (std::size_t i = 0; fine && i < trees_.size(); ++i) {
    TreeBody& tree = trees_[i];
    const auto exists = [&](std::uint32_t slot) {
      return slot == TreeBody::kNone || (slot < bodies_.size() && bodies_.alive[slot]);
    };
    fine &= std::all_of(tree.slot.begin(), tree.slot.end(), exists);
    fine &= std::all_of(robots_[i].slots.begin(), robots_[i].slots.end(), exists);
    fine &= robots_[i].slots.size() == robots_[i].links.size() && tree.first_q == q && tree.first_v == v;
    for (const WorldRobot::Joint& j : robots_[i].joints)
      fine &= j.first_q <= tree.model.nq() && j.nq <= tree.model.nq() - j.first_q && j.first_v <= tree.model.nv() &&
              j.nv <= tree.model.nv() - j.first_v;
    tree.find_bodies();
    q += tree.model.nq(), v += tree.model.nv();
  }
  if (!fine || state_.q.size() != q || state_.v.size() != v)
    throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                         \
  template const WorldRobot& World<D>::robot(std::size_t) const;                                          \
  template void World<D>::refuse_if_link(std::uint32_t, const char*) const;                               \
  template double World<D>::tree_energy() const;                                                          \
  template std::size_t World<D>::add_robot(const RobotDescription&, const RobotPlacement&);               \
  template void World<D>::set_robot_state(std::size_t, std::span<const double>, std::span<const double>); \
  template void World<D>::set_robot_drive(std::size_t, std::string_view, std::span<const RobotDrive>);    \
  template void World<D>::serialize_robots(Archive&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
