#include "io/scene/bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "io/scene/repeat.h"
#include "io/scene/scatter.h"
#include "io/scene/shapes.h"

namespace touchstone {
namespace {

constexpr std::size_t kMaxHints = 2000;

BodyKind kind_of(const std::string& name) {
  if (name == "static") return BodyKind::kStatic;
  return name == "kinematic" ? BodyKind::kKinematic : BodyKind::kDynamic;
}

std::optional<Eigen::Matrix3d> read_inertia(const SceneTable& table) {
  const std::vector<double> i = table.numbers("inertia");
  if (i.empty()) return std::nullopt;
  Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
  if (i.size() == 1) {
    out(2, 2) = i[0];
    return out;
  }
  out.diagonal() << i[0], i[1], i[2];
  if (i.size() == 6) {
    out(0, 1) = out(1, 0) = i[3];
    out(0, 2) = out(2, 0) = i[4];
    out(1, 2) = out(2, 1) = i[5];
  }
  return out;
}

std::optional<PrescribedMotion> read_motion(const SceneTable& body) {
  const toml::table* table = body.subtable("motion");
  if (!table) return std::nullopt;
  const ScenePath path{&body.path(), "motion"};
  const SceneTable reader(*table, path, body.dimension(), body.errors());
  PrescribedMotion motion;
  motion.velocity = reader.vector("velocity");
  motion.angular_velocity = reader.angular("angular_velocity");
  motion.amplitude = reader.vector("amplitude");
  motion.angular_amplitude = reader.angular("angular_amplitude");
  motion.frequency = reader.number("frequency", 0.0);
  motion.phase = reader.number("phase", 0.0);
  return motion;
}

BodyDescription read_body(const SceneTable& table, const SceneNames& names) {
  BodyDescription body;
  body.name = table.text("name", "");
  body.kind = kind_of(table.text("kind", "dynamic"));
  body.placement = read_placement(table);
  body.velocity = table.vector("velocity");
  body.angular_velocity = table.angular("angular_velocity");
  body.shapes = read_shapes(table, names.materials, names.meshes);
  body.material = read_material(table, names.materials, body.material);
  body.density = table.number("density");
  body.mass = table.number("mass");
  body.inertia = read_inertia(table);
  if (table.find("center_of_mass")) body.center_of_mass = table.vector("center_of_mass");
  body.gravity_scale = table.number("gravity_scale", body.gravity_scale);
  body.linear_drag = table.number("linear_drag", 0.0);
  body.quadratic_drag = table.number("quadratic_drag", 0.0);
  body.angular_drag = table.number("angular_drag", 0.0);
  body.table_friction = table.number("table_friction", 0.0);
  body.surface_velocity = table.vector("surface_velocity");
  body.motion = read_motion(table);
  body.groups = table.texts("groups");
  body.ignores = table.texts("ignores");
  body.tags = table.texts("tags");
  return body;
}

// A placement that is given in the frame of another.
Placement within(const Placement& frame, const Placement& local, int dimension) {
  Placement out;
  if (dimension == 2) {
    const Eigen::Rotation2Dd turn(frame.angle);
    out.position.head<2>() = frame.position.head<2>() + turn * local.position.head<2>();
    out.angle = frame.angle + local.angle;
    return out;
  }
  out.position = frame.position + frame.orientation.normalized() * local.position;
  out.orientation = frame.orientation.normalized() * local.orientation;
  return out;
}

// A body that is described in the frame of another and moves along with it, its own velocity added. The centres of mass
// count as being at the origins of the frames.
BodyDescription carried(const BodyDescription& carrier, const BodyDescription& body, int dimension) {
  BodyDescription out = body;
  out.placement = within(carrier.placement, body.placement, dimension);
  if (body.kind == BodyKind::kStatic) return out;
  const Eigen::Vector3d arm = out.placement.position - carrier.placement.position;
  out.velocity += carrier.velocity + carrier.angular_velocity.cross(arm);
  out.angular_velocity += carrier.angular_velocity;
  return out;
}

void check_kind(const SceneTable& table, const BodyDescription& body) {
  if (body.kind != BodyKind::kKinematic && body.motion)
    table.error("motion", "only a kinematic body has a prescribed motion; add kind = \"kinematic\"");
  for (const char* key : {"velocity", "angular_velocity"}) {
    if (!table.has(key)) continue;
    if (body.kind == BodyKind::kStatic)
      table.error(key, "a static body does not move; make it kinematic, or see surface_velocity");
    else if (body.kind == BodyKind::kKinematic && body.motion)
      table.error(key, fmt::format("motion is given too; use motion.{}", key));
  }
}

void check_mass(const SceneTable& table, const BodyDescription& body) {
  if (body.kind != BodyKind::kDynamic) return;
  const bool shapes = table.has("shape") || table.has("shapes");
  if (table.has("inertia") && !table.has("mass")) table.error("inertia", "a given inertia needs a given mass");
  if (!shapes && !(table.has("mass") && table.has("inertia")))
    table.error("shape", "is missing: a dynamic body needs a shape, or a mass and an inertia");
  const auto infinite = [](const ShapeDescription& s) { return s.kind == ShapeKind::kHalfSpace; };
  if (std::any_of(body.shapes.begin(), body.shapes.end(), infinite))
    table.error(table.has("shape") ? "shape" : "shapes",
                "a half_space is infinite and has no mass; add kind = \"static\" to the body");
}

class BodiesBuilder {
 public:
  BodiesBuilder(const toml::table& root, const SceneLimits& limits, SceneNames& names, SceneDescription& scene,
                SceneErrors& errors)
      : limits_(limits),
        names_(names),
        scene_(scene),
        errors_(errors),
        has_table_(root.contains("table")),
        places_(scene.dimension) {
    const toml::array* list = root["body"].as_array();
    for (std::size_t i = 0; list && i < list->size(); ++i)
      scatters_ |= (*list)[i].is_table() && (*list)[i].as_table()->contains("scatter");
  }

