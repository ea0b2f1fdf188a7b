#include "sim/controller_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

bool is_name(ParameterType type) { return type == ParameterType::kBody || type == ParameterType::kJoint; }

ValueType value_type(ParameterType type) {
  switch (type) {
    case ParameterType::kBool:
      return ValueType::kBool;
    case ParameterType::kInteger:
      return ValueType::kInteger;
    case ParameterType::kNumber:
      return ValueType::kNumber;
    case ParameterType::kVector:
      return ValueType::kVector;
    case ParameterType::kText:
    case ParameterType::kBody:
    case ParameterType::kJoint:
      break;
  }
  return ValueType::kString;
}

std::string value_text(const ParameterValue& value) {
  if (const auto* v = std::get_if<Eigen::Vector3d>(&value)) return fmt::format("[{}, {}, {}]", v->x(), v->y(), v->z());
  if (const auto* t = std::get_if<std::string>(&value)) return *t;
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
  return fmt::format("{}", std::get<double>(value));
}

// What is wrong with a value of the right type; "" if nothing is.
std::string range_fault(const ControllerParameter& p, const ParameterValue& value, int dimension) {
  const auto outside = [&](double x) { return !std::isfinite(x) || x < p.minimum || x > p.maximum; };
  const std::string range = std::isinf(p.minimum) && std::isinf(p.maximum)
                                ? "it must be finite"
                                : fmt::format("it must be between {} and {}", p.minimum, p.maximum);
  if (const auto* x = std::get_if<double>(&value); x && outside(*x)) return range;
  if (const auto* i = std::get_if<std::int64_t>(&value); i && outside(static_cast<double>(*i))) return range;
  if (const auto* v = std::get_if<Eigen::Vector3d>(&value)) {
    const Eigen::Index n = dimension == 2 ? 2 : 3;
    if (std::any_of(v->data(), v->data() + n, outside)) return range;
    if (dimension == 2 && v->z() != 0) return "its z must be 0 in a 2D scene";
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text && !p.choices.empty() && std::find(p.choices.begin(), p.choices.end(), *text) == p.choices.end())
    return fmt::format("it must be {}{}", join_or(p.choices), did_you_mean(*text, p.choices));
  return "";
}

// The value as the type wants it: a whole number is a number, too. Empty if it is of another type.
std::optional<ParameterValue> converted(ParameterType type, const ParameterValue& value) {
  if (type == ParameterType::kNumber)
    if (const auto* i = std::get_if<std::int64_t>(&value)) return ParameterValue(static_cast<double>(*i));
  const bool fits = (type == ParameterType::kBool && std::holds_alternative<bool>(value)) ||
                    (type == ParameterType::kInteger && std::holds_alternative<std::int64_t>(value)) ||
                    (type == ParameterType::kNumber && std::holds_alternative<double>(value)) ||
                    (type == ParameterType::kVector && std::holds_alternative<Eigen::Vector3d>(value)) ||
                    (value_type(type) == ValueType::kString && std::holds_alternative<std::string>(value));
  return fits ? std::optional(value) : std::nullopt;
}

void check_kind(const ControllerKind& kind) {
  if (kind.name.empty()) bad("a kind of controller needs a name");
  if (!kind.make) bad(fmt::format("the controller '{}' has no maker", kind.name));
  std::set<std::string> names;
  for (const ControllerParameter& p : kind.parameters) {
    if (!names.insert(p.name).second)
      bad(fmt::format("the controller '{}' has two parameters named '{}'", kind.name, p.name));
    if (!p.fallback) continue;
    if (!converted(p.type, *p.fallback))
      bad(fmt::format("the controller '{}': the default of '{}' is not of its type", kind.name, p.name));
    if (const std::string what = range_fault(p, *p.fallback, 3); !what.empty())
      bad(fmt::format("the controller '{}': the default of '{}' is {}; {}", kind.name, p.name, value_text(*p.fallback),
                      what));
  }
}

std::deque<ControllerKind>& kinds() {
  static std::deque<ControllerKind> list{robot_controller()};
  return list;
}

}  // namespace

const std::deque<ControllerKind>& registered_controllers() { return kinds(); }

std::vector<std::string> controller_kinds() {
  std::vector<std::string> out;
  for (const ControllerKind& kind : kinds()) out.push_back(kind.name);
  return out;
}

void register_controller(ControllerKind kind) {
  check_kind(kind);
  for (const ControllerKind& other : kinds())
    if (other.name == kind.name) bad(fmt::format("there is already a kind of controller named '{}'", kind.name));
  kinds().push_back(std::move(kind));
}

const ControllerKind& find_controller_kind(const std::string& name) {
  for (const ControllerKind& kind : kinds())
    if (kind.name == name) return kind;
  const std::vector<std::string> names = controller_kinds();
  bad(fmt::format("there is no kind of controller '{}'{}; there are {}", name, did_you_mean(name, names),
                  fmt::join(names, ", ")));
}

TableSpec parameters_format(const ControllerKind& kind) {
  TableSpec table{"parameters of " + kind.name, kind.help, {}};
  for (const ControllerParameter& p : kind.parameters) {
    KeySpec& key = table.keys.emplace_back();
    key.name = p.name, key.type = value_type(p.type), key.unit = p.unit, key.help = p.help;
    key.required = !p.fallback;
    if (p.fallback) key.default_text = value_text(*p.fallback);
    if (p.fallback && is_name(p.type)) key.default_text = "none";
    key.minimum = p.minimum, key.maximum = p.maximum;
    key.choices = p.choices;
  }
  return table;
}

ControllerParameters complete_parameters(const ControllerKind& kind, const ControllerDescription& given,
                                         int dimension) {
  const auto fail = [&](const std::string& what) { bad(fmt::format("controller '{}': {}", given.name, what)); };
  std::vector<std::string> names;
  for (const ControllerParameter& p : kind.parameters) names.push_back(p.name);
  for (const auto& [name, value] : given.parameters)
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail(fmt::format("the kind '{}' has no parameter '{}'{}; there are {}", kind.name, name,
                       did_you_mean(name, names), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  ControllerParameters out;
  for (const ControllerParameter& p : kind.parameters) {
    const auto found = given.parameters.find(p.name);
    if (found == given.parameters.end() && !p.fallback) fail(fmt::format("the parameter '{}' is missing", p.name));
    const std::optional<ParameterValue> value =
        converted(p.type, found == given.parameters.end() ? *p.fallback : found->second);
    if (!value) fail(fmt::format("the parameter '{}' is of another type: {}", p.name, p.help));
    if (const std::string what = range_fault(p, *value, dimension); !what.empty())
      fail(fmt::format("the parameter '{}' is {}; {}", p.name, value_text(*value), what));
    out[p.name] = *value;
  }
  return out;
}

}  // namespace touchstone
