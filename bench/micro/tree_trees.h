#pragma once
// Trees that benchmarks measure, for Touchstone and as text for MuJoCo: chains of hinges, and a tree like a humanoid of
// 13 bodies and 27 degrees of freedom, whose bodies have one to three hinges each.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "dynamics/tree/tree_model.h"

namespace touchstone::bench {

struct HingedBody {
  int parent;  // -1: the world
  Vec<3> place;
  std::vector<Vec<3>> axes;  // of its hinges, all at its origin; none: it floats
};

inline std::vector<HingedBody> humanoid() {
  const Vec<3> x = Vec<3>::UnitX(), y = Vec<3>::UnitY(), z = Vec<3>::UnitZ();
  std::vector<HingedBody> out{{-1, {0, 0, 1.3}, {}}, {0, {0, 0, -0.26}, {z, y}}, {1, {0, 0, -0.17}, {x}}};
  for (const double side : {-1.0, 1.0}) {
    const int hip = static_cast<int>(out.size());
    out.push_back({2, {0, 0.1 * side, -0.04}, {x, z, y}});
    out.push_back({hip, {0, 0.01 * side, -0.4}, {y}});
    out.push_back({hip + 1, {0, 0, -0.4}, {y, x}});
    out.push_back({0, {0, 0.17 * side, 0.06}, {(2 * x + side * y + z).normalized(), (side * y - z).normalized()}});
    out.push_back({hip + 3, {0.18, 0.18 * side, -0.18}, {(z - side * y).normalized()}});
  }
  return out;
}

// Links, with one for each hinge: all but the last of a body without mass.
inline std::vector<TreeLink> links_of(const std::vector<HingedBody>& bodies) {
  std::vector<TreeLink> out;
  std::vector<std::int32_t> last;  // link of a body
  for (const HingedBody& body : bodies) {
    const std::size_t links = std::max<std::size_t>(1, body.axes.size());
    for (std::size_t k = 0; k < links; ++k) {
      TreeLink link;
      link.name = fmt::format("link {}", out.size());
      link.parent = k > 0             ? static_cast<std::int32_t>(out.size()) - 1
                    : body.parent < 0 ? TreeLink::kWorld
                                      : last[static_cast<std::size_t>(body.parent)];
      if (k == 0) link.joint_in_parent.p = body.place;
      link.joint = body.axes.empty() ? TreeJoint::kFloating : TreeJoint::kRevolute;
      if (!body.axes.empty()) link.axis = body.axes[k];
      link.rates.assign(static_cast<std::size_t>(rates_of(link.joint)), {.damping = body.axes.empty() ? 0.0 : 0.5});
      if (k + 1 == links) {
        link.mass = 3, link.center = {0.02, 0.01, -0.1};
        link.inertia = Vec<3>(0.03, 0.028, 0.006).asDiagonal();
      }
      out.push_back(link);
    }
    last.push_back(static_cast<std::int32_t>(out.size()) - 1);
  }
  return out;
}

inline std::string body_text(const std::vector<HingedBody>& bodies, std::size_t i) {
  const auto vector = [](const Vec<3>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); };
  std::string out = fmt::format("<body pos=\"{}\">", vector(bodies[i].place));
  if (bodies[i].axes.empty()) out += "<freejoint/>";
  for (const Vec<3>& axis : bodies[i].axes) out += fmt::format("<joint axis=\"{}\" damping=\"0.5\"/>", vector(axis));
  out += "<inertial pos=\"0.02 0.01 -0.1\" mass=\"3\" diaginertia=\"0.03 0.028 0.006\"/>";
  for (std::size_t k = i + 1; k < bodies.size(); ++k)
    if (bodies[k].parent == static_cast<int>(i)) out += body_text(bodies, k);
  return out + "</body>";
}
inline std::string mjcf_of(const std::vector<HingedBody>& bodies) {
  return "<mujoco><option><flag contact=\"disable\"/></option><worldbody>" + body_text(bodies, 0) +
         "</worldbody></mujoco>";
}

inline std::vector<HingedBody> chain(int links) {
  std::vector<HingedBody> out;
  for (int i = 0; i < links; ++i)
    out.push_back({i - 1, {0, 0, i == 0 ? 0.0 : -0.2}, {i % 2 ? Vec<3>::UnitX() : Vec<3>::UnitY()}});
  return out;
}
// A chain as URDF: MuJoCo's reader of nested files stops at 100 levels.
inline std::string urdf_of(const std::vector<HingedBody>& bodies) {
  std::string out = "<robot name=\"chain\"><link name=\"base\"/>";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec<3>&p = bodies[i].place, &a = bodies[i].axes[0];
    out += fmt::format(
        "<link name=\"l{}\"><inertial><origin xyz=\"0.02 0.01 -0.1\"/><mass value=\"3\"/><inertia ixx=\"0.03\" "
        "iyy=\"0.028\" "
        "izz=\"0.006\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>",
        i);
    out += fmt::format(
        "<joint name=\"j{}\" type=\"continuous\"><parent link=\"{}\"/><child link=\"l{}\"/><origin xyz=\"{} {} "
        "{}\"/><axis "
        "xyz=\"{} {} {}\"/><dynamics damping=\"0.5\"/></joint>",
        i, i == 0 ? "base" : fmt::format("l{}", i - 1), i, p[0], p[1], p[2], a[0], a[1], a[2]);
  }
  return out + "</robot>";
}

}  // namespace touchstone::bench
