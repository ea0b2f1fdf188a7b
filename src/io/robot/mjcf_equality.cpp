// Purpose: equality constraints of MJCF files. Source: MuJoCo, XML reference, "equality". Letters: none. Deviations:
// the constraints are exact, their softness (solref, solimp) is left out. Fails: with an Error at the element.
#include <fmt/format.h>

#include "io/robot/kinematics.h"
#include "io/robot/mjcf.h"
#include "io/robot/pose.h"

namespace touchstone {
namespace {

class EqualityReader {
 public:
  explicit EqualityReader(MjcfContext& context)
      : context_(context), poses_(link_poses(context.out, reference_coordinates(context.out))) {}

  void read(const XmlNode& plain) {
    const XmlNode node = context_.defaults.with_defaults(plain, "", "equality");
    RobotEquality e;
    e.name = node.text("name", "");
    e.active = node.boolean("active").value_or(true);
    e.source = node.source();
    const bool kept = plain.name() == "connect" ? connect(node, e)
                      : plain.name() == "weld"  ? weld(node, e)
                      : plain.name() == "joint" ? joint(node, e)
                                                : tendon(node, e);
    if (kept) context_.out.equalities.push_back(std::move(e));
  }

 private:
  RobotPose pose_of(std::size_t link) const { return link == RobotLink::kWorld ? RobotPose{} : poses_[link]; }

  std::size_t body(const XmlNode& node, const char* attribute, bool world_by_default) const {
    const auto name = node.text(attribute);
    if (!name && world_by_default) return RobotLink::kWorld;
    if (!name) node.refuse(fmt::format("the attribute '{}' is missing", attribute));
    if (*name == "world") return RobotLink::kWorld;
    const auto found = context_.links.find(*name);
    if (found == context_.links.end()) node.refuse_attribute(attribute, "is no body");
    return found->second;
  }

  std::pair<std::size_t, RobotPose> site(const XmlNode& node, const char* attribute) const {
    const auto found = context_.sites.find(node.required(attribute));
    if (found == context_.sites.end()) node.refuse_attribute(attribute, "is no site");
    return found->second;
  }

  bool connect(const XmlNode& node, RobotEquality& e) const {
    e.kind = RobotEqualityKind::kConnect;
    if (node.has("site1") || node.has("site2")) {
      const auto [a, pose_a] = site(node, "site1");
      const auto [b, pose_b] = site(node, "site2");
      e.link_a = a, e.link_b = b, e.point_a = pose_a.position, e.point_b = pose_b.position;
      return true;
    }
    e.link_a = body(node, "body1", false), e.link_b = body(node, "body2", true);
    const auto anchor = node.vector("anchor");
    if (!anchor) node.refuse("the attribute 'anchor' is missing");
    e.point_a = *anchor;
    e.point_b = inverse(pose_of(e.link_b)) * (pose_of(e.link_a) * e.point_a);
    return true;
  }

  bool weld(const XmlNode& node, RobotEquality& e) const {
    e.kind = RobotEqualityKind::kWeld;
    if (node.has("site1") || node.has("site2")) {
      const auto [a, pose_a] = site(node, "site1");
      const auto [b, pose_b] = site(node, "site2");
      e.link_a = a, e.link_b = b, e.relative = pose_a * inverse(pose_b);
      return true;
    }
    e.link_a = body(node, "body1", false), e.link_b = body(node, "body2", true);
    e.relative = inverse(pose_of(e.link_a)) * pose_of(e.link_b);
    const auto given = node.numbers("relpose", 7, 7);
    if (!given) return true;
    const auto& n = *given;
    const Eigen::Vector4d q(n[3], n[4], n[5], n[6]);
    if (q.norm() > 1e-10)  // zero: the pose at the reference
      e.relative = {{n[0], n[1], n[2]}, Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized()};
    return true;
  }

  std::size_t joint_of(const XmlNode& node, const char* attribute) const {
    const auto found = context_.joints.find(node.required(attribute));
    if (found == context_.joints.end()) node.refuse_attribute(attribute, "is no joint");
    if (coordinates_of(context_.out.joints[found->second].kind) != 1)
      node.refuse_attribute(attribute, "must be a hinge or a slide");
    return found->second;
  }

  bool joint(const XmlNode& node, RobotEquality& e) const {
    e.kind = RobotEqualityKind::kJoint;
    e.a = joint_of(node, "joint1");
    if (node.has("joint2")) e.b = joint_of(node, "joint2");
    if (e.b == e.a) node.refuse("joint1 and joint2 are the same joint");
    node.overlay("polycoef", e.polynomial);
    return true;
  }

  bool tendon(const XmlNode& node, RobotEquality& e) const {
    e.kind = RobotEqualityKind::kTendon;
    node.overlay("polycoef", e.polynomial);
    for (const char* attribute : {"tendon1", "tendon2"}) {
      if (attribute[6] == '2' && !node.has(attribute)) continue;
      const auto found = context_.tendons.find(node.required(attribute));
      if (found == context_.tendons.end()) node.refuse_attribute(attribute, "is no tendon");
      if (!found->second) {
        context_.notes.ignored(node, "", "spatial tendons are not simulated", true);
        return false;
      }
      attribute[6] == '1' ? void(e.a = *found->second) : void(e.b = *found->second);
    }
    return true;
  }

  MjcfContext& context_;
  std::vector<RobotPose> poses_;
};

}  // namespace

void read_mjcf_equalities(const XmlNode& mujoco, MjcfContext& context) {
  EqualityReader reader(context);
  for (const XmlNode& section : mujoco.children("equality"))
    for (const std::size_t place : std::vector<std::size_t>(section.child_places())) {
      const std::string name = mujoco.document().elements[place].name;
      if (name == "connect" || name == "weld" || name == "joint" || name == "tendon")
        reader.read(XmlNode(mujoco.document(), place));
    }
}

}  // namespace touchstone
