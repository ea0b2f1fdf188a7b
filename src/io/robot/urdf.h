#pragma once
// URDF files. Source: the XML specifications of the format, http://wiki.ros.org/urdf/XML; urdfdom 3.
#include <map>

#include "io/robot/meshes.h"
#include "io/robot/notes.h"
#include "touchstone/robot.h"

namespace touchstone {

// What the readers of one URDF file share.
struct UrdfContext {
  const ImportOptions& options;
  ImportNotes& notes;
  RobotMeshes& meshes;
  std::map<std::string, std::array<double, 4>> colors;  // of the materials that were named so far
};

// `document`'s root is <robot>.
RobotDescription read_urdf(XmlDocument& document, const ImportOptions& options, ImportNotes& notes,
                           RobotMeshes& meshes);

// The stages.
RobotPose read_urdf_origin(const XmlNode& parent);
RobotLink read_urdf_link(const XmlNode& node, UrdfContext& context);
void read_urdf_colors(const XmlNode& robot, UrdfContext& context);
// The joint with its link not yet set, and the names that connect it.
struct UrdfJoint {
  RobotJoint joint;
  std::string parent, child;
  RobotPose origin;
  std::string mimicked;
};
UrdfJoint read_urdf_joint(const XmlNode& node, UrdfContext& context);
// Links and joints in the order of the tree; throws Error for loops, two roots and unknown names.
void assemble_urdf(const XmlNode& robot, std::vector<RobotLink> links, std::vector<UrdfJoint> joints,
                   RobotDescription& out);

// Parts of the format that are not simulated.
const std::vector<KnownPart>& urdf_known_parts();

}  // namespace touchstone
