#pragma once
// Mesh files of robots, each read once.
#include <map>
#include <string>
#include <vector>

#include "io/mesh_file.h"
#include "touchstone/robot.h"

namespace touchstone {

// A triangle mesh as robots use it.
struct RobotMesh {
  std::vector<Eigen::Vector3d> vertices;  // [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

class RobotMeshes {
 public:
  explicit RobotMeshes(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Throws Error that names the file and the reason. Coordinates times `scale`, each; a negative product of the factors
  // turns the triangles round.
  RobotMesh get(const std::string& path, const Eigen::Vector3d& scale);
  // The files in the order of their first reading.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::size_t most_bytes_;
  std::map<std::string, MeshObject> meshes_;
  std::vector<std::string> files_;
};

RobotMesh scaled(RobotMesh mesh, const Eigen::Vector3d& scale);

// The convex hull as a shape for contacts (only the corners of the hull are kept), or the triangles themselves. Throws
// Error for a flat or empty mesh.
ShapeDescription collision_shape(const RobotMesh& mesh, bool triangles, const std::string& source);
ShapeDescription visual_shape(const RobotMesh& mesh, const std::string& source);

}  // namespace touchstone
