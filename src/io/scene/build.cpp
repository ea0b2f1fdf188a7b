#include "io/scene/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "collision/narrow/narrow.h"
#include "io/scene/bodies.h"
#include "io/scene/controllers.h"
#include "io/scene/joints.h"
#include "io/scene/world_check.h"

namespace touchstone {
namespace {

struct Surface {
  double static_friction, dynamic_friction, restitution;
};

// `friction`, or both of its parts; `fallback` for what is not given.
Surface read_surface(const SceneTable& table, const Surface& fallback) {
  Surface s = fallback;
  s.restitution = table.number("restitution", fallback.restitution);
  if (const auto both = table.number("friction")) s.static_friction = s.dynamic_friction = *both;
  const bool has_static = table.has("static_friction"), has_dynamic = table.has("dynamic_friction");
  if (!has_static && !has_dynamic) return s;
  if (table.has("friction")) {
    table.error("friction", "static_friction or dynamic_friction is given too; use friction, or both of the others");
  } else if (has_static != has_dynamic) {
    table.error(has_static ? "static_friction" : "dynamic_friction",
                "static_friction and dynamic_friction go together; friction sets both");
  } else if (const auto mu_s = table.number("static_friction"), mu_d = table.number("dynamic_friction"); mu_s && mu_d) {
    if (*mu_s < *mu_d)
      table.error("static_friction", fmt::format("must be at least dynamic_friction, which is {}", *mu_d));
    else
      s.static_friction = *mu_s, s.dynamic_friction = *mu_d;
  }
  return s;
}

class SceneBuilder {
 public:
  SceneBuilder(const toml::table& root, int dimension, const SceneLimits& limits, SceneMeshes& meshes,
               SceneErrors& errors)
      : root_(root), limits_(limits), errors_(errors), names_{{}, {}, meshes} {
    scene_.dimension = dimension;
    names_.materials.insert("default");
  }

  SceneDescription build() {
    const SceneTable top(root_, top_path_, scene_.dimension, errors_);
    scene_.name = top.text("name", scene_.name);
    build_simulation();
    build_model();
    build_collision();
    build_record();
    build_table();
    each("material", [&](const SceneTable& t) { add_material(t); });
    each("material_pair", [&](const SceneTable& t) { add_material_pair(t); });
    const std::vector<BodyEntry> entries = build_bodies(root_, limits_, names_, scene_, errors_);
    check_in_world(scene_, entries, errors_);
    each("spring", [&](const SceneTable& t) { add_spring(t); });
    each("force", [&](const SceneTable& t) { add_force(t); });
    SceneJoints joints(names_, scene_, errors_);
    each("joint", [&](const SceneTable& t) { each_member(t, [&] { joints.add(t); }); });
    SceneControllers controllers(names_, scene_);
    each("controller", [&](const SceneTable& t) { each_member(t, [&] { controllers.add(t); }); });
    return std::move(scene_);
  }

 private:
  // Calls the function with the section, which is empty if the file has none.
  template <class F>
  void section(const char* name, F&& read) {
    static const toml::table empty;
    const toml::table* table = root_[name].as_table();
    const ScenePath path{&top_path_, name};
    read(SceneTable(table ? *table : empty, path, scene_.dimension, errors_));
  }

  template <class F>
  void each(const char* name, F&& read) {
    const toml::array* array = root_[name].as_array();
    for (std::size_t i = 0; array && i < array->size(); ++i) {
      const toml::table* table = (*array)[i].as_table();
      if (!table) continue;
      const std::string entry = (*table)["name"].value_or(std::string());
      const ScenePath path{&top_path_, name, i, entry};
      read(SceneTable(*table, path, scene_.dimension, errors_));
    }
  }

  // Calls the function once, or for each body that `each` of the entry names. A mistake is reported once.
  template <class F>
  void each_member(const SceneTable& t, F&& read) {
    const std::optional<SceneNames::Several> several = read_each(t, names_);
    if (!several) {
      if (!t.has("each")) read();
      return;
    }
    const std::size_t before = errors_.count();
    for (std::size_t i = 0; i < several->count && errors_.count() == before; ++i) {
      names_.member = i;
      read();
    }
    names_.member.reset();
  }

