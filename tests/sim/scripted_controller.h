#pragma once
// A controller that does what a test says.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/scene_builders.h"
#include "touchstone/controller.h"

namespace touchstone::testing {

using Script = std::function<void(ControllerContext&, std::int64_t call)>;

inline std::map<std::string, Script>& scripts() {
  static std::map<std::string, Script> all;
  return all;
}

// Does what the script says whose name is its parameter, and counts its calls.
class Scripted final : public Controller {
 public:
  explicit Scripted(std::string script) : script_(std::move(script)) {}
  void act(ControllerContext& world) override { scripts().at(script_)(world, calls_++); }
  void serialize(ControllerState& state) override { state(calls_), state(notes_); }

 private:
  std::string script_;
  std::int64_t calls_ = 0;
  std::vector<std::optional<std::string>> notes_{std::nullopt, "kept"};
};

inline void make_known() {
  static const bool once = [] {
    ControllerKind kind;
    kind.name = "scripted";
    kind.help = "Does what a script says.";
    kind.parameters = {{"script", ParameterType::kText, "", "Its name.", std::nullopt},
                       {"gain", ParameterType::kNumber, "N", "A number.", 2.0, 0.0, 10.0},
                       {"other", ParameterType::kBody, "", "A body.", ""},
                       {"place", ParameterType::kVector, "m", "A place.", Eigen::Vector3d(1, 2, 0)}};
    kind.needs_body = false;
    kind.make = [](const ControllerSetup& s) { return std::make_unique<Scripted>(s.text("script")); };
    register_controller(kind);
    return true;
  }();
  (void)once;
}

inline ControllerDescription scripted(const std::string& script, const Script& does, const std::string& body = "") {
  make_known();
  scripts()[script] = does;
  ControllerDescription c;
  c.kind = "scripted", c.name = script, c.body = body;
  c.parameters["script"] = script;
  return c;
}

// Balls of 1 kg without gravity, 1 m apart.
inline SceneDescription balls(int count, const std::string& model = "impulse") {
  SceneDescription s = empty_scene(2, 0.01);
  s.gravity.setZero();
  s.model.name = model;
  s.materials = {material(0, 0)};
  for (int i = 0; i < count; ++i) {
    s.bodies.push_back(body("ball_" + std::to_string(i), sphere(0.1), {static_cast<double>(i), 0, 0}));
    s.bodies.back().mass = 1;
  }
  return s;
}

}  // namespace touchstone::testing
