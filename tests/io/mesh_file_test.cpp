// Mesh files that the tests write themselves: what is read from them, and that nothing in them can do harm.
#include "io/mesh_file.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "geometry/mass_properties.h"
#include "geometry/mesh_builders.h"
#include "geometry/surface.h"
#include "io/mesh_samples.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMost = std::size_t{1} << 24;

class MeshFiles : public ::testing::Test {
 protected:
  MeshFiles() : folder_(fs::temp_directory_path() / ("touchstone_mesh_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~MeshFiles() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  MeshFile read(const std::string& name, const std::string& bytes) { return read_mesh_file(write(name, bytes), kMost); }
  std::string error(const std::string& name, const std::string& bytes) {
    try {
      read(name, bytes);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

  fs::path folder_;
};

void expect_cube(const MeshFile& mesh, const std::string& what) {
  const MeshObject all = mesh.joined();
  ShapeDescription d;
  d.kind = ShapeKind::kMesh, d.vertices = all.vertices, d.triangles = all.triangles;
  const Shape<3> shape = make_shape<3>(d);
  EXPECT_TRUE(shape.mesh->closed) << what;
  EXPECT_FALSE(shape.mesh->repair.turned) << what;
  const MassProperties<3> m = mass_properties(shape, 1.0);
  EXPECT_NEAR(m.mass, 1 * 2 * 3, 1e-6) << what;
  EXPECT_LT(m.center.norm(), 1e-6) << what;
  EXPECT_NEAR(m.inertia(0, 0), 6 * (4 + 9) / 12.0, 1e-5) << what;
}

TEST_F(MeshFiles, EveryKindOfFileGivesTheSameCube) {
  const ShapeDescription cube = cube_mesh(1, 2, 3);
  for (const auto& [name, bytes] : sample_files(cube)) expect_cube(read(name, bytes), name);
}

TEST_F(MeshFiles, ObjectsKeepTheirNamesAndNodesTheirTransforms) {
  const std::string two = "o left\n" + obj_text(cube_mesh(1, 2, 3), 0) + "o right\n" + obj_text(cube_mesh(1, 1, 1), 8);
  const MeshFile obj = read("two.obj", two);
  ASSERT_EQ(obj.objects.size(), 2u);
  EXPECT_EQ(obj.objects[0].name, "left");
  EXPECT_EQ(obj.objects[1].name, "right");
  EXPECT_EQ(obj.objects[0].triangles.size(), 12u);
  EXPECT_EQ(obj.joined().triangles.size(), 24u);
  // Moved by (10, 0, 0), turned a quarter about z and mirrored along x.
  const MeshFile moved = read(
      "moved.gltf", gltf_text(cube_mesh(1, 2, 3),
                              R"("translation":[10,0,0],"rotation":[0,0,0.70710678,0.70710678],"scale":[-1,1,1])"));
  ASSERT_EQ(moved.objects.size(), 1u);
  EXPECT_EQ(moved.objects[0].name, "cube");
  ShapeDescription d;
  d.kind = ShapeKind::kMesh, d.vertices = moved.objects[0].vertices, d.triangles = moved.objects[0].triangles;
  const Shape<3> shape = make_shape<3>(d);
  EXPECT_FALSE(shape.mesh->repair.turned) << "mirroring turns the winding, which reading puts right";
  const MassProperties<3> m = mass_properties(shape, 1.0);
  EXPECT_NEAR(m.mass, 6, 1e-5);
  EXPECT_LT((m.center - Vec<3>(10, 0, 0)).norm(), 1e-5);
  EXPECT_NEAR(m.inertia(0, 0), 6 * (1 + 9) / 12.0, 1e-4);
}

TEST_F(MeshFiles, TextKeepsEveryBit) {
  MeshFile mesh;
  mesh.objects.push_back({"a \"name\"", {{0.1, -1e-300, 1.0 / 3}, {1e300, 2, 3}, {5e-324, 0, -0.0}}, {{0, 1, 2}}});
  mesh.objects.push_back({"", {}, {}});
  const MeshFile back = mesh_of_text(mesh_text(mesh));
  ASSERT_EQ(back.objects.size(), 2u);
  EXPECT_EQ(back.objects[0].name, mesh.objects[0].name);
  EXPECT_EQ(back.objects[0].triangles, mesh.objects[0].triangles);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(std::memcmp(back.objects[0].vertices[i].data(), mesh.objects[0].vertices[i].data(), 24), 0);
  for (const char* text : {"", "{", "[]", R"({"objects":3})", R"({"objects":[{"name":1}]})"})
    EXPECT_THROW(mesh_of_text(text), Error) << text;
}

TEST_F(MeshFiles, ErrorsNameTheFileAndTheReason) {
  const auto expect = [&](const std::string& name, const std::string& bytes, const std::string& reason) {
    const std::string message = error(name, bytes);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  };
  expect("cube.txt", "v 0 0 0\n", "must end in .obj");
  expect("empty.obj", "", "is empty");
  expect("small.obj", "# nothing\n", "cannot be read as a mesh");
  expect("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3\n# so that it is not too small\n", "only points and lines");
  expect("lines.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\n# so that it is not too small\n", "only points and lines");
  expect("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# so that it is not too small\n", "not finite");
  expect("outside.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n# so that it is not too small\n",
         "cannot be read as a mesh");
  expect("header.ply", "ply\nformat ascii", "header of a PLY file");
  const std::string ply = ply_text(cube_mesh(1, 1, 1));
  expect("header_only.ply", ply.substr(0, ply.find("end_header") + 11), "");
  std::string buffer;
  expect("elsewhere.gltf", gltf_json(cube_mesh(1, 1, 1), "", "gone.bin", buffer), "gone.bin");
  const std::string cube = write("cube.obj", obj_text(cube_mesh(1, 1, 1), 0));
  EXPECT_THROW(read_mesh_file(cube, 10), Error) << "too large";
  EXPECT_THROW(read_mesh_file(cube + ".obj", kMost), Error) << "there is none";
  fs::create_directory(folder_ / "folder.obj");
  EXPECT_THROW(read_mesh_file((folder_ / "folder.obj").string(), kMost), Error);
}

// Whether anybody opens a file while this lives, as the system sees it.
class OpenWatch {
 public:
  explicit OpenWatch(const std::string& path) : queue_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(inotify_add_watch(queue_, path.c_str(), IN_OPEN), 0) << path;
  }
  ~OpenWatch() { ::close(queue_); }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;
  bool opened() const {
    alignas(inotify_event) char events[4096];
    return ::read(queue_, events, sizeof events) > 0;
  }

 private:
  int queue_;
};

// A mesh may name any file. Those in its own folder are read, others are not even opened.
TEST_F(MeshFiles, NothingOutsideTheFolderIsOpened) {
  const ShapeDescription cube = cube_mesh(1, 2, 3);
  fs::create_directories(folder_ / "mesh/parts");
  std::string buffer;
  gltf_json(cube, "", "x", buffer);
  const auto gltf = [&](const std::string& uri) {
    std::string again;
    return gltf_json(cube, "", uri, again);
  };
  write("mesh/near.bin", buffer);
  write("mesh/parts/deep.bin", buffer);
  const std::string secret = write("secret.bin", buffer), material = write("secret.mtl", "newmtl m\nKd 1 0 0\n");
  fs::create_symlink(secret, folder_ / "mesh/link.bin");
  for (const char* uri : {"near.bin", "parts/deep.bin", "./parts/../near.bin"})
    expect_cube(read("mesh/a.gltf", gltf(uri)), uri);
  {
    const OpenWatch near((folder_ / "mesh/near.bin").string());
    read("mesh/a.gltf", gltf("near.bin"));
    ASSERT_TRUE(near.opened()) << "the watch sees nothing, so that this test means nothing";
  }
  const OpenWatch watch(secret), watch_material(material);
  for (const std::string& uri :
       {std::string("../secret.bin"), secret, std::string("parts/../../secret.bin"), std::string("link.bin")}) {
    const std::string message = error("mesh/a.gltf", gltf(uri));
    EXPECT_NE(message.find("own folder"), std::string::npos) << uri << ": " << message;
    EXPECT_NE(message.find("a.gltf"), std::string::npos) << message;
  }
  // Materials are not needed: the mesh is read without them.
  for (const std::string& name : {std::string("../secret.mtl"), material})
    expect_cube(read("mesh/a.obj", "mtllib " + name + "\n" + obj_text(cube, 0)), name);
  EXPECT_FALSE(watch.opened());
  EXPECT_FALSE(watch_material.opened());
  // A pipe in the folder would be waited for without end.
  ASSERT_EQ(::mkfifo((folder_ / "mesh/pipe.bin").c_str(), 0600), 0);
  EXPECT_NE(error("mesh/a.gltf", gltf("pipe.bin")).find("own folder"), std::string::npos);
}

TEST_F(MeshFiles, DamagedFilesAreRefusedOrReadButNeverCrash) {
  const ShapeDescription cube = cube_mesh(1, 2, 3);
  std::mt19937 random(1);
  int refused = 0, taken = 0;
  const auto attempt = [&](const std::string& name, const std::string& bytes) {
    try {
      for (const MeshObject& object : read("damaged_" + name, bytes).objects) {
        for (const auto& v : object.vertices) ASSERT_TRUE(v.allFinite());
        for (const auto& t : object.triangles)
          for (const std::uint32_t v : t) ASSERT_LT(v, object.vertices.size());
      }
      ++taken;
    } catch (const Error&) {
      ++refused;
    }
  };
  for (const auto& [name, bytes] : sample_files(cube)) {
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 50);
    for (std::size_t n = 1; n < bytes.size(); n += step) attempt(name, bytes.substr(0, n));
    for (int round = 0; round < 50; ++round) {
      std::string damaged = bytes;
      for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
      attempt(name, damaged);
    }
    std::string garbage(500, ' ');
    for (char& c : garbage) c = static_cast<char>(random());
    attempt(name, garbage);
  }
  EXPECT_GT(refused, 150);
  EXPECT_GT(taken, 10);
}

}  // namespace
}  // namespace touchstone