  void build_simulation() {
    section("simulation", [&](const SceneTable& t) {
      scene_.gravity = t.vector("gravity", scene_.dimension == 2 ? Eigen::Vector3d(0, -9.81, 0) : scene_.gravity);
      scene_.step = t.number("step", scene_.step);
      scene_.duration = t.number("duration", scene_.duration);
      refuse_long_step(t);
      scene_.seed = static_cast<std::uint64_t>(t.integer("seed", static_cast<std::int64_t>(scene_.seed)));
      const std::string name = t.text("integrator", integrator_name(scene_.integrator));
      for (const Integrator i : {Integrator::kExplicitEuler, Integrator::kSemiImplicitEuler, Integrator::kRk4})
        if (integrator_name(i) == name) scene_.integrator = i;
    });
  }

  // At the key that the file has; a duration of 0 is a run without steps.
  void refuse_long_step(const SceneTable& t) {
    if (!(scene_.duration > 0) || !(scene_.step > scene_.duration)) return;
    if (t.has("step"))
      t.error("step", fmt::format("must be at most the duration, {} s (simulation.duration)", scene_.duration));
    else
      t.error("duration", fmt::format("must be at least one step, {} s (simulation.step)", scene_.step));
  }

  void build_model() {
    section("model", [&](const SceneTable& t) {
      scene_.model.name = t.text("name", scene_.model.name);
      const ModelInfo& model = find_model(scene_.model.name);
      for (const KeySpec& key : model.options.keys)
        if (const toml::node* node = t.find(key.name.c_str()))
          scene_.model.options[key.name] = option_value(*node, key);
    });
    const ModelInfo& model = find_model(scene_.model.name);
    const auto& allowed = model.capabilities.integrators;
    if (std::find(allowed.begin(), allowed.end(), scene_.integrator) != allowed.end()) return;
    std::vector<std::string> words;
    for (const Integrator i : allowed) words.push_back(integrator_name(i));
    section("simulation", [&](const SceneTable& t) {
      t.error("integrator", fmt::format("model '{}' does not support it; use {}", model.name, join_or(words)));
    });
    scene_.integrator = allowed.front();
  }

  static OptionValue option_value(const toml::node& node, const KeySpec& key) {
    if (key.type == ValueType::kNumber) return node.value<double>().value_or(0.0);
    if (key.type == ValueType::kInteger) return node.value<std::int64_t>().value_or(0);
    if (key.type == ValueType::kBool) return node.value<bool>().value_or(false);
    return node.value<std::string>().value_or("");
  }

  void build_collision() {
    section("collision", [&](const SceneTable& t) {
      const std::string broad = t.text("broad_phase", "tree"), narrow = t.text("narrow_phase", "auto");
      if (broad == "sweep_and_prune") scene_.collision.broad_phase = BroadPhaseKind::kSweepAndPrune;
      if (broad == "brute_force") scene_.collision.broad_phase = BroadPhaseKind::kBruteForce;
      for (const NarrowRoutine<3>& routine : narrow_routines<3>())
        if (narrow == routine.name) scene_.collision.narrow_phase = routine.phase;
    });
  }

  void build_record() {
    section("record", [&](const SceneTable& t) {
      scene_.record.every = t.integer("every", scene_.record.every);
      scene_.record.poses = t.boolean("poses", scene_.record.poses);
      scene_.record.velocities = t.boolean("velocities", scene_.record.velocities);
      scene_.record.contacts = t.boolean("contacts", scene_.record.contacts);
      scene_.record.yardstick = t.boolean("yardstick", scene_.record.yardstick);
    });
  }

  void build_table() {
    if (scene_.dimension != 2 || !root_["table"].is_table()) return;
    section("table", [&](const SceneTable& t) {
      TableDescription table;
      if (t.text("law", "coulomb") == "viscous") table.law = TableDescription::Law::kViscous;
      table.gravity = t.number("gravity", table.gravity);
      table.rate = t.number("rate", table.rate);
      table.static_speed = t.number("static_speed", table.static_speed);
      table.spin = t.boolean("spin", table.spin);
      scene_.table = table;
    });
  }

