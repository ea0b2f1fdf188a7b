// Purpose: joints of MJCF files. Source: MuJoCo, XML reference, "body/joint". Letters: none. Deviations: none. Fails:
// with an Error at the attribute.
#include <fmt/format.h>

#include "io/robot/mjcf.h"
#include "io/robot/pose.h"

namespace touchstone {
namespace {

void add_joint(const XmlNode& node, RobotJoint joint, std::size_t link, MjcfContext& context) {
  RobotDescription& out = context.out;
  if (joint.name.empty()) {  // MJCF needs no names; ours are unique
    const std::string base = out.links[link].name + "_joint";
    joint.name = base;
    for (int i = 2; context.joints.contains(joint.name); ++i) joint.name = fmt::format("{}_{}", base, i);
  }
  joint.link = link;
  joint.source = node.source();
  if (!context.joints.emplace(joint.name, out.joints.size()).second) node.refuse("there is another joint of this name");
  out.links[link].joints.push_back(out.joints.size());
  const bool free = joint.kind == RobotJointKind::kFloating;
  if (free && out.links[link].parent != RobotLink::kWorld)
    node.refuse("a free joint belongs to a body of the world, not to one inside of another");
  if (out.links[link].joints.size() > 1 &&
      (free || out.joints[out.links[link].joints.front()].kind == RobotJointKind::kFloating))
    node.refuse("a free joint must be the only joint of its body");
  out.joints.push_back(std::move(joint));
}

void read_limits(const XmlNode& node, RobotJoint& joint, MjcfContext& context) {
  const auto range = read_mjcf_range(node, "range", "limited", context);
  if (!range) return;
  const bool slides = joint.kind == RobotJointKind::kPrismatic;
  const double lower = slides ? (*range)[0] : context.compiler.angle((*range)[0]);
  const double upper = slides ? (*range)[1] : context.compiler.angle((*range)[1]);
  joint.upper = upper;
  if (joint.kind == RobotJointKind::kSpherical) {
    if (lower != 0) node.refuse_attribute("range", "must begin with 0 for a ball joint");
  } else {
    joint.lower = lower;
  }
}

void read_effort(const XmlNode& node, RobotJoint& joint, MjcfContext& context) {
  const auto range = read_mjcf_range(node, "actuatorfrcrange", "actuatorfrclimited", context);
  if (!range) return;
  joint.max_effort = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
  if ((*range)[0] != -(*range)[1])
    context.notes.approximated(node, "actuatorfrcrange of ", "the larger end bounds the force in both directions");
}

double not_negative(const XmlNode& node, const char* attribute) {
  const double value = node.number(attribute, 0.0);
  if (value < 0) node.refuse_attribute(attribute, "must not be negative");
  return value;
}

}  // namespace

std::optional<std::array<double, 2>> read_mjcf_range(const XmlNode& node, const char* range, const char* limited,
                                                     MjcfContext& context) {
  const auto numbers = node.numbers(range, 2, 2);
  const std::optional<bool> said = node.boolean(limited);
  if (said == false) return std::nullopt;
  if (!numbers) {
    if (said == true) node.refuse(fmt::format("{} is true, and the attribute '{}' is missing", limited, range));
    return std::nullopt;
  }
  const double lower = (*numbers)[0], upper = (*numbers)[1];
  if (lower == 0 && upper == 0 && !said) return std::nullopt;  // the format's word for no range
  if (!said && !context.compiler.autolimits) {
    context.notes.unused(node, fmt::format("{} of ", range),
                         fmt::format("{} is not set, and <compiler autolimits=\"false\">", limited));
    return std::nullopt;
  }
  if (!(lower < upper)) node.refuse_attribute(range, "must have its lower end first, and an upper one above it");
  return std::array{lower, upper};
}

void read_mjcf_joint(const XmlNode& node, std::size_t link, MjcfContext& context) {
  RobotJoint joint;
  joint.name = node.text("name", "");
  if (node.name() == "freejoint") {
    joint.kind = RobotJointKind::kFloating;
    return add_joint(node, std::move(joint), link, context);
  }
  const std::string type = node.word("type", {"hinge", "slide", "ball", "free"});
  joint.kind = type == "hinge"   ? RobotJointKind::kRevolute
               : type == "slide" ? RobotJointKind::kPrismatic
               : type == "ball"  ? RobotJointKind::kSpherical
                                 : RobotJointKind::kFloating;
  const bool turns = type == "hinge";
  joint.point = node.vector("pos", Eigen::Vector3d::Zero());
  if (type == "free") joint.point.setZero();
  const Eigen::Vector3d axis = node.vector("axis", Eigen::Vector3d::UnitZ());
  if (turns || type == "slide") {
    if (!(axis.norm() > 1e-10)) node.refuse_attribute("axis", "must not be zero: it is a direction");
    joint.axis = axis.normalized();
  }
  const double ref = node.number("ref", 0.0), spring_ref = node.number("springref", 0.0);
  joint.reference = turns ? context.compiler.angle(ref) : ref;
  joint.spring_reference = turns ? context.compiler.angle(spring_ref) : spring_ref;
  if (type == "ball" || type == "free") joint.reference = joint.spring_reference = 0;
  joint.stiffness = not_negative(node, "stiffness");
  joint.damping = not_negative(node, "damping");
  joint.armature = not_negative(node, "armature");
  joint.friction = not_negative(node, "frictionloss");
  if (type == "free")
    node.has("range"), node.has("limited");
  else
    read_limits(node, joint, context);
  read_effort(node, joint, context);
  if (joint.kind == RobotJointKind::kRevolute && !joint.upper) joint.kind = RobotJointKind::kContinuous;
  std::array<double, 2> spring_damper{0, 0};
  if (node.overlay("springdamper", spring_damper) && spring_damper[0] > 0 && spring_damper[1] > 0) {
    context.spring_dampers.push_back(context.out.joints.size());
    context.spring_damper_values.push_back(spring_damper);
  }
  add_joint(node, std::move(joint), link, context);
}

}  // namespace touchstone
