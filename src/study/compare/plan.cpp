#include "study/compare/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "base/text.h"
#include "models/registry.h"
#include "recording/recording.h"
#include "study/runner.h"

namespace touchstone::compare {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

struct Choice {
  std::string label;
  const ModelInfo* info = nullptr;
  std::vector<SceneOverride> options;  // with keys model.OPTION
};

bool has_option(const ModelInfo& model, const std::string& option) {
  return std::any_of(model.options.keys.begin(), model.options.keys.end(),
                     [&](const KeySpec& key) { return key.name == option; });
}

void add_option(Choice& choice, const std::string& option, const std::string& value, const std::string& given) {
  if (!has_option(*choice.info, option)) {
    std::vector<std::string> names;
    for (const KeySpec& key : choice.info->options.keys) names.push_back(key.name);
    bad(fmt::format("{}: model '{}' has no option '{}'{}; see touchstone models", given, choice.info->name, option,
                    did_you_mean(option, names)));
  }
  choice.options.push_back({"model." + option, value});
}

// "impulse:preset=fast:sleep=true"
Choice parse_choice(const std::string& text) {
  Choice out;
  out.label = text;
  std::size_t end = std::min(text.find(':'), text.size());
  out.info = &find_model(text.substr(0, end));
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find(':', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      bad(fmt::format("--models {}: '{}' should be OPTION=VALUE, as in impulse:preset=fast", text, part));
    add_option(out, part.substr(0, equals), part.substr(equals + 1), "--models " + text);
  }
  return out;
}

std::vector<Choice> choices_of(const CompareRequest& request) {
  std::vector<Choice> out;
  if (request.models.empty())
    for (const ModelInfo& model : registered_models()) out.push_back({model.name, &model, {}});
  for (const std::string& text : request.models) {
    const bool twice = std::any_of(out.begin(), out.end(), [&](const Choice& c) { return c.label == text; });
    if (!twice) out.push_back(parse_choice(text));
  }
  return out;
}

bool is_model(const std::string& name) {
  const auto& all = registered_models();
  return std::any_of(all.begin(), all.end(), [&](const ModelInfo& m) { return m.name == name; });
}

// Gives model.OPTION and NAME.OPTION to the models they are meant for; returns what is for the scene.
std::vector<SceneOverride> share_out(const CompareRequest& request, std::vector<Choice>& choices) {
  std::vector<SceneOverride> common;
  for (const SceneOverride& set : request.sets) {
    const std::size_t dot = set.key.find('.');
    const std::string head = set.key.substr(0, dot);
    const std::string option = dot == std::string::npos ? "" : set.key.substr(dot + 1);
    const std::string given = fmt::format("--set {}={}", set.key, set.value);
    if (set.key == "model.name") bad(given + ": which models are compared is said with --models");
    if (head != "model" && !is_model(head)) {
      common.push_back(set);
      continue;
    }
    bool used = false;
    for (Choice& choice : choices) {
      const bool meant = head == "model" ? has_option(*choice.info, option) : choice.info->name == head;
      if (meant) add_option(choice, option, set.value, given), used = true;
    }
    if (!used && head == "model") bad(fmt::format("{}: none of the models compared has an option '{}'", given, option));
    if (!used) bad(fmt::format("{}: model '{}' is not among those compared", given, head));
  }
  if (request.duration) common.push_back({"simulation.duration", fmt::format("{}", *request.duration)});
  if (request.seed) common.push_back({"simulation.seed", fmt::format("{}", *request.seed)});
  return common;
}

// Never more frames than asked for: a page would leave the surplus out again. 1e-6: rounding of 1/(f·h).
std::int64_t steps_a_frame(double frames_per_second, double step) {
  return std::max<std::int64_t>(1, std::llround(std::ceil(std::min(1e9, 1 / (frames_per_second * step)) - 1e-6)));
}

std::vector<SceneOverride> overrides_for(const Choice& choice, const std::vector<SceneOverride>& common, double step,
                                         double frames_per_second) {
  std::vector<SceneOverride> out{{"model.name", choice.info->name}};
  out.insert(out.end(), common.begin(), common.end());
  out.insert(out.end(), choice.options.begin(), choice.options.end());
  out.push_back({"simulation.step", fmt::format("{}", step)});
  out.push_back({"record.every", fmt::format("{}", steps_a_frame(frames_per_second, step))});
  for (const char* all : {"record.poses", "record.velocities", "record.contacts", "record.yardstick"})
    out.push_back({all, "true"});
  return out;
}

// Sorted, the largest first, each once. All of them must meet at the end, where errors are measured.
std::vector<double> study_steps(std::vector<double> steps, double duration) {
  for (const double step : steps)
    if (!(step > 0 && std::isfinite(step))) bad(fmt::format("--dt {}: a step size is a number above 0, in s", step));
  std::sort(steps.begin(), steps.end(), std::greater<>());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (steps.size() < 2) return steps;
  for (const double step : steps) {
    const double count = duration / step;
    if (std::abs(count - std::round(count)) > 1e-6 || count < 0.5)
      bad(
          fmt::format("--dt {}: {} s are {:.6g} such steps; runs of a convergence study must end at the same time, so "
                      "choose steps of which a whole number makes up the duration",
                      step, duration, count));
  }
  return steps;
}

double compared_step(const std::vector<double>& steps, double own) {
  if (steps.empty()) return own;
  const auto same = std::find_if(steps.begin(), steps.end(), [&](double s) { return std::abs(s - own) < 1e-9 * own; });
  return same == steps.end() ? steps.back() : *same;
}

// What the reader of scenes would call a mistake of the scene is here a limit of the model.
std::string why_unable(const ModelInfo& model, const SceneDescription& scene) {
  const auto& able = model.capabilities.integrators;
  if (std::find(able.begin(), able.end(), scene.integrator) == able.end()) {
    std::vector<std::string> names;
    for (const Integrator i : able) names.push_back(integrator_name(i));
    return fmt::format("it does not support the integrator {} of the scene; --set simulation.integrator={} would do",
                       integrator_name(scene.integrator), join_or(names));
  }
  if (!scene.joints.empty() && !model.capabilities.joints)
    return fmt::format("it does not support joints, and the scene has {}", scene.joints.size());
  return "";
}

std::string why_left_out(const ModelInfo& model, const LoadedScene& original, const SceneFacts& facts, bool asked) {
  if (asked || model.capabilities.contacts || !facts.can_touch || original.scene.model.name == model.name) return "";
  return fmt::format("it detects no contacts; name it with --models {} to see the scene without them", model.name);
}

class Planner {
 public:
  explicit Planner(const CompareRequest& request) : request_(request), choices_(choices_of(request)) {
    common_ = share_out(request, choices_);
    if (!(request.frames_per_second > 0)) bad(fmt::format("--fps {}: should be above 0", request.frames_per_second));
    if (!(request.budget > 0)) bad(fmt::format("--budget {}: should be above 0, in s", request.budget));
    if (request.halvings < 0 || request.halvings > kMostHalvings)
      bad(fmt::format("--halvings {}: should be 0 to {}", request.halvings, kMostHalvings));
    original_ = read_scene(request.scene, common_);
    plan_.scene_name = original_.scene.name;
    plan_.scene_model = original_.scene.model.name;
    plan_.duration = original_.scene.duration;
    plan_.notes = original_.notes;
    const std::vector<double> steps = study_steps(request.steps, plan_.duration);
    plan_.step = compared_step(steps, original_.scene.step);
    if (steps.size() > 1) plan_.steps = steps;
  }

