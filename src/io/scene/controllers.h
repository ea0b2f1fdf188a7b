#pragma once
// The [[controller]] entries.
#include <string>
#include <unordered_set>

#include "io/scene/bodies.h"
#include "touchstone/controller.h"

namespace touchstone {

class SceneControllers {
 public:
  // The bodies and joints are in the scene already.
  SceneControllers(const SceneNames& names, SceneDescription& scene) : names_(names), scene_(scene) {}
  void add(const SceneTable& table);

 private:
  void read_parameters(const SceneTable& table, const ControllerKind& kind, ControllerDescription& controller) const;
  std::string read_joint_name(const SceneTable& table, const char* key) const;

  const SceneNames& names_;
  SceneDescription& scene_;
  std::unordered_set<std::string> taken_;
};

}  // namespace touchstone