  BodyEntry add(const toml::table& entry, std::size_t index) {
    const std::size_t before = errors_.count();
    clash_reported_ = false;
    const std::string name = entry["name"].value_or(std::string());
    const ScenePath top, path{&top, "body", index, name};
    const SceneTable table(entry, path, scene_.dimension, errors_);
    const BodyDescription body = read_body(table, names_);
    check_kind(table, body);
    check_mass(table, body);
    if (body.table_friction > 0 && !has_table_)
      table.error("table_friction", "has no effect without a [table] section; add one");
    check_own_name(table, body);
    const std::size_t first = scene_.bodies.size();
    check_alone(table);
    if (const toml::table* repeat = table.subtable("repeat"))
      add_lattice(table, *repeat, body, index);
    else if (const toml::table* scatter = table.subtable("scatter"))
      add_scattered(table, *scatter, body, index);
    else if (table.has("each"))
      add_each(table, body);
    else if (has_room(table, 1))
      add_named(table, body, body.name);
    if (!body.name.empty() && (table.has("repeat") || table.has("scatter") || table.has("each")))
      names_.entries[body.name] = {first, scene_.bodies.size() - first};
    if (scatters_ && !table.has("scatter"))
      for (std::size_t i = first; i < scene_.bodies.size(); ++i) places_.add(scene_.bodies[i]);
    const bool right = errors_.count() == before && !errors_.is_bad(entry);
    return {&entry, index, first, scene_.bodies.size() - first, right};
  }

 private:
  void check_own_name(const SceneTable& table, const BodyDescription& body) {
    if (table.find("name") && body.name.empty())
      table.error("name", "must not be empty; leave it out for a name by place");
    if (body.name == "world") table.error("name", "means the world itself, in springs and joints; use another name");
    constexpr std::size_t kLongest = 200;
    if (body.name.size() > kLongest)
      table.error("name", fmt::format("is too long; at most {} bytes are allowed", kLongest));
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::any_of(body.name.begin(), body.name.end(), control))
      table.error("name", "must not hold control characters such as a line break");
  }

  bool has_room(const SceneTable& table, std::size_t count) {
    if (count <= limits_.bodies && scene_.bodies.size() + count <= limits_.bodies) return true;
    if (!full_)
      table.error(table.has("repeat") ? "repeat" : "name",
                  fmt::format("the scene has too many bodies: at most {} are possible", limits_.bodies));
    full_ = true;
    return false;
  }

  void add_lattice(const SceneTable& table, const toml::table& repeat, const BodyDescription& body, std::size_t index) {
    const ScenePath path{&table.path(), "repeat"};
    const Lattice lattice = read_lattice(SceneTable(repeat, path, scene_.dimension, errors_), scene_.seed, index);
    if (!has_room(table, lattice.size())) return;
    scene_.bodies.reserve(scene_.bodies.size() + lattice.size());
    BodyDescription copy = body;
    std::size_t i = 0;
    for (const Placement& placement : lattice_placements(lattice, body.placement, scene_.dimension)) {
      copy.placement = placement;
      add_named(table, copy, numbered(body.name, i));
      ++i;
    }
  }

  void check_alone(const SceneTable& table) {
    std::vector<const char*> given;
    for (const char* key : {"repeat", "scatter", "each"})
      if (table.has(key)) given.push_back(key);
    if (given.size() > 1) table.error(given[1], fmt::format("{} is given too; an entry has one of them", given[0]));
  }

