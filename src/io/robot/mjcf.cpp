// Purpose: read an MJCF file. Source: MuJoCo, XML reference. Letters: none. Deviations: docs/robots.md lists the parts
// that are approximated or ignored; a report names each with its line. Fails: with an Error that names file, line,
// element and remedy.
#include "io/robot/mjcf.h"

#include <fmt/format.h>

#include "io/robot/checks.h"
#include "io/robot/kinematics.h"

namespace touchstone {
namespace {

void read_compiler(const XmlNode& node, MjcfCompiler& c) {
  if (node.has("angle")) c.degrees = node.word("angle", {"radian", "degree"}) == "degree";
  if (node.text("coordinate", "local") != "local")
    node.refuse_attribute("coordinate", "is not supported; save the model with local coordinates (MuJoCo 2.2 can)");
  c.autolimits = node.boolean("autolimits").value_or(c.autolimits);
  c.balance_inertia = node.boolean("balanceinertia").value_or(c.balance_inertia);
  c.strip_path = node.boolean("strippath").value_or(c.strip_path);
  c.mesh_folder = node.text("meshdir", node.text("assetdir", c.mesh_folder));
  c.bound_mass = node.number("boundmass", c.bound_mass);
  c.bound_inertia = node.number("boundinertia", c.bound_inertia);
  c.total_mass = node.number("settotalmass", c.total_mass);
  node.overlay("inertiagrouprange", c.inertia_groups);
  if (const auto rule = node.text("inertiafromgeom")) {
    using FromGeoms = MjcfCompiler::FromGeoms;
    const std::optional<bool> always = node.boolean("inertiafromgeom");
    c.inertia_from_geoms = !always ? FromGeoms::kAuto : *always ? FromGeoms::kAlways : FromGeoms::kNever;
  }
  c.euler_sequence = node.text("eulerseq", c.euler_sequence);
  if (c.euler_sequence.size() != 3 || c.euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos)
    node.refuse_attribute("eulerseq", "must be three letters of xyz and XYZ");
}

void read_option(const XmlNode& node, RobotDescription& out) {
  if (const auto gravity = node.vector("gravity")) out.gravity = gravity;
  if (const auto step = node.number("timestep")) {
    if (!(*step > 0)) node.refuse_attribute("timestep", "must be greater than 0 s");
    out.step = step;
  }
  for (const XmlNode& flag : node.children("flag")) {
    if (flag.word("gravity", {"enable", "disable"}) == "disable") out.gravity = Eigen::Vector3d::Zero();
    if (flag.word("filterparent", {"enable", "disable"}) == "disable") out.parents_collide = true;
  }
}

// k = m / (t² ζ²) and c = 2 m / t: an oscillator with the time constant t and the damping ratio ζ.
void set_spring_dampers(MjcfContext& context) {
  if (context.spring_dampers.empty()) return;
  const Eigen::VectorXd inertias = reflected_inertias(context.out);
  for (std::size_t i = 0; i < context.spring_dampers.size(); ++i) {
    const std::size_t place = context.spring_dampers[i];
    Eigen::Index rate = 0;
    for (std::size_t k = 0; k < place; ++k) rate += rates_of(context.out.joints[k].kind);
    RobotJoint& joint = context.out.joints[place];
    const auto [t, ratio] = context.spring_damper_values[i];
    const double inertia = inertias.segment(rate, rates_of(joint.kind)).mean();
    joint.stiffness = inertia / (t * t * ratio * ratio);
    joint.damping = 2 * inertia / t;
  }
}

void gather_paired_geoms(const XmlNode& mujoco, MjcfContext& context) {
  for (const XmlNode& pair : mjcf_section(mujoco, "contact", "pair"))
    for (const char* each : {"geom1", "geom2"}) context.paired_geoms.insert(pair.text(each, ""));
}

}  // namespace

std::vector<XmlNode> mjcf_section(const XmlNode& mujoco, const char* section, const char* element) {
  std::vector<XmlNode> out;
  for (const XmlNode& part : mujoco.children(section))
    for (const XmlNode& node : part.children(element)) out.push_back(node);
  return out;
}

RobotDescription read_mjcf(XmlDocument& document, const ImportOptions& options, ImportNotes& notes,
                           RobotMeshes& meshes) {
  include_mjcf_files(document);
  const XmlNode mujoco(document, 0);
  RobotDescription out;
  out.name = mujoco.text("model", "MuJoCo Model");
  out.gravity = Eigen::Vector3d(0, 0, -9.81);
  MjcfContext context{document, options, notes, meshes, out, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  for (const XmlNode& node : mujoco.children("compiler")) read_compiler(node, context.compiler);
  for (const XmlNode& node : mujoco.children("option")) read_option(node, out);
  context.defaults.read(mujoco);
  gather_paired_geoms(mujoco, context);
  read_mjcf_assets(mujoco, context);
  read_mjcf_bodies(mujoco, context);
  if (out.links.empty() && out.world.shapes.empty() && out.world.visuals.empty())
    mujoco.refuse("has no bodies: <worldbody> is missing or empty");
  check_size(out);
  scale_mjcf_masses(context);
  set_spring_dampers(context);
  check_principal_moments(out, notes);
  check_moved_masses(out);
  read_mjcf_contacts(mujoco, context);
  read_mjcf_tendons(mujoco, context);
  read_mjcf_equalities(mujoco, context);
  read_mjcf_actuators(mujoco, context);
  read_mjcf_keyframes(mujoco, context);
  return out;
}

}  // namespace touchstone