  void add_material(const SceneTable& t) {
    MaterialDescription material;
    material.name = t.text("name", "");
    const Surface s = read_surface(t, {material.static_friction, material.dynamic_friction, material.restitution});
    material.static_friction = s.static_friction;
    material.dynamic_friction = s.dynamic_friction;
    material.restitution = s.restitution;
    material.density = t.number("density", material.density);
    if (!t.find("name")) return;  // the format check said so
    if (material.name.empty()) return t.error("name", "must not be empty");
    if (scene_.materials.size() == limits_.materials)
      return t.error("name", fmt::format("is one too many: a scene has at most {} materials", limits_.materials));
    const bool redefines =
        material.name == "default" && std::none_of(scene_.materials.begin(), scene_.materials.end(),
                                                   [](const auto& m) { return m.name == "default"; });
    if (!names_.materials.insert(material.name).second && !redefines)
      return t.error("name", "there is already a material of that name; names must be unique");
    material_index_[material.name] = scene_.materials.size();
    scene_.materials.push_back(std::move(material));
  }

  MaterialDescription material(const std::string& name) const {
    const auto found = material_index_.find(name);
    return found == material_index_.end() ? MaterialDescription{} : scene_.materials[found->second];
  }

  void add_material_pair(const SceneTable& t) {
    if (!t.find("materials")) return;
    const std::vector<std::string> pair = t.texts("materials");
    if (pair.size() != 2) return t.error("materials", "must be a list of two names");
    for (const std::string& name : pair)
      if (!names_.materials.contains(name))
        return t.error("materials",
                       fmt::format("there is no material '{}'{}", name, did_you_mean(name, hints(names_.materials))));
    if (!pairs_.insert(std::minmax(pair[0], pair[1])).second) return t.error("materials", "this pair is given twice");
    const MaterialDescription a = material(pair[0]), b = material(pair[1]);
    const Surface s =
        read_surface(t, {std::sqrt(a.static_friction * b.static_friction),
                         std::sqrt(a.dynamic_friction * b.dynamic_friction), std::max(a.restitution, b.restitution)});
    scene_.material_pairs.push_back({pair[0], pair[1], s.static_friction, s.dynamic_friction, s.restitution});
  }

  void add_force(const SceneTable& t) {
    SteadyForceDescription force;
    force.body = read_body_name(t, "body", names_);
    if (force.body.empty() && t.has("body")) t.error("body", "must be a dynamic body");
    const auto found = std::find_if(scene_.bodies.begin(), scene_.bodies.end(),
                                    [&](const BodyDescription& b) { return b.name == force.body; });
    if (found != scene_.bodies.end() && found->kind != BodyKind::kDynamic)
      t.error("body", "is not dynamic: a force has no effect on it");
    force.force = t.vector("force");
    force.torque = t.angular("torque");
    if (t.has("point")) force.point = t.vector("point");
    force.from = t.number("from", force.from);
    force.until = t.number("until", force.until);
    if (force.until < force.from) t.error("until", "must not be before `from`");
    scene_.forces.push_back(std::move(force));
  }

  void add_spring(const SceneTable& t) {
    SpringDescription spring;
    spring.body_a = read_body_name(t, "body_a", names_);
    spring.body_b = read_body_name(t, "body_b", names_);
    if (spring.body_a == spring.body_b && !t.errors().is_bad(t.toml()))
      t.error("body_b", "a spring must join two different bodies, or a body and the world");
    spring.point_a = t.vector("point_a");
    spring.point_b = t.vector("point_b");
    spring.stiffness = t.number("stiffness", 0.0);
    spring.damping = t.number("damping", 0.0);
    spring.rest_length = t.number("rest_length");
    scene_.springs.push_back(std::move(spring));
  }

  const toml::table& root_;
  const SceneLimits& limits_;
  SceneErrors& errors_;
  const ScenePath top_path_;
  SceneNames names_;
  std::unordered_map<std::string, std::size_t> material_index_;
  std::set<std::pair<std::string, std::string>> pairs_;
  SceneDescription scene_;
};

}  // namespace

SceneDescription build_scene(const toml::table& root, int dimension, const SceneLimits& limits, SceneMeshes& meshes,
                             SceneErrors& errors) {
  return SceneBuilder(root, dimension, limits, meshes, errors).build();
}

}  // namespace touchstone
