#pragma once
// A tree as MJCF text, for MuJoCo. Screws have no counterpart, and links without mass are refused there. Inertias must
// be diagonal in their axes: MuJoCo finds the axes of others to 1e-10 only.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "dynamics/tree/tree_model.h"

namespace touchstone {

inline std::string numbers_text(const Vec<3>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }
inline std::string numbers_text(const Eigen::Quaterniond& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

inline std::string mujoco_joint(const TreeLink& link, const char* type, const Vec<3>& axis, std::size_t rate) {
  const TreeRate& r = link.rates[rate];
  std::string out =
      fmt::format("<joint type=\"{}\" damping=\"{:.17g}\" armature=\"{:.17g}\"", type, r.damping, r.armature);
  if (link.joint != TreeJoint::kFloating) out += fmt::format(" pos=\"{}\"", numbers_text(link.joint_in_link.p));
  if (axis.norm() > 0) out += fmt::format(" axis=\"{}\"", numbers_text(Vec<3>(link.joint_in_link.R * axis)));
  if (rates_of(link.joint) == 1) out += fmt::format(" ref=\"{:.17g}\"", link.reference);
  return out + "/>\n";
}

inline std::string mujoco_joints(const TreeLink& link) {
  const Vec<3> none = Vec<3>::Zero();
  switch (link.joint) {
    case TreeJoint::kRevolute:
      return mujoco_joint(link, "hinge", link.axis, 0);
    case TreeJoint::kPrismatic:
      return mujoco_joint(link, "slide", link.axis, 0);
    case TreeJoint::kCylindrical:
      return mujoco_joint(link, "slide", link.axis, 0) + mujoco_joint(link, "hinge", link.axis, 1);
    case TreeJoint::kUniversal:
      return mujoco_joint(link, "hinge", link.axis, 0) + mujoco_joint(link, "hinge", link.axis_b, 1);
    case TreeJoint::kPlanar: {
      const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec<3>::UnitZ(), link.axis);
      return mujoco_joint(link, "slide", turn * Vec<3>::UnitX(), 0) +
             mujoco_joint(link, "slide", turn * Vec<3>::UnitY(), 1) + mujoco_joint(link, "hinge", link.axis, 2);
    }
    case TreeJoint::kSpherical:
      return mujoco_joint(link, "ball", none, 0);
    case TreeJoint::kFloating:
      return mujoco_joint(link, "free", none, 0);
    default:
      return "";
  }
}

inline std::string mujoco_body(const std::vector<TreeLink>& links, std::size_t i) {
  const TreeLink& link = links[i];
  const Eigen::Quaterniond turn = link.joint_in_parent.R * link.joint_in_link.R.conjugate();
  const Vec<3> place = link.joint_in_parent.p - turn * link.joint_in_link.p;
  std::string out = fmt::format("<body pos=\"{}\" quat=\"{}\">\n", numbers_text(place), numbers_text(turn));
  out += mujoco_joints(link);
  out +=
      fmt::format("<inertial pos=\"{}\" quat=\"{}\" mass=\"{:.17g}\" diaginertia=\"{}\"/>\n", numbers_text(link.center),
                  numbers_text(link.inertia_axes), link.mass, numbers_text(Vec<3>(link.inertia.diagonal())));
  for (std::size_t k = i + 1; k < links.size(); ++k)
    if (links[k].parent == static_cast<std::int32_t>(i)) out += mujoco_body(links, k);
  return out + "</body>\n";
}

// Bodies are written from parent to child: `links` must be in depth-first order for equal orders of coordinates.
inline std::string mujoco_text(const std::vector<TreeLink>& links, const Vec<3>& gravity) {
  std::string out = fmt::format(
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option gravity=\"{}\"><flag contact=\"disable\" "
      "constraint=\"disable\" energy=\"enable\"/></option><worldbody>\n",
      numbers_text(gravity));
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].parent < 0) out += mujoco_body(links, k);
  return out + "</worldbody></mujoco>\n";
}

}  // namespace touchstone
