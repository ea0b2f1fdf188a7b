// Purpose: pairs of MJCF files that touch, or do not. Source: MuJoCo, XML reference, "contact". Letters: none.
// Deviations: none. Fails: with an Error at the element that names an unknown body or geom.
#include <fmt/format.h>

#include "io/robot/mjcf.h"

namespace touchstone {
namespace {

std::size_t body_of(const XmlNode& node, const char* attribute, const MjcfContext& context) {
  const std::string name = node.required(attribute);
  if (name == "world") return RobotLink::kWorld;
  const auto found = context.links.find(name);
  if (found == context.links.end()) node.refuse_attribute(attribute, "is no body");
  return found->second;
}

std::pair<std::size_t, std::size_t> geom_of(const XmlNode& node, const char* attribute, const MjcfContext& context) {
  const auto found = context.geoms.find(node.required(attribute));
  if (found == context.geoms.end()) node.refuse_attribute(attribute, "is no geom");
  return found->second;
}

}  // namespace

void read_mjcf_contacts(const XmlNode& mujoco, MjcfContext& context) {
  for (const XmlNode& node : mjcf_section(mujoco, "contact", "exclude")) {
    node.text("name");
    context.out.exclusions.push_back({body_of(node, "body1", context), body_of(node, "body2", context), node.source()});
  }
  for (const XmlNode& plain : mjcf_section(mujoco, "contact", "pair")) {
    const XmlNode node = context.defaults.with_defaults(plain, "", "pair");
    node.text("name");
    RobotContactPair pair;
    std::tie(pair.link_a, pair.shape_a) = geom_of(node, "geom1", context);
    std::tie(pair.link_b, pair.shape_b) = geom_of(node, "geom2", context);
    std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};
    if (node.overlay("friction", friction)) {
      if (friction[0] < 0) node.refuse_attribute("friction", "must not be negative");
      pair.friction = friction[0];
      if (friction[1] != friction[0])
        context.notes.approximated(node, "friction of ", "the first coefficient counts in all directions");
    }
    if (const auto directions = node.integer("condim"); directions && *directions == 1) pair.friction = 0.0;
    pair.source = node.source();
    context.out.pairs.push_back(pair);
  }
}

}  // namespace touchstone
