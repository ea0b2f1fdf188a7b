#pragma once
// The messages of a live viewer: what it may ask for, and what it is told.
#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "touchstone/description.h"

namespace touchstone::viewer {

enum class Verb { kPlay, kPause, kStep, kSpeed, kRestart, kModel, kStepSize, kMaterial, kDrag, kRelease, kGoto };

struct Command {
  Verb verb = Verb::kPause;
  double value = 0;        // speed; step size [s]
  std::int64_t steps = 0;  // of kStep; of kGoto the step to go to
  std::string name;        // of a model, of a material
  std::optional<double> static_friction, dynamic_friction, restitution;
  std::uint32_t body = 0;                                                             // slot
  Eigen::Vector3d local = Eigen::Vector3d::Zero(), target = Eigen::Vector3d::Zero();  // [m]
};

// The command, or a sentence that says what is wrong with the message.
std::variant<Command, std::string> parse_command(std::string_view message);

struct Status {
  bool running = false, edited = false, failed = false, dragging = false;
  double speed = 1, time = 0, real_time_factor = 0;
  std::uint64_t step = 0, last_step = 0;  // last_step: how far the history goes
  std::string message, model;
  double step_size = 0;
  std::vector<MaterialDescription> materials;
};

std::string status_message(const Status& status);
std::string scene_message(const std::string& manifest);  // which is JSON itself
std::string error_message(const std::string& sentence);

}  // namespace touchstone::viewer
