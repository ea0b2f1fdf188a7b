#include "viewer/commands.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json_text.h"

namespace touchstone::viewer {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, Verb, std::less<>> kVerbs{
    {"play", Verb::kPlay},         {"pause", Verb::kPause}, {"step", Verb::kStep},      {"speed", Verb::kSpeed},
    {"restart", Verb::kRestart},   {"model", Verb::kModel}, {"goto", Verb::kGoto},      {"step_size", Verb::kStepSize},
    {"material", Verb::kMaterial}, {"drag", Verb::kDrag},   {"release", Verb::kRelease}};

// One step may take as long as it likes, and nothing else is done meanwhile: beyond this it is a mistake.
constexpr double kMostStep = 1000;  // s

[[noreturn]] void wrong(const std::string& sentence) { throw std::invalid_argument(sentence); }

const Json& entry(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) wrong(fmt::format("\"{}\" is missing", key));
  return *found;
}

double number(const Json& value, const char* key) {
  if (!value.is_number()) wrong(fmt::format("\"{}\" must be a number", key));
  const double x = value.get<double>();
  if (!std::isfinite(x)) wrong(fmt::format("\"{}\" must be finite", key));
  return x;
}

std::int64_t integer(const Json& value, const char* key) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (!value.is_number_integer()) wrong(fmt::format("\"{}\" must be a whole number", key));
  const std::int64_t n = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMost)
                             ? kMost + 1
                             : value.get<std::int64_t>();
  if (n > kMost || n < -kMost) wrong(fmt::format("\"{}\" is too large", key));
  return n;
}

std::string text(const Json& value, const char* key) {
  if (!value.is_string()) wrong(fmt::format("\"{}\" must be a text", key));
  return value.get<std::string>();
}

Eigen::Vector3d vector(const Json& value, const char* key) {
  constexpr double kMost = 1e9;  // m; beyond it there is nothing to drag to
  if (!value.is_array() || value.size() != 3) wrong(fmt::format("\"{}\" must be three numbers", key));
  Eigen::Vector3d out;
  for (int i = 0; i < 3; ++i) {
    out[i] = number(value[static_cast<std::size_t>(i)], key);
    if (std::abs(out[i]) > kMost) wrong(fmt::format("\"{}\" is too far away", key));
  }
  return out;
}

std::optional<double> optional_number(const Json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  return number(object[key], key);
}

Command read(const Json& object) {
  if (!object.is_object()) wrong("a message is an object, such as {\"do\":\"play\"}");
  const std::string name = text(entry(object, "do"), "do");
  const auto verb = kVerbs.find(name);
  if (verb == kVerbs.end()) {
    std::string all;
    for (const auto& [word, ignored] : kVerbs) all += (all.empty() ? "" : ", ") + word;
    wrong("there is no such command; there are " + all);
  }
  Command c;
  c.verb = verb->second;
  switch (c.verb) {
    case Verb::kStep:
      c.steps = object.contains("steps") ? integer(object["steps"], "steps") : 1;
      break;
    case Verb::kGoto:
      c.steps = integer(entry(object, "step"), "step");
      if (c.steps < 0) wrong("\"step\" must not be negative");
      break;
    case Verb::kSpeed:
      c.value = number(entry(object, "value"), "value");
      if (c.value < 0 || c.value > 1e6) wrong("\"value\" must be between 0 (as fast as possible) and 1e6");
      break;
    case Verb::kStepSize:
      c.value = number(entry(object, "value"), "value");
      if (c.value > kMostStep)
        wrong(fmt::format("\"value\" is a step of {:g} s; at most {:g} s are taken", c.value, kMostStep));
      break;
    case Verb::kModel:
      c.name = text(entry(object, "name"), "name");
      break;
    case Verb::kMaterial:
      c.name = text(entry(object, "name"), "name");
      c.static_friction = optional_number(object, "static_friction");
      c.dynamic_friction = optional_number(object, "dynamic_friction");
      c.restitution = optional_number(object, "restitution");
      break;
    case Verb::kDrag: {
      const std::int64_t body = integer(entry(object, "body"), "body");
      if (body < 0 || body > 0x7fffffff) wrong("\"body\" must be the slot of a body");
      c.body = static_cast<std::uint32_t>(body);
      c.local = vector(entry(object, "local"), "local");
      c.target = vector(entry(object, "target"), "target");
      break;
    }
    default:
      break;
  }
  return c;
}

}  // namespace

std::variant<Command, std::string> parse_command(std::string_view message) {
  try {
    return read(Json::parse(message));
  } catch (const nlohmann::json::exception&) {
    return std::string("the message is no JSON");
  } catch (const std::invalid_argument& e) {
    return std::string(e.what());
  }
}

std::string status_message(const Status& s) {
  Json materials = Json::array();
  for (const MaterialDescription& m : s.materials)
    materials.push_back({{"name", m.name},
                         {"static_friction", m.static_friction},
                         {"dynamic_friction", m.dynamic_friction},
                         {"restitution", m.restitution}});
  return json_text(Json{{"is", "status"},
                        {"running", s.running},
                        {"speed", s.speed},
                        {"time", s.time},
                        {"step", s.step},
                        {"last_step", s.last_step},
                        {"edited", s.edited},
                        {"dragging", s.dragging},
                        {"real_time_factor", s.real_time_factor},
                        {"message", s.message},
                        {"failed", s.failed},
                        {"options", {{"model", s.model}, {"step_size", s.step_size}, {"materials", materials}}}});
}

std::string scene_message(const std::string& manifest) { return "{\"is\":\"scene\",\"manifest\":" + manifest + "}"; }

std::string error_message(const std::string& sentence) {
  return json_text(Json{{"is", "error"}, {"message", sentence}});
}

}  // namespace touchstone::viewer
