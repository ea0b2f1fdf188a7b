// Robots are added to a world: their links become bodies, their coordinates a part of the state.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "dynamics/tree/kinematics.h"
#include "sim/world.h"

namespace touchstone {
namespace {

constexpr double kClosed = 1e-10;  // [m, rad] of equalities at the start
constexpr int kMostClosing = 100;

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

// Hulls of links reach into each other where the shapes themselves do not: pairs that overlap at the start never touch.
template <int D>
void World<D>::ignore_overlaps(const WorldRobot& robot) {
  const auto owns = [&](BodyId body) {
    return std::find(robot.slots.begin(), robot.slots.end(), body.index) != robot.slots.end();
  };
  for (const BodyOverlap& overlap : overlapping_bodies())
    if (owns(overlap.body_a) && owns(overlap.body_b)) set_pair_collision(overlap.body_a, overlap.body_b, false);
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
    for (const WorldRobot& other : robots_)
      if (other.name == out.name) bad(fmt::format("two robots are named '{}'", out.name));
    if (placement.coordinates == RobotCoordinates::kMaximal) return add_maximal_robot(given, placement);
    require_trees(*model_info_, out.name);
    const RobotDescription possible = with_possible_inertias(given);
    const RobotDescription robot = placement.floating ? with_floating_base(possible) : possible;
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
      out.joints.push_back({.name = robot.joints[j].name,
                            .first_q = tree.first_q[j],
                            .nq = static_cast<std::uint32_t>(coordinates_of(robot.joints[j].kind)),
                            .first_v = tree.first_v[j],
                            .nv = static_cast<std::uint32_t>(rates_of(robot.joints[j].kind))});
    out.nq = static_cast<std::uint32_t>(body.model.nq()), out.nv = static_cast<std::uint32_t>(body.model.nv());
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
    ignore_overlaps(robots_.back());
    return robots_.size() - 1;
  }
}

template std::size_t World<2>::add_robot(const RobotDescription&, const RobotPlacement&);
template std::size_t World<3>::add_robot(const RobotDescription&, const RobotPlacement&);
template void World<2>::drop_links(const std::vector<std::uint32_t>&);
template void World<3>::drop_links(const std::vector<std::uint32_t>&);
template void World<2>::ignore_overlaps(const WorldRobot&);
template void World<3>::ignore_overlaps(const WorldRobot&);
template void World<2>::write_tree(const TreeBody&);
template void World<3>::write_tree(const TreeBody&);

}  // namespace touchstone
