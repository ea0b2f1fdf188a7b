#include "study/statics/scene_text.h"

#include <fmt/format.h>

#include "geometry/shape.h"
#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

// With a point, so that TOML reads a float.
std::string number(double x) {
  const std::string text = fmt::format("{}", x + 0.0);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string vector(const Eigen::Vector3d& v, int dimension) {
  std::string out = "[";
  for (int k = 0; k < dimension; ++k) out += (k > 0 ? ", " : "") + number(v[k]);
  return out + "]";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string option(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  if (const auto* x = std::get_if<double>(&value)) return number(*x);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return fmt::format("{}", std::get<std::int64_t>(value));
}

std::string rotation(const Placement& p, int dimension) {
  if (dimension == 2) return p.angle == 0 ? "" : ", angle = " + number(p.angle);
  if (p.orientation.coeffs() == Eigen::Quaterniond::Identity().coeffs()) return "";
  const Eigen::Quaterniond& q = p.orientation;
  return fmt::format(", orientation = [{}, {}, {}, {}]", number(q.w()), number(q.x()), number(q.y()), number(q.z()));
}

std::string shape_text(const ShapeDescription& s, int dimension) {
  std::string out = fmt::format("{{ kind = \"{}\"", shape_name(s.kind, dimension));
  switch (s.kind) {
    case ShapeKind::kBox:
      out += ", size = " + vector(s.size, dimension);
      break;
    case ShapeKind::kSphere:
      out += ", radius = " + number(s.radius);
      break;
    case ShapeKind::kHalfSpace:
      out += ", normal = " + vector(s.normal, dimension);
      break;
    case ShapeKind::kConvex:
      out += ", vertices = [";
      for (std::size_t i = 0; i < s.vertices.size(); ++i) out += (i > 0 ? ", " : "") + vector(s.vertices[i], dimension);
      out += "]";
      break;
    default:
      throw Error(ErrorKind::kUnsupported,
                  fmt::format("a shape of kind {} is not written to scene files", shape_name(s.kind, dimension)));
  }
  if (!s.placement.position.isZero(0)) out += ", position = " + vector(s.placement.position, dimension);
  return out + rotation(s.placement, dimension) + " }";
}

std::string body_text(const BodyDescription& b, int dimension) {
  std::string out = fmt::format("\n[[body]]\nname = {}\n", quoted(b.name));
  if (b.kind == BodyKind::kStatic) out += "kind = \"static\"\n";
  if (!b.placement.position.isZero(0)) out += "position = " + vector(b.placement.position, dimension) + "\n";
  if (const std::string turn = rotation(b.placement, dimension); !turn.empty()) out += turn.substr(2) + "\n";
  if (b.shapes.size() == 1) {
    out += "shape = " + shape_text(b.shapes[0], dimension) + "\n";
  } else if (!b.shapes.empty()) {
    out += "shapes = [\n";
    for (const ShapeDescription& s : b.shapes) out += "  " + shape_text(s, dimension) + ",\n";
    out += "]\n";
  }
  if (b.material != "default") out += "material = " + quoted(b.material) + "\n";
  if (b.density) out += "density = " + number(*b.density) + "\n";
  if (b.mass) out += "mass = " + number(*b.mass) + "\n";
  if (b.inertia) {
    const Eigen::Matrix3d& i = *b.inertia;
    out += dimension == 2 ? "inertia = " + number(i(2, 2)) + "\n"
                          : fmt::format("inertia = [{}, {}, {}, {}, {}, {}]\n", number(i(0, 0)), number(i(1, 1)),
                                        number(i(2, 2)), number(i(0, 1)), number(i(0, 2)), number(i(1, 2)));
  }
  if (b.center_of_mass) out += "center_of_mass = " + vector(*b.center_of_mass, dimension) + "\n";
  return out;
}

}  // namespace

std::string scene_text(const SceneDescription& scene, const std::string& comment) {
  if (!scene.joints.empty() || !scene.springs.empty() || !scene.forces.empty())
    throw Error(ErrorKind::kUnsupported, "joints, springs and forces are not written to scene files");
  std::string out = comment.empty() ? "" : "# " + comment + "\n";
  out += fmt::format("touchstone = 1\nname = {}\ndimension = {}\n", quoted(scene.name), scene.dimension);
  out += fmt::format("\n[simulation]\ngravity = {}\nstep = {}\nduration = {}\n", vector(scene.gravity, scene.dimension),
                     number(scene.step), number(scene.duration));
  out += fmt::format("\n[model]\nname = {}\n", quoted(scene.model.name));
  for (const auto& [name, value] : scene.model.options) out += name + " = " + option(value) + "\n";
  for (const MaterialDescription& m : scene.materials)
    out += fmt::format(
        "\n[[material]]\nname = {}\nstatic_friction = {}\ndynamic_friction = {}\nrestitution = {}\ndensity = {}\n",
        quoted(m.name), number(m.static_friction), number(m.dynamic_friction), number(m.restitution),
        number(m.density));
  for (const BodyDescription& b : scene.bodies) out += body_text(b, scene.dimension);
  return out;
}

}  // namespace touchstone::statics
