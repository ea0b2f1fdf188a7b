// Purpose: fixed tendons of MJCF files. Source: MuJoCo, XML reference, "tendon". Letters: none. Deviations: spatial
// tendons are left out and reported. Fails: with an Error at the element.
#include <fmt/format.h>

#include "io/robot/mjcf.h"

namespace touchstone {
namespace {

double not_negative(const XmlNode& node, const char* attribute) {
  const double value = node.number(attribute, 0.0);
  if (value < 0) node.refuse_attribute(attribute, "must not be negative");
  return value;
}

// The length of a tendon with all joints at their reference, where its spring is at rest by default.
double reference_length(const RobotTendon& tendon, const MjcfContext& context) {
  double sum = 0;
  for (const RobotTendon::Term& term : tendon.terms)
    sum += term.coefficient * context.out.joints[term.joint].spring_reference;
  return sum;
}

void read_rest(const XmlNode& node, RobotTendon& tendon, const MjcfContext& context) {
  const auto given = node.numbers("springlength", 1, 2);
  const double by_default = reference_length(tendon, context);
  tendon.rest = {by_default, by_default};
  if (!given || given->front() == -1) return;  // −1: the length at the springs' reference
  tendon.rest = {given->front(), given->back()};
  if (tendon.rest[0] > tendon.rest[1]) node.refuse_attribute("springlength", "must have its lower end first");
}

RobotTendon read_fixed(const XmlNode& node, MjcfContext& context) {
  RobotTendon tendon;
  tendon.name = node.text("name", "");
  tendon.source = node.source();
  for (const XmlNode& term : node.children("joint")) {
    const auto found = context.joints.find(term.required("joint"));
    if (found == context.joints.end()) term.refuse_attribute("joint", "is no joint");
    if (coordinates_of(context.out.joints[found->second].kind) != 1)
      term.refuse_attribute("joint", "must be a hinge or a slide");
    const auto coefficient = term.number("coef");
    if (!coefficient) term.refuse("the attribute 'coef' is missing");
    tendon.terms.push_back({found->second, *coefficient});
  }
  if (tendon.terms.empty()) node.refuse("has no joints");
  if (const auto range = read_mjcf_range(node, "range", "limited", context))
    tendon.lower = (*range)[0], tendon.upper = (*range)[1];
  tendon.stiffness = not_negative(node, "stiffness");
  tendon.damping = not_negative(node, "damping");
  tendon.friction = not_negative(node, "frictionloss");
  read_rest(node, tendon, context);
  return tendon;
}

}  // namespace

void read_mjcf_tendons(const XmlNode& mujoco, MjcfContext& context) {
  for (const XmlNode& plain : mjcf_section(mujoco, "tendon", "fixed")) {
    const XmlNode node = context.defaults.with_defaults(plain, "", "tendon");
    RobotTendon tendon = read_fixed(node, context);
    if (!tendon.name.empty() && !context.tendons.emplace(tendon.name, context.out.tendons.size()).second)
      node.refuse("there is another tendon of this name");
    context.out.tendons.push_back(std::move(tendon));
  }
  for (const XmlNode& section : mujoco.children("tendon"))
    for (const std::size_t place : section.child_places()) {
      const XmlElement& e = mujoco.document().elements[place];
      if (e.name != "spatial") continue;  // left unused: the walk over unused elements reports it
      for (const XmlAttribute& a : e.attributes)
        if (a.name == "name") context.tendons.emplace(a.value, std::nullopt);
    }
}

}  // namespace touchstone
