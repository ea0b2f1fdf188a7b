#pragma once
// Mesh files (OBJ, STL, PLY, glTF, GLB, Collada) by assimp. Coordinates are taken as they are in the file, with the
// transforms of its nodes and nothing else: no axis is turned (glTF has y up by its standard; turn the shape with its
// own rotation), and no unit is converted but that of a Collada file, which states it. Files are read in single
// precision, as the library keeps them.
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {

struct MeshObject {
  std::string name;
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};
struct MeshFile {
  std::vector<MeshObject> objects;  // one for each node of the file that has triangles, in its order

  // All of them as one, without welding.
  MeshObject joined() const;
};

// Throws Error that names the file and the reason: missing, no such kind, too large, damaged, no triangles (or only
// points and lines), numbers that are not finite.
MeshFile read_mesh_file(const std::string& path, std::size_t most_bytes);

// As text (JSON) with the same numbers, for recordings: what was read once is not sought again. Reading it back throws
// Error if it is damaged.
std::string mesh_text(const MeshFile& mesh);
MeshFile mesh_of_text(const std::string& text);

}  // namespace touchstone
