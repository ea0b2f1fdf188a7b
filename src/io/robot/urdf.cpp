// Purpose: read a URDF file. Source: http://wiki.ros.org/urdf/XML. Letters: none. Deviations: the root link is fixed to
// the base frame; a robot that moves freely gets a floating joint from the one who places it. Fails: with an Error that
// names file, line, element and remedy.
#include "io/robot/urdf.h"

#include "io/robot/checks.h"

namespace touchstone {

RobotDescription read_urdf(XmlDocument& document, const ImportOptions& options, ImportNotes& notes,
                           RobotMeshes& meshes) {
  const XmlNode robot(document, 0);
  UrdfContext context{options, notes, meshes, {}};
  RobotDescription out;
  out.name = robot.required("name");
  robot.text("version");
  read_urdf_colors(robot, context);
  std::vector<RobotLink> links;
  std::vector<UrdfJoint> joints;
  for (const XmlNode& link : robot.children("link")) links.push_back(read_urdf_link(link, context));
  for (const XmlNode& joint : robot.children("joint")) joints.push_back(read_urdf_joint(joint, context));
  assemble_urdf(robot, std::move(links), std::move(joints), out);
  check_size(out);
  check_principal_moments(out, notes);
  check_moved_masses(out);
  return out;
}

const std::vector<KnownPart>& urdf_known_parts() {
  static const std::vector<KnownPart> parts{
      {"gazebo", "", "settings of the simulator Gazebo are not read", true},
      {"transmission", "", "transmissions connect hardware; drive the joint itself", false},
      {"safety_controller", "", "soft limits of a hardware controller are not simulated", false},
      {"calibration", "", "reference positions of hardware switches are not simulated", false},
      {"texture", "", "textures are not drawn", false},
      {"sensor", "", "sensors are not read", false},
      {"contact", "", "contact coefficients of other simulators are not read", true},
      {"verbose", "", "notes on collision shapes have no effect", false},
      {"collision_checking", "", "settings of motion planners are not read", false},
      {"disable_collisions", "", "pairs of an SRDF file do not belong into URDF", true},
      {"mujoco", "", "MuJoCo's extension of URDF is not read", true},
      {"dynamics", "D", "coefficients of another simulator's joints are not read", false},
      {"dynamics", "K", "coefficients of another simulator's joints are not read", false},
      {"dynamics", "mu_coulomb", "coefficients of another simulator's joints are not read", false},
      {"dynamics", "mu_viscous", "coefficients of another simulator's joints are not read", false},
      {"link", "type", "links have no types", false},
      {"robot", "xmlns:xacro", "macros of xacro are not expanded", false},
      {"robot", "xmlns", "name spaces have no effect", false},
  };
  return parts;
}

}  // namespace touchstone
