// Purpose: read mesh files by assimp. Debian's build of it aborts on some damaged files and never comes back from
// others, so that it does its work in a copy of the process (base/apart.h). Source: assimp 5.2,
// https://github.com/assimp/assimp. Letters: none. Deviations: none. Fails: with an Error that names the file and the
// reason.
#include "io/mesh_file.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/apart.h"
#include "base/archive.h"
#include "base/json_text.h"
#include "base/text.h"
#include "io/mesh_folder.h"
#include "io/ply_header.h"
#include "touchstone/error.h"

namespace touchstone {

static void serialize_fields(Archive& ar, MeshObject& o) { ar(o.name), ar(o.vertices), ar(o.triangles); }

namespace {

// Processor time for a file, and one more for every MiB: some damaged ones are read for ever.
constexpr unsigned kSeconds = 3;

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", path, what));
}

// A message of the library on one line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return valid_utf8(text.substr(0, 300));
}

std::string check_path(const std::string& path, std::size_t most_bytes, std::uintmax_t& bytes) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending != ".obj" && ending != ".stl" && ending != ".ply" && ending != ".gltf" && ending != ".glb" &&
      ending != ".dae")
    refuse(path, "is not a mesh file: its name must end in .obj, .stl, .ply, .gltf, .glb or .dae");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found || error) refuse(path, "there is no such file");
  if (!fs::is_regular_file(status)) refuse(path, "is no ordinary file");
  bytes = fs::file_size(path, error);
  if (error) refuse(path, "cannot be read: " + error.message());
  if (bytes == 0) refuse(path, "is empty");
  if (bytes > most_bytes) refuse(path, fmt::format("has {} bytes; at most {} are read", bytes, most_bytes));
  return ending;
}

class Collector {
 public:
  Collector(const aiScene& scene, const std::string& path) : scene_(scene), path_(path) {}

  MeshFile collect() {
    // A stack of our own: a damaged file may nest as deep as it likes.
    std::vector<std::pair<const aiNode*, aiMatrix4x4>> open{{scene_.mRootNode, aiMatrix4x4()}};
    while (!open.empty()) {
      const auto [node, parent] = open.back();
      open.pop_back();
      if (!node) continue;
      const aiMatrix4x4 here = parent * node->mTransformation;
      add(*node, here);
      for (unsigned i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], here);
    }
    if (!out_.objects.empty()) return std::move(out_);
    refuse(path_, others_ > 0 ? "holds only points and lines; a mesh needs triangles" : "holds no triangles");
  }

 private:
  void add(const aiNode& node, const aiMatrix4x4& transform) {
    MeshObject object;
    object.name = node.mName.C_Str();
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
      if (node.mMeshes[i] < scene_.mNumMeshes) add(*scene_.mMeshes[node.mMeshes[i]], transform, object);
    if (!object.triangles.empty()) out_.objects.push_back(std::move(object));
  }

  void add(const aiMesh& mesh, const aiMatrix4x4& transform, MeshObject& object) {
    const auto first = static_cast<std::uint32_t>(object.vertices.size());
    const bool mirrored = transform.Determinant() < 0;
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D v = transform * mesh.mVertices[i];
      object.vertices.emplace_back(v.x, v.y, v.z);
      if (!object.vertices.back().allFinite())
        refuse(path_, fmt::format("vertex {} of object '{}' is not finite", i + 1, one_line(object.name)));
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) {
        ++others_;
        continue;
      }
      std::array<std::uint32_t, 3> t;
      for (unsigned k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) refuse(path_, "a face names a vertex that there is not");
        t[k] = first + face.mIndices[k];
      }
      if (mirrored) std::swap(t[1], t[2]);
      object.triangles.push_back(t);
    }
    if (mesh.mNumFaces == 0) ++others_;
  }

  const aiScene& scene_;
  const std::string& path_;
  MeshFile out_;
  std::size_t others_ = 0;  // faces that are points or lines, and clouds of points
};

MeshFile import(const std::string& path) {
  const auto refused = std::make_shared<std::string>();
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);  // no axis is turned
  importer.SetIOHandler(new MeshFolder(path, refused));  // which it owns from here on
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
  const std::string elsewhere =
      refused->empty()
          ? ""
          : fmt::format("; it refers to '{}', which is no file in the mesh's own folder", one_line(*refused));
  if (!scene) throw Error(ErrorKind::kBadInput, importer.GetErrorString() + elsewhere);
  if (!scene->mRootNode) refuse(path, "holds no triangles");
  return Collector(*scene, path).collect();
}

std::string packed(MeshFile mesh) {
  std::vector<std::byte> bytes;
  Archive archive(bytes);
  archive(mesh.objects);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

MeshFile unpacked(const std::string& text) {
  MeshFile mesh;
  Archive archive(std::span(reinterpret_cast<const std::byte*>(text.data()), text.size()));
  archive(mesh.objects);
  return mesh;
}

}  // namespace

MeshObject MeshFile::joined() const {
  MeshObject all;
  for (const MeshObject& object : objects) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), object.vertices.begin(), object.vertices.end());
    for (const auto& t : object.triangles) all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return all;
}

MeshFile read_mesh_file(const std::string& path, std::size_t most_bytes) {
  std::uintmax_t bytes = 0;
  const std::string ending = check_path(path, most_bytes, bytes);
  if (ending == ".ply") check_ply_header(path, bytes);
  try {
    return unpacked(run_apart([&] { return packed(import(path)); }, kSeconds + static_cast<unsigned>(bytes >> 20)));
  } catch (const Error& e) {
    const std::string what = e.what();
    if (what.starts_with(path)) throw;
    refuse(path, fmt::format("cannot be read as a mesh: {}", one_line(what)));
  }
}

std::string mesh_text(const MeshFile& mesh) {
  Json objects = Json::array();
  for (const MeshObject& object : mesh.objects) {
    Json vertices = Json::array(), triangles = Json::array();
    for (const Eigen::Vector3d& v : object.vertices) vertices.push_back({v.x(), v.y(), v.z()});
    for (const auto& t : object.triangles) triangles.push_back(t);
    objects.push_back({{"name", object.name}, {"vertices", vertices}, {"triangles", triangles}});
  }
  return json_text(Json{{"objects", objects}});
}

MeshFile mesh_of_text(const std::string& text) {
  try {
    MeshFile mesh;
    const Json json = Json::parse(text);
    for (const Json& object : json.at("objects")) {
      MeshObject& out = mesh.objects.emplace_back();
      out.name = object.at("name").get<std::string>();
      for (const Json& v : object.at("vertices"))
        out.vertices.emplace_back(v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>());
      object.at("triangles").get_to(out.triangles);
    }
    return mesh;
  } catch (const Json::exception& e) {
    throw Error(ErrorKind::kBadInput, fmt::format("the kept mesh is damaged: {}", valid_utf8(e.what())));
  }
}

}  // namespace touchstone
