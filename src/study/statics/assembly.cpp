#include "study/statics/assembly.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "geometry/convex_parts.h"
#include "recording/fclib_file.h"
#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

using Json = nlohmann::json;

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, valid_utf8(message)); }

// Files hold single precision in 9 digits, 0.899999976 for 0.9: the shortest decimal of that single is what was meant.
double meant(double x) {
  const auto single = static_cast<float>(x);
  if (fmt::format("{:.9g}", single) != fmt::format("{:.17g}", x) &&
      fmt::format("{:.9g}", single) != fmt::format("{}", x))
    return x;
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, single);
  double out = x;
  std::from_chars(text, end.ptr, out);
  return out;
}

// Of lists and objects within each other. An assembly has 5; copies and prints of a value are recursive.
constexpr int kMostDepth = 32;

// A wrong value as a message shows it.
std::string shown(const Json& value) {
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_object()) return "an object";
  const std::string text = json_text(value);
  return text.size() > 40 ? valid_utf8(text.substr(0, 40)) + "..." : text;
}

Eigen::Matrix3d turn_of(const AssemblySettings& s) {
  const double quarters = s.degrees / 90;
  double c = std::cos(s.degrees * M_PI / 180), sn = std::sin(s.degrees * M_PI / 180);
  if (quarters == std::round(quarters)) {  // exactly
    const int k = static_cast<int>(std::fmod(std::fmod(quarters, 4) + 4, 4));
    c = k == 0 ? 1 : k == 2 ? -1 : 0, sn = k == 1 ? 1 : k == 3 ? -1 : 0;
  }
  Eigen::Matrix3d m = Eigen::Matrix3d::Identity();
  const int u = (s.axis + 1) % 3, v = (s.axis + 2) % 3;
  m(u, u) = c, m(u, v) = -sn, m(v, u) = sn, m(v, v) = c;
  return m;
}

class Reader {
 public:
  Reader(const std::string& path, const AssemblySettings& settings) : path_(path), turn_(turn_of(settings)) {
    scene_.dimension = 3;
    if (settings.friction) {
      MaterialDescription material;
      material.static_friction = material.dynamic_friction = *settings.friction;
      scene_.materials.push_back(material);
    }
  }

  SceneDescription read(const std::string& text) {
    Json root;
    try {
      root = Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
        if (depth > kMostDepth)
          bad(fmt::format("{}: is nested deeper than {} levels; no assembly is", path_, kMostDepth));
        return true;
      });
    } catch (const Json::exception& e) {
      const std::string what = e.what();  // begins with "[json.exception...] "
      bad(fmt::format("{}: not valid JSON: {}", path_, what.substr(what.find("] ") + 2)));
    }
    if (!root.is_object() || !root.contains("blocks") || !root["blocks"].is_array())
      bad(fmt::format("{}: an assembly is an object with a list `blocks`", path_));
    const Json name = root.value("name", Json("assembly"));
    if (!name.is_string()) bad(fmt::format("{}: `name` must be a text, not {}", path_, shown(name)));
    scene_.name = name.get<std::string>();
    for (std::size_t i = 0; i < root["blocks"].size(); ++i) add_block(i, root["blocks"][i]);
    if (scene_.bodies.empty()) bad(fmt::format("{}: there are 0 blocks", path_));
    return std::move(scene_);
  }

 private:
  [[noreturn]] void bad_block(std::size_t i, const std::string& what) const {
    bad(fmt::format("{}: block {}: {}", path_, i, what));
  }

  Vec<3> vertex(std::size_t block, const Json& v) const {
    if (!v.is_array() || v.size() != 3 || !v[0].is_number() || !v[1].is_number() || !v[2].is_number())
      bad_block(block, fmt::format("a vertex must be three numbers, not {}", shown(v)));
    constexpr double kMost = 1e30;  // [m]: volumes and their moments are products of five of them
    for (const Json& x : v)
      if (!(std::abs(x.get<double>()) <= kMost))
        bad_block(block, fmt::format("a coordinate is {} m; at most {:g} m are possible", shown(x), kMost));
    return turn_ * Vec<3>(meant(v[0].get<double>()), meant(v[1].get<double>()), meant(v[2].get<double>()));
  }

  std::vector<Face3> faces_of(std::size_t i, const Json& block) const {
    for (const char* key : {"vertices", "faces"})
      if (!block.is_object() || !block.contains(key) || !block[key].is_array())
        bad_block(i, fmt::format("`{}` is missing or is not a list", key));
    std::vector<Vec<3>> vertices;
    for (const Json& v : block["vertices"]) vertices.push_back(vertex(i, v));
    std::vector<Face3> faces;
    for (const Json& ring : block["faces"]) {
      faces.emplace_back();
      if (!ring.is_array()) bad_block(i, "a face must be a list of indices of vertices");
      for (const Json& k : ring) {
        if (!k.is_number_unsigned() || k.get<std::size_t>() >= vertices.size())
          bad_block(i, fmt::format("a face has the index {}; there are {}, counted from 0", shown(k),
                                   counted(vertices.size(), "vertex")));
        faces.back().push_back(vertices[k.get<std::size_t>()]);
      }
    }
    return faces;
  }

  void add_block(std::size_t i, const Json& block) {
    BodyDescription body;
    std::vector<std::vector<Vec<3>>> parts;
    try {
      parts = convex_parts(faces_of(i, block));
    } catch (const Error& e) {
      const std::string what = e.what();
      if (what.starts_with(path_)) throw;
      bad_block(i, what);
    }
    const Json node = block.value("node", Json(i));
    body.name = "block_" + (node.is_number_integer() ? std::to_string(node.get<std::int64_t>()) : std::to_string(i));
    const Json support = block.value("support", Json(false));
    if (!support.is_boolean()) bad_block(i, "`support` must be true or false");
    if (support.get<bool>()) body.kind = BodyKind::kStatic;
    const Json density = block.value("density", Json(1.0));
    if (!density.is_number() || !(density.get<double>() > 0)) bad_block(i, "`density` must be a positive number");
    body.density = density.get<double>();
    for (const auto& corners : parts) {
      std::vector<Eigen::Vector3d> points(corners.begin(), corners.end());
      body.shapes.push_back(ShapeDescription::convex(std::move(points)));
    }
    scene_.bodies.push_back(std::move(body));
  }

  const std::string path_;
  const Eigen::Matrix3d turn_;
  SceneDescription scene_;
};

}  // namespace

void parse_rotation(const std::string& text, AssemblySettings& settings) {
  const std::size_t axis = text.size() > 2 && text[1] == '=' ? std::string("xyz").find(text[0]) : std::string::npos;
  double degrees = 0;
  const char* end = text.data() + text.size();
  if (axis == std::string::npos) bad(fmt::format("--rotate {}: expected AXIS=DEGREES, such as y=90", text));
  const auto [rest, error] = std::from_chars(text.data() + 2, end, degrees);
  if (error != std::errc() || rest != end || !std::isfinite(degrees))
    bad(fmt::format("--rotate {}: '{}' is no angle in degrees", text, text.substr(2)));
  settings.axis = static_cast<int>(axis), settings.degrees = degrees;
}

bool is_assembly_file(const std::string& path) { return path.ends_with(".json"); }

SceneDescription parse_assembly(const std::string& text, const std::string& path, const AssemblySettings& settings) {
  return Reader(path, settings).read(text);
}

SceneDescription read_assembly(const std::string& path, const AssemblySettings& settings) {
  return parse_assembly(read_whole_file(path, "block assembly"), path, settings);
}

}  // namespace touchstone::statics