  Plan make() {
    for (const Choice& choice : choices_) add(choice);
    if (plan_.runs.empty()) {
      std::string reasons;
      for (const LeftOut& each : plan_.left_out) reasons += fmt::format("\n  {}: {}", each.label, each.reason);
      throw Error(ErrorKind::kUnsupported, fmt::format("no model does {}:{}", request_.scene, reasons));
    }
    check_reference();
    note_options();
    return std::move(plan_);
  }

 private:
  void add(const Choice& choice) {
    if (const std::string reason = why_unable(*choice.info, original_.scene); !reason.empty())
      return plan_.left_out.push_back({choice.label, reason});
    try {
      PlannedRun first = planned(choice, plan_.step);
      const Simulation simulation(first.loaded.scene);
      const SceneFacts facts = scene_facts(simulation, first.loaded.scene);
      const std::string reason = why_left_out(*choice.info, original_, facts, !request_.models.empty());
      if (!reason.empty()) return plan_.left_out.push_back({choice.label, reason});
      if (plan_.runs.empty()) plan_.facts = facts;
      if (plan_.steps.empty()) return plan_.runs.push_back(std::move(first));
      for (const double step : plan_.steps) plan_.runs.push_back(planned(choice, step));
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kUnsupported) throw;
      plan_.left_out.push_back({choice.label, e.what()});
    }
  }

  PlannedRun planned(const Choice& choice, double step) const {
    PlannedRun out;
    out.label = choice.label;
    out.model = choice.info->name;
    out.contacts = choice.info->capabilities.contacts;
    out.step = step;
    out.compared = step == plan_.step;
    out.overrides = overrides_for(choice, common_, step, request_.frames_per_second);
    out.loaded = load_scene_text(original_.text, request_.scene, out.overrides, {}, original_.files);
    return out;
  }

  void check_reference() const {
    const std::string& wanted = request_.reference;
    std::vector<std::string> labels;
    for (const PlannedRun& run : plan_.runs)
      if (run.compared) labels.push_back(run.label);
    if (wanted.empty() || std::find(labels.begin(), labels.end(), wanted) != labels.end()) return;
    if (!std::filesystem::exists(wanted))
      bad(fmt::format("--reference {}: is neither a recording nor a model that is compared ({})", wanted,
                      fmt::join(labels, ", ")));
    const RecordingInfo info = Recording::open(wanted).info();
    const PlannedRun& run = plan_.runs.front();
    std::vector<std::string> names;
    const Simulation simulation(run.loaded.scene);
    for (const BodyId id : simulation.bodies()) names.push_back(simulation.body_name(id));
    if (info.dimension != plan_.facts.dimension || info.body_names != names)
      bad(fmt::format("--reference {}: is a recording of other bodies than those of {}", wanted, request_.scene));
  }

  void note_options() {
    const auto other = [&](const PlannedRun& run) { return run.model != plan_.scene_model; };
    if (!original_.scene.model.options.empty() && std::any_of(plan_.runs.begin(), plan_.runs.end(), other))
      plan_.notes.push_back(
          fmt::format("the model options of the scene are for its own model, {}; the others run with their defaults "
                      "and what --set and --models say",
                      plan_.scene_model));
  }

  const CompareRequest& request_;
  std::vector<Choice> choices_;
  std::vector<SceneOverride> common_;
  LoadedScene original_;
  Plan plan_;
};

}  // namespace

Plan make_plan(const CompareRequest& request) { return Planner(request).make(); }

}  // namespace touchstone::compare
