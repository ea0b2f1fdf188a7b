#pragma once
// Primitives that are fitted to meshes, as MJCF has it for a geom with a mesh and another type than mesh.
#include <string>

#include "io/robot/meshes.h"
#include "io/robot/xml_node.h"

namespace touchstone {

struct MeshFit {
  Eigen::Vector3d half_sizes = Eigen::Vector3d::Zero();  // as the geom's size
  RobotPose pose;                                        // in the mesh's frame
};

// By the box of uniform density that has the mesh's inertia, with its axes.
MeshFit fit_primitive(const XmlNode& geom, const std::string& type, const RobotMesh& mesh);

}  // namespace touchstone
