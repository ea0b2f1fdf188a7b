#pragma once
// The models by name. A scene switches model with one string; what a model cannot do is said when it is made.
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/option_spec.h"
#include "models/contact_model.h"

namespace touchstone {

struct Capabilities {
  bool contacts = false, static_friction = false, dynamic_friction = false, restitution = false, joints = false;
  std::vector<Integrator> integrators;
  bool trees = false;  // articulated bodies in reduced coordinates
};

// A value of the option `preset`, and what every option is under it unless it is given.
struct ModelPreset {
  std::string name;
  Options values;
};

struct ModelInfo {
  std::string name;
  std::string summary;  // one sentence
  std::string source;   // the short name of the paper, or ""
  Capabilities capabilities;
  TableSpec options;
  std::vector<ModelPreset> presets = {};
  // Makers get options that were checked against the spec, with defaults filled in.
  std::function<std::unique_ptr<ContactModel<2>>(const Options&)> make2;
  std::function<std::unique_ptr<ContactModel<3>>(const Options&)> make3;
};

// The program's own models, then those that were added. References to them stay valid.
const std::deque<ModelInfo>& registered_models();
// One more model, of a program or a test that brings its own; before any thread uses the registry. Throws Error if the
// name is taken.
const ModelInfo& add_model(ModelInfo model);
const ModelInfo& find_model(const std::string& name);  // throws Error with the names there are
std::string integrator_name(Integrator integrator);
// Whether it can simulate a scene with this integrator, and with joints if there are any.
bool supports(const ModelInfo& model, Integrator integrator, bool joints);

// Throws Error (kUnsupported) that names the model, what it does not support (`what`, in the plural), what asks for it
// ("the scene has robot 'arm'") and the models that do.
void require_capability(const ModelInfo& model, bool Capabilities::*capability, const std::string& what,
                        const std::string& asked);
// For an articulated body of a scene, by its name.
void require_trees(const ModelInfo& model, const std::string& robot);

// Fills in defaults; throws Error for unknown options, wrong types and values out of range.
Options complete_options(const ModelInfo& model, const Options& given);

template <int D>
std::unique_ptr<ContactModel<D>> make_model(const ModelInfo& model, const Options& options);

// Typed access to completed options.
double number_option(const Options& options, const std::string& name);
std::int64_t integer_option(const Options& options, const std::string& name);

}  // namespace touchstone
