// Purpose: meshes and colours of MJCF files. Source: MuJoCo, XML reference, "asset". Letters: none. Deviations: a mesh
// is read when a geom uses it. Fails: with an Error at the geom that needs a mesh.
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "geometry/hull.h"
#include "io/robot/mjcf.h"
#include "io/robot/pose.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

std::string asset_name(const XmlNode& node) {
  if (auto name = node.text("name")) return *name;
  const auto file = node.text("file");
  if (!file) node.refuse("needs a name or a file");
  return fs::path(*file).stem().string();
}

template <class Map, class Value>
void add_asset(const XmlNode& node, Map& map, const std::string& name, const Value& value) {
  if (!map.emplace(name, value).second) node.refuse(fmt::format("there is another <{}> '{}'", node.name(), name));
}

std::vector<Eigen::Vector3d> inline_vertices(const XmlNode& mesh) {
  const std::vector<double> n = *mesh.numbers("vertex", 12, 30'000'000);
  if (n.size() % 3 != 0) mesh.refuse_attribute("vertex", "must have three numbers for each vertex");
  std::vector<Eigen::Vector3d> out;
  for (std::size_t i = 0; i < n.size(); i += 3) out.emplace_back(n[i], n[i + 1], n[i + 2]);
  return out;
}

RobotMesh inline_mesh(const XmlNode& mesh) {
  RobotMesh out{inline_vertices(mesh), {}};
  const auto faces = mesh.numbers("face", 3, 30'000'000);
  if (!faces) {  // the mesh is the hull of its vertices
    const Polytope<3> hull = convex_hull<3>(out.vertices);
    out.vertices = hull.vertices;
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      const auto face = hull.face(f);
      for (std::size_t i = 1; i + 1 < face.size(); ++i) out.triangles.push_back({face[0], face[i], face[i + 1]});
    }
    return out;
  }
  if (faces->size() % 3 != 0) mesh.refuse_attribute("face", "must have three vertices for each triangle");
  for (std::size_t i = 0; i < faces->size(); i += 3) {
    std::array<std::uint32_t, 3> t;
    for (std::size_t k = 0; k < 3; ++k) {
      const double v = (*faces)[i + k];
      if (v != std::floor(v) || v < 0 || v >= static_cast<double>(out.vertices.size()))
        mesh.refuse_attribute("face", fmt::format("names vertex {:g}; there are {} (from 0)", v, out.vertices.size()));
      t[k] = static_cast<std::uint32_t>(v);
    }
    out.triangles.push_back(t);
  }
  return out;
}

RobotMesh file_mesh(const XmlNode& mesh, MjcfContext& context) {
  const std::string given = mesh.required("file");
  const fs::path file = context.compiler.strip_path ? fs::path(given).filename() : fs::path(given);
  const fs::path folder = fs::path(context.document.files.front()).parent_path() / context.compiler.mesh_folder;
  const fs::path path = (file.is_absolute() ? file : folder / file).lexically_normal();
  if (std::error_code error; !fs::exists(path, error))
    mesh.refuse_attribute("file", fmt::format("is not found: there is no file {}", valid_utf8(path.string())));
  try {
    return context.meshes.get(path.string(), Eigen::Vector3d::Ones());
  } catch (const Error& e) {
    mesh.refuse_attribute("file", e.what());
  }
}

}  // namespace

void read_mjcf_assets(const XmlNode& mujoco, MjcfContext& context) {
  const char* section = "asset";
  for (const XmlNode& node : mjcf_section(mujoco, section, "mesh"))
    add_asset(node, context.mesh_assets, asset_name(node),
              MjcfMeshAsset{node.place(), context.defaults.chain(node, node.text("class", ""), {"mesh"})});
  for (const XmlNode& node : mjcf_section(mujoco, section, "hfield"))
    add_asset(node, context.height_fields, asset_name(node), node.place());
  for (const XmlNode& plain : mjcf_section(mujoco, section, "material")) {
    const XmlNode node = context.defaults.with_defaults(plain, "", "material");
    std::array<double, 4> color{1, 1, 1, 1};
    node.overlay("rgba", color);
    add_asset(node, context.colors, node.required("name"), color);
  }
}

RobotMesh read_mjcf_mesh(const XmlNode& geom, const std::string& name, MjcfContext& context) {
  const auto found = context.mesh_assets.find(name);
  if (found == context.mesh_assets.end()) {
    std::vector<std::string> known;
    for (const auto& [each, ignored] : context.mesh_assets) known.push_back(each);
    geom.refuse(fmt::format("there is no mesh '{}' in <asset>{}", name, did_you_mean(name, known)));
  }
  const XmlNode mesh(context.document, found->second.element, found->second.defaults);
  const Eigen::Vector3d scale = mesh.vector("scale", Eigen::Vector3d::Ones());
  if (scale.prod() == 0) mesh.refuse_attribute("scale", "must not have a 0 in it");
  RobotPose reference;
  reference.position = mesh.vector("refpos", Eigen::Vector3d::Zero());
  if (const auto q = mesh.numbers("refquat", 4, 4))
    reference.orientation = Eigen::Quaterniond((*q)[0], (*q)[1], (*q)[2], (*q)[3]).normalized();
  if (!mesh.has("file") && !mesh.has("vertex"))
    mesh.refuse("needs a file, or vertices; meshes that MuJoCo makes by itself are not supported");
  mesh.text("face");
  RobotMesh out;
  try {
    out = mesh.has("file") ? file_mesh(mesh, context) : inline_mesh(mesh);
  } catch (const Error& e) {
    mesh.throw_here(e, fmt::format(" (used in line {})", geom.line()));
  }
  const RobotPose back = inverse(reference);
  for (Eigen::Vector3d& v : out.vertices) v = back * v;
  return scaled(std::move(out), scale);
}

}  // namespace touchstone
