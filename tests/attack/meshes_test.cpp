// Damaged mesh files of every kind, read and made into shapes.
#include <gtest/gtest.h>

#include "attack/attack.h"
#include "geometry/mesh_builders.h"
#include "io/mesh_file.h"
#include "io/mesh_samples.h"

namespace touchstone::attack {
namespace {

TEST(Attack, Meshes) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  const Folder folder;
  const auto seeds = sample_files(cube_mesh(1, 2, 3));
  std::size_t read = 0;
  run_cases("meshes", {}, [&](Mutator& m) {
    const auto& [name, bytes] = m.pick(seeds);
    const bool text = name.rfind("binary", 0) != 0 && !name.ends_with(".glb");
    const std::string damaged = text ? m.damage(bytes, m.pick(seeds).second) : m.damage_bytes(bytes);
    show(name + "\n" + damaged);
    const std::string path = folder.write(name, damaged);
    survives(
        [&] {
          const MeshFile mesh = read_mesh_file(path, kMostBytes);
          ++read;
          for (const MeshObject& object : mesh.objects) {
            for (const Eigen::Vector3d& v : object.vertices) EXPECT_TRUE(v.allFinite());
            for (const auto& t : object.triangles)
              for (const std::uint32_t i : t) EXPECT_LT(i, object.vertices.size());
          }
          EXPECT_EQ(mesh_of_text(mesh_text(mesh)).objects.size(), mesh.objects.size());
        },
        {name});
  });
  if (!campaign().only) {
    EXPECT_GT(read, campaign().count / 20) << "the damage is too great to reach the triangles";
  }
}

}  // namespace
}  // namespace touchstone::attack
