#pragma once
// Purpose: poses, velocities and Jacobians of the links of a tree.
// Source: [R. Featherstone, Rigid Body Dynamics Algorithms, 2008, §3.4, §4.4], in world axes about a point of each
// link,
//   so that going from link to link is a shift.
// Letters: S column of a rate; v = v_parent + Σ S·q̇; c = Σ Ṡ·q̇ with Ṡ = v×S of the link that the column is fixed to.
#include <Eigen/Core>
#include <span>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// q → p, arm, R, column, inertia.
void place_links(const TreeModel& model, std::span<const double> q, TreeData& data);
// v → velocity, bias; after place_links().
void move_links(const TreeModel& model, std::span<const double> v, TreeData& data);

// The pose of a link's own frame, after place_links(), and its velocity there (that of the frame's origin) or of any
// point in the world, after move_links().
Pose<3> link_pose(const TreeModel& model, const TreeData& data, std::size_t link);
Vec<3> center_of_link(const TreeModel& model, const TreeData& data, std::size_t link);  // of mass, in the world
inline Spatial velocity_at(const TreeData& data, std::size_t link, const Vec<3>& point) {
  return shift_motion(data.velocity[link], point - data.p[link]);
}
// How fast the link's point at `point` gains speed without any of the rates changing: J̇·v (angular, then linear).
Spatial bias_at(const TreeModel& model, const TreeData& data, std::size_t link, const Vec<3>& point);

// The last rate on the way from the link to the world, or TreeModel::kNone.
inline std::uint32_t last_rate(const TreeModel& model, std::size_t link) {
  for (std::int32_t i = static_cast<std::int32_t>(link); i >= 0; i = model.links[static_cast<std::size_t>(i)].parent) {
    const TreeModel::Link& l = model.links[static_cast<std::size_t>(i)];
    if (l.nv > 0) return l.first_v + l.nv - 1;
  }
  return TreeModel::kNone;
}
// Column of a rate at a point of the world: the motion (angular; linear) of a body there that the rate carries.
inline Spatial column_at(const TreeModel& model, const TreeData& data, std::uint32_t rate, const Vec<3>& point) {
  return shift_motion(data.column[rate], point - data.p[model.rate_link[rate]]);
}
// J of a link's point, 6 × nv: (angular; linear) velocity there = J·v. After place_links().
void point_jacobian(const TreeModel& model, const TreeData& data, std::size_t link, const Vec<3>& point,
                    Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> out);

}  // namespace touchstone