  void add_scattered(const SceneTable& table, const toml::table& entry, const BodyDescription& body,
                     std::size_t index) {
    const ScenePath path{&table.path(), "scatter"};
    const SceneTable reader(entry, path, scene_.dimension, errors_);
    const Scatter scatter = read_scatter(reader, scene_.seed, index);
    if (errors_.is_bad(entry) || !has_room(table, static_cast<std::size_t>(scatter.count))) return;
    JitterGenerator random(scatter.seed);
    for (std::int64_t i = 0; i < scatter.count; ++i) {
      const std::optional<BodyDescription> one = scattered(body, scatter, scene_.dimension, random, places_);
      if (!one)
        return reader.error("count", fmt::format("only {} of them found a place without touching others; take fewer, a "
                                                 "larger box, or a smaller gap",
                                                 i));
      add_named(table, *one, numbered(body.name, static_cast<std::size_t>(i)));
      places_.add(scene_.bodies.back());
    }
  }

  void add_each(const SceneTable& table, const BodyDescription& body) {
    const std::optional<SceneNames::Several> several = read_each(table, names_);
    if (!several || !has_room(table, several->count)) return;
    for (std::size_t i = 0; i < several->count; ++i) {
      BodyDescription copy = carried(scene_.bodies[several->first + i], body, scene_.dimension);
      add_named(table, copy, numbered(body.name, i));
    }
  }

  static std::string numbered(const std::string& name, std::size_t i) {
    return name.empty() ? "" : fmt::format("{}_{}", name, i);
  }

  void add_named(const SceneTable& table, const BodyDescription& body, std::string name) {
    const bool given = !name.empty();
    if (!given) name = fmt::format("body_{}", scene_.bodies.size() + 1);
    const auto [place, fresh] = names_.bodies.try_emplace(name, scene_.bodies.size());
    if (!fresh && !clash_reported_ && !table.has("name"))
      table.error("name", fmt::format("is missing, and '{}' is taken: give this body a name", name));
    else if (!fresh && !clash_reported_)
      table.error("name", fmt::format("there is already a body named '{}'; names must be unique", name));
    clash_reported_ |= !fresh;
    scene_.bodies.push_back(body);
    scene_.bodies.back().name = std::move(name);
  }

  const SceneLimits& limits_;
  SceneNames& names_;
  SceneDescription& scene_;
  SceneErrors& errors_;
  bool has_table_, full_ = false, scatters_ = false;
  Places places_;                // where bodies are, if some are to be scattered
  bool clash_reported_ = false;  // once an entry is enough
};

}  // namespace

std::string read_body_name(const SceneTable& table, const char* key, const SceneNames& names) {
  std::string name = table.text(key, "world");
  if (name == "world" || name.empty()) return "";
  if (names.member && names.entries.contains(name)) name = names.numbered(name);
  if (!names.bodies.contains(name))
    table.error(key, fmt::format("there is no body of that name{}", did_you_mean(name, hints(names.bodies))));
  return name;
}

std::optional<SceneNames::Several> read_each(const SceneTable& table, const SceneNames& names) {
  if (!table.find("each")) return std::nullopt;
  const std::string name = table.text("each", "");
  const auto found = names.entries.find(name);
  if (found != names.entries.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [entry, several] : names.entries) known.push_back(entry);
  std::sort(known.begin(), known.end());
  table.error("each", fmt::format("there is no body entry of that name with repeat, scatter or each before it{}",
                                  did_you_mean(name, known)));
  return std::nullopt;
}

std::vector<std::string> hints(const std::unordered_set<std::string>& names) {
  std::vector<std::string> out;
  if (names.size() <= kMaxHints) out.assign(names.begin(), names.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> hints(const std::unordered_map<std::string, std::size_t>& names) {
  std::vector<std::string> out;
  if (names.size() <= kMaxHints)
    for (const auto& [name, index] : names) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<BodyEntry> build_bodies(const toml::table& root, const SceneLimits& limits, SceneNames& names,
                                    SceneDescription& scene, SceneErrors& errors) {
  std::vector<BodyEntry> entries;
  const toml::array* bodies = root["body"].as_array();
  if (!bodies) return entries;
  BodiesBuilder builder(root, limits, names, scene, errors);
  scene.bodies.reserve(std::min(bodies->size(), limits.bodies));
  for (std::size_t i = 0; i < bodies->size(); ++i)
    if (const toml::table* entry = (*bodies)[i].as_table()) entries.push_back(builder.add(*entry, i));
  return entries;
}

}  // namespace touchstone
