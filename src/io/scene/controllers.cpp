#include "io/scene/controllers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "models/registry.h"
#include "sim/controller_registry.h"

namespace touchstone {

void SceneControllers::add(const SceneTable& table) {
  ControllerDescription controller;
  controller.name = names_.numbered(table.text("name", ""));
  if (table.has("name") && table.find("name") && controller.name.empty())
    table.error("name", "must not be empty; leave it out for a name by place");
  if (controller.name.empty()) controller.name = fmt::format("controller_{}", scene_.controllers.size() + 1);
  if (!taken_.insert(controller.name).second)
    table.error("name", fmt::format("there is already a controller named '{}'; names must be unique", controller.name));
  controller.body = read_body_name(table, "body", names_);
  controller.kind = table.text("kind", "");
  const auto& kinds = registered_controllers();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const ControllerKind& k) { return k.name == controller.kind; });
  if (kind != kinds.end()) {  // otherwise the format check said so
    if (kind->needs_body && !table.has("body")) table.error("body", "is missing: the body that the controller moves");
    const ModelInfo& model = find_model(scene_.model.name);
    if (kind->needs_joints && !model.capabilities.joints)
      table.error("kind", fmt::format("model '{}' does not support joints, and this controller adds some; take "
                                      "another model (touchstone models)",
                                      model.name));
    read_parameters(table, *kind, controller);
  }
  scene_.controllers.push_back(std::move(controller));
}

void SceneControllers::read_parameters(const SceneTable& table, const ControllerKind& kind,
                                       ControllerDescription& controller) const {
  const toml::table* given = table.subtable("parameters");
  if (!given) return;
  const ScenePath path{&table.path(), "parameters"};
  const SceneTable values(*given, path, table.dimension(), table.errors());
  for (const ControllerParameter& p : kind.parameters) {
    const char* key = p.name.c_str();
    if (!values.find(key)) continue;
    ParameterValue& value = controller.parameters[p.name];
    switch (p.type) {
      case ParameterType::kBool:
        value = values.boolean(key, false);
        break;
      case ParameterType::kInteger:
        value = values.integer(key, 0);
        break;
      case ParameterType::kNumber:
        value = values.number(key, 0.0);
        break;
      case ParameterType::kText:
        value = values.text(key, "");
        break;
      case ParameterType::kVector:
        value = values.vector(key);
        break;
      case ParameterType::kBody:
        value = read_body_name(values, key, names_);
        break;
      case ParameterType::kJoint:
        value = read_joint_name(values, key);
        break;
    }
  }
}

std::string SceneControllers::read_joint_name(const SceneTable& table, const char* key) const {
  const std::string given = table.text(key, "");
  std::vector<std::string> names;
  for (const JointDescription& j : scene_.joints) {
    if (j.name == given) return given;
    names.push_back(j.name);
  }
  const std::string name = names_.numbered(given);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  table.error(key, fmt::format("there is no joint of that name{}", did_you_mean(given, names)));
  return given;
}

}  // namespace touchstone
