#include "io/scene/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "io/scene/bodies.h"
#include "io/scene/format.h"
#include "io/scene/surfaces.h"

namespace touchstone {
namespace {

// Below this a direction is rounding noise.
constexpr double kMinNorm = 1e-12;

// Scaled first: the squares of large numbers overflow.
template <class V>
bool normalise(V& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (!(largest > kMinNorm)) return false;
  v /= largest;
  v.normalize();
  return true;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const ShapeFormat* find_shape_format(const SceneTable& table) {
  const std::string name = table.text("kind", "");
  const auto& formats = shape_formats();
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const ShapeFormat& f) { return f.name == name; });
  if (found == formats.end()) return nullptr;  // the format check said so
  if (found->only_dimension == 0 || found->only_dimension == table.dimension()) return &*found;
  const auto other = std::find_if(formats.begin(), formats.end(), [&](const ShapeFormat& f) {
    return f.kind == found->kind && f.only_dimension == table.dimension();
  });
  table.error("kind", other == formats.end() ? fmt::format("needs a {}D scene, and dimension is {}",
                                                           found->only_dimension, table.dimension())
                                             : fmt::format("must be {} in {}D", other->name, table.dimension()));
  return nullptr;
}

void check_keys(const SceneTable& table, const ShapeFormat& format) {
  for (const std::string& key : format.required)
    if (!table.has(key.c_str())) table.error(key.c_str(), fmt::format("is missing: a {} needs it", format.name));
  std::vector<std::string> takes = format.required;
  takes.insert(takes.end(), format.optional.begin(), format.optional.end());
  for (const auto& [key, node] : table.toml()) {
    const std::string name(key.str());
    if (!is_shape_parameter(name) || contains(takes, name)) continue;
    table.errors().add_key(key.source(), {&table.path(), name},
                           fmt::format("does not belong to a {}: it takes {}", format.name, fmt::join(takes, ", ")));
  }
}

ShapeDescription read_shape(const SceneTable& table, const std::unordered_set<std::string>& materials,
                            const ShapeFormat*& format) {
  ShapeDescription shape;
  shape.placement = read_placement(table);
  shape.material = read_material(table, materials, "");
  format = find_shape_format(table);
  if (!format) return shape;
  check_keys(table, *format);
  shape.kind = format->kind;
  shape.radius = table.number("radius", 0.0);
  shape.length = table.number("length", 0.0);
  shape.size = table.vector(shape.kind == ShapeKind::kEllipsoid ? "radii" : "size");
  shape.vertices = table.vectors("vertices");
  if (shape.kind == ShapeKind::kHalfSpace) {
    shape.normal = table.vector("normal", table.dimension() == 2 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ());
    if (!normalise(shape.normal)) table.error("normal", "must not be zero: it is a direction");
  }
  return shape;
}

void add_shapes(const SceneTable& table, const std::unordered_set<std::string>& materials, SceneMeshes& meshes,
                std::vector<ShapeDescription>& out) {
  const std::size_t before = table.errors().count();
  const ShapeFormat* format = nullptr;
  ShapeDescription shape = read_shape(table, materials, format);
  if (!format) {
    out.push_back(std::move(shape));
    return;
  }
  shape.two_sided = table.boolean("two_sided", format->name == "segment");
  std::vector<ShapePart> parts;
  if (format->name == "mesh")
    parts = read_mesh(table, shape, meshes);
  else if (shape.kind == ShapeKind::kMesh)
    parts = {{read_chain(table, shape, format->name == "segment"), ""}};
  else if (shape.kind == ShapeKind::kHeightField)
    parts = {{read_height_field(table, shape), ""}};
  else
    parts = {{shape, ""}};
  const bool right = table.errors().count() == before && !table.errors().is_bad(table.toml());
  for (ShapePart& part : parts) {
    if (right) check_form(table, part, meshes);
    out.push_back(std::move(part.shape));
  }
}

}  // namespace

Placement read_placement(const SceneTable& table) {
  Placement placement;
  placement.position = table.vector("position");
  placement.angle = table.number("angle", 0.0);
  if (table.dimension() == 2) return placement;
  if (table.has("orientation") && table.has("axis_angle"))
    table.error("axis_angle", "orientation is given too; use one of them");
  if (const std::vector<double> q = table.numbers("orientation"); q.size() == 4) {
    Eigen::Vector4d wxyz(q[0], q[1], q[2], q[3]);
    if (normalise(wxyz))
      placement.orientation = Eigen::Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    else
      table.error("orientation", "must not be zero; no rotation is [1, 0, 0, 0]");
  }
  if (const std::vector<double> a = table.numbers("axis_angle"); a.size() == 4) {
    Eigen::Vector3d axis(a[0], a[1], a[2]);
    if (normalise(axis))
      placement.orientation = Eigen::AngleAxisd(a[3], axis);
    else
      table.error("axis_angle", "its axis, the first three numbers, must not be zero");
  }
  return placement;
}

std::string read_material(const SceneTable& table, const std::unordered_set<std::string>& materials,
                          const std::string& fallback) {
  const std::string name = table.text("material", fallback);
  if (name == fallback || materials.contains(name)) return name;
  table.error("material", fmt::format("there is no such material{}", did_you_mean(name, hints(materials))));
  return fallback;
}

std::vector<ShapeDescription> read_shapes(const SceneTable& body, const std::unordered_set<std::string>& materials,
                                          SceneMeshes& meshes) {
  std::vector<ShapeDescription> shapes;
  if (body.has("shape") && body.has("shapes")) body.error("shape", "shapes is given too; use one of them");
  if (const toml::table* single = body.subtable("shape")) {
    const ScenePath path{&body.path(), "shape"};
    add_shapes(SceneTable(*single, path, body.dimension(), body.errors()), materials, meshes, shapes);
  }
  const toml::array* several = body.toml()["shapes"].as_array();
  for (std::size_t i = 0; several && i < several->size(); ++i) {
    const toml::table* entry = (*several)[i].as_table();
    if (!entry) continue;
    const ScenePath path{&body.path(), "shapes", i};
    add_shapes(SceneTable(*entry, path, body.dimension(), body.errors()), materials, meshes, shapes);
  }
  return shapes;
}

}  // namespace touchstone
