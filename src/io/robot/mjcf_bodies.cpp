// Purpose: the tree of bodies of MJCF files. Source: MuJoCo, XML reference, "world body". Letters: none. Deviations: a
// mocap body stays where it is. Fails: with an Error at the element.
#include <fmt/format.h>

#include "io/robot/mjcf.h"
#include "io/robot/pose.h"

namespace touchstone {
namespace {

class BodyReader {
 public:
  explicit BodyReader(MjcfContext& context) : context_(context) {}

  void read_world(const XmlNode& world) {
    const std::string inherited = world.text("childclass", "");
    Parts parts;
    gather(world, {}, inherited, parts);
    for (const Part& joint : parts.joints) joint.node.refuse("the world has no joints; put it into a <body>");
    add_shapes(parts, RobotLink::kWorld, false);
    read_children(world, {}, RobotLink::kWorld, inherited);
  }

 private:
  // Elements of one body, also those in its <frame>s.
  struct Part {
    XmlNode node;
    RobotPose frame;
  };
  struct Parts {
    std::vector<Part> joints, geoms, sites;
    std::optional<Part> inertial;
  };

  RobotPose frame_of(const XmlNode& node, const RobotPose& outer) const {
    return outer * read_mjcf_pose(node, context_.compiler);
  }

  // Recursion is bounded by XmlLimits::depth.
  void gather(const XmlNode& node, const RobotPose& frame, const std::string& inherited, Parts& parts) const {
    const XmlDocument& document = node.document();
    for (const std::size_t place : std::vector<std::size_t>(node.child_places())) {
      const std::string& name = document.elements[place].name;
      if (name != "joint" && name != "freejoint" && name != "geom" && name != "site" && name != "inertial" &&
          name != "frame")
        continue;
      const XmlNode child(node.document(), place);
      if (name == "frame") {
        child.text("name");
        gather(child, frame_of(child, frame), child.text("childclass", inherited), parts);
      } else if (name == "inertial") {
        if (parts.inertial) child.refuse("the body has another <inertial>; keep one");
        parts.inertial = Part{child, frame};
      } else {
        std::vector<Part>& list = name == "geom" ? parts.geoms : name == "site" ? parts.sites : parts.joints;
        list.push_back({context_.defaults.with_defaults(child, inherited, name.c_str()), frame});
      }
    }
  }

  void read_children(const XmlNode& node, const RobotPose& frame, std::size_t parent, const std::string& inherited) {
    for (const std::size_t place : std::vector<std::size_t>(node.child_places())) {
      const std::string name = node.document().elements[place].name;
      if (name == "body") read_body(XmlNode(node.document(), place), frame, parent, inherited);
      if (name == "frame") {
        const XmlNode child(node.document(), place);
        read_children(child, frame_of(child, frame), parent, child.text("childclass", inherited));
      }
    }
  }

  void read_body(const XmlNode& node, const RobotPose& frame, std::size_t parent, const std::string& inherited) {
    const std::size_t here = context_.out.links.size();
    const std::string class_name = node.text("childclass", inherited);
    RobotLink link;
    link.name = node.text("name", "");
    if (link.name.empty()) link.name = fmt::format("body_{}", here + 1);
    if (link.name == "world" || !context_.links.emplace(link.name, here).second)
      node.refuse(fmt::format("there is another body '{}'", link.name));
    link.parent = parent;
    link.pose = frame_of(node, frame);
    link.source = node.source();
    link.gravity_scale = 1.0 - node.number("gravcomp", 0.0);
    if (node.boolean("mocap").value_or(false))
      context_.notes.approximated(node, "mocap of ", "the body stays where it is");
    context_.out.links.push_back(std::move(link));

    Parts parts;
    gather(node, {}, class_name, parts);
    for (const Part& joint : parts.joints) read_joint(joint, here);
    const std::optional<XmlNode> inertial = parts.inertial ? std::optional(parts.inertial->node) : std::nullopt;
    const std::vector<MjcfGeomMass> masses = add_shapes(parts, here, needs_mjcf_geom_masses(inertial, context_));
    set_mjcf_inertia(inertial, parts.inertial ? parts.inertial->frame : RobotPose{}, masses, context_,
                     context_.out.links[here]);
    read_children(node, {}, here, class_name);
  }

  void read_joint(const Part& part, std::size_t link) {
    read_mjcf_joint(part.node, link, context_);
    RobotJoint& joint = context_.out.joints.back();
    joint.point = part.frame * joint.point;
    joint.axis = part.frame.orientation * joint.axis;
  }

  std::vector<MjcfGeomMass> add_shapes(const Parts& parts, std::size_t link, bool need_mass) {
    std::vector<MjcfGeomMass> masses;
    for (const Part& geom : parts.geoms) read_mjcf_geom(geom.node, geom.frame, link, need_mass, context_, masses);
    RobotLink& owner = link == RobotLink::kWorld ? context_.out.world : context_.out.links[link];
    for (const Part& site : parts.sites) {
      const std::string name = site.node.text("name", "");
      const RobotPose pose = site.frame * site_pose(site.node);
      if (!name.empty() && !context_.sites.emplace(name, std::pair(link, pose)).second)
        site.node.refuse("there is another site of this name");
      owner.sites.push_back({name, pose, site.node.source()});
    }
    return masses;
  }

  RobotPose site_pose(const XmlNode& site) const {
    const auto ends = site.numbers("fromto", 6, 6);
    RobotPose pose = read_mjcf_pose(site, context_.compiler);
    if (!ends) return pose;
    const Eigen::Vector3d from((*ends)[0], (*ends)[1], (*ends)[2]), to((*ends)[3], (*ends)[4], (*ends)[5]);
    if (!((from - to).norm() > 1e-10)) site.refuse_attribute("fromto", "must have two points apart from each other");
    const Eigen::Vector3d z = (from - to).normalized();
    const auto [x, y] = planar_axes(z);
    Eigen::Matrix3d R;
    R << x, y, z;
    return {(from + to) / 2, Eigen::Quaterniond(R).normalized()};
  }

  MjcfContext& context_;
};

}  // namespace

void read_mjcf_bodies(const XmlNode& mujoco, MjcfContext& context) {
  context.out.world.name = "world";
  for (const XmlNode& world : mujoco.children("worldbody")) BodyReader(context).read_world(world);
}

}  // namespace touchstone
