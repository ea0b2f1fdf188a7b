#include "models/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "models/convex.h"
#include "models/free_motion.h"
#include "models/gauss/gauss.h"
#include "models/guendelman.h"
#include "models/hahn.h"
#include "models/impulse/impulse.h"
#include "models/lagrange/lagrange.h"
#include "models/lcp.h"
#include "models/mirtich.h"
#include "models/ncp.h"
#include "models/penalty.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

double as_number(const OptionValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  return std::get<double>(value);
}

bool type_fits(ValueType type, const OptionValue& value) {
  switch (type) {
    case ValueType::kBool:
      return std::holds_alternative<bool>(value);
    case ValueType::kInteger:
      return std::holds_alternative<std::int64_t>(value);
    case ValueType::kNumber:
      return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    case ValueType::kString:
      return std::holds_alternative<std::string>(value);
    default:
      return false;
  }
}

OptionValue default_of(const KeySpec& key) {
  if (key.type == ValueType::kBool) return key.default_text == "true";
  if (key.type == ValueType::kInteger) return std::int64_t{std::stoll(key.default_text)};
  if (key.type == ValueType::kNumber) return std::stod(key.default_text);
  return key.default_text;
}

void check_option(const ModelInfo& model, const KeySpec& key, const OptionValue& value) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::kBadInput, fmt::format("model '{}': option {} {}", model.name, key.name, what));
  };
  if (!type_fits(key.type, value)) fail("has the wrong type");
  if (key.type == ValueType::kString && !key.choices.empty()) {
    const std::string& text = std::get<std::string>(value);
    if (std::find(key.choices.begin(), key.choices.end(), text) == key.choices.end())
      fail(fmt::format("is '{}'; it must be one of {}", text, fmt::join(key.choices, ", ")));
  }
  if (key.type == ValueType::kNumber || key.type == ValueType::kInteger) {
    const double x = as_number(value);
    if (!std::isfinite(x)) fail(fmt::format("is {}; it must be finite", x));
    if (x < key.minimum || (key.minimum_excluded && x == key.minimum))
      fail(fmt::format("is {}; it must be {} {}", x, key.minimum_excluded ? "above" : "at least", key.minimum));
    if (x > key.maximum) fail(fmt::format("is {}; it must be at most {}", x, key.maximum));
  }
}

std::deque<ModelInfo>& all_models() {
  static std::deque<ModelInfo> models{impulse_model(),    ncp_model(),     lcp_model(),        convex_model(),
                                      guendelman_model(), hahn_model(),    mirtich_model(),    gauss_model(),
                                      lagrange_model(),   penalty_model(), free_motion_model()};
  return models;
}

}  // namespace

const std::deque<ModelInfo>& registered_models() { return all_models(); }

const ModelInfo& add_model(ModelInfo model) {
  for (const ModelInfo& other : all_models())
    if (other.name == model.name)
      throw Error(ErrorKind::kBadInput, fmt::format("there is already a model '{}'; give it another name", model.name));
  return all_models().emplace_back(std::move(model));
}

const ModelInfo& find_model(const std::string& name) {
  std::vector<std::string> names;
  for (const ModelInfo& model : registered_models()) {
    if (model.name == name) return model;
    names.push_back(model.name);
  }
  throw Error(ErrorKind::kBadInput, fmt::format("there is no model '{}'{}; there are {}", name,
                                                did_you_mean(name, names), fmt::join(names, ", ")));
}

bool supports(const ModelInfo& model, Integrator integrator, bool joints) {
  const std::vector<Integrator>& able = model.capabilities.integrators;
  return std::find(able.begin(), able.end(), integrator) != able.end() && (model.capabilities.joints || !joints);
}

void require_capability(const ModelInfo& model, bool Capabilities::*capability, const std::string& what,
                        const std::string& asked) {
  if (model.capabilities.*capability) return;
  std::vector<std::string> able;
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.*capability) able.push_back(m.name);
  throw Error(ErrorKind::kUnsupported,
              fmt::format("model '{}' does not support {}, and {}; {}", model.name, what, asked,
                          able.empty() ? "no model of this version does" : "use " + join_or(able)));
}

void require_trees(const ModelInfo& model, const std::string& robot) {
  require_capability(model, &Capabilities::trees, "articulated bodies in reduced coordinates",
                     fmt::format("the scene has robot '{}'", robot));
}

std::string integrator_name(Integrator integrator) {
  switch (integrator) {
    case Integrator::kExplicitEuler:
      return "explicit_euler";
    case Integrator::kSemiImplicitEuler:
      return "semi_implicit_euler";
    case Integrator::kRk4:
      return "rk4";
  }
  return "unknown";
}

Options complete_options(const ModelInfo& model, const Options& given) {
  Options out;
  std::vector<std::string> names;
  for (const KeySpec& key : model.options.keys) {
    names.push_back(key.name);
    const auto found = given.find(key.name);
    if (found != given.end()) {
      check_option(model, key, found->second);
      out[key.name] = key.type == ValueType::kNumber ? OptionValue(as_number(found->second)) : found->second;
    } else if (!key.default_text.empty()) {
      out[key.name] = default_of(key);
    }
  }
  for (const auto& [name, value] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(ErrorKind::kBadInput,
                  fmt::format("model '{}' has no option '{}'{}", model.name, name, did_you_mean(name, names)));
  return out;
}

template <>
std::unique_ptr<ContactModel<2>> make_model<2>(const ModelInfo& model, const Options& options) {
  return model.make2(complete_options(model, options));
}
template <>
std::unique_ptr<ContactModel<3>> make_model<3>(const ModelInfo& model, const Options& options) {
  return model.make3(complete_options(model, options));
}

double number_option(const Options& options, const std::string& name) { return std::get<double>(options.at(name)); }
std::int64_t integer_option(const Options& options, const std::string& name) {
  return std::get<std::int64_t>(options.at(name));
}

}  // namespace touchstone
