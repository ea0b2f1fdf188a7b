// validate, models, examples and format.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "command.h"
#include "io/scene/format.h"
#include "io/scene/reader.h"
#include "models/registry.h"
#include "study/run_text.h"

namespace touchstone::app {
namespace {

int validate(const SceneArguments& arguments, const Output& output) {
  const LoadedScene loaded = read_scene(arguments.scene, arguments.overrides());
  const Simulation simulation(loaded.scene);  // what only a whole world can tell
  const std::vector<BodyOverlap> overlaps = simulation.overlapping_bodies();
  const SceneDescription& s = loaded.scene;
  const std::uint64_t steps = steps_for(s.duration, s.step);
  std::string notes;
  for (const std::string& note : loaded.notes) notes += fmt::format("note: {}\n", note);
  if (!overlaps.empty()) notes += fmt::format("note: {}\n", overlaps_text(simulation, overlaps));
  output.print(
      {{"file", arguments.scene},
       {"valid", true},
       {"name", s.name},
       {"dimension", s.dimension},
       {"bodies", s.bodies.size()},
       {"materials", s.materials.size()},
       {"springs", s.springs.size()},
       {"model", s.model.name},
       {"notes", loaded.notes},
       {"overlaps", overlaps_json(simulation, overlaps)},
       {"steps", steps}},
      notes + fmt::format("{} is valid: '{}', {}D, {}, model {}, {} of {:g} s\n", arguments.scene, s.name, s.dimension,
                          counted(s.bodies.size(), "body"), s.model.name, counted(steps, "step"), s.step));
  return kOk;
}

Json model_json(const ModelInfo& m) {
  Json j{{"name", m.name}, {"summary", m.summary}, {"source", m.source}};
  const Capabilities& c = m.capabilities;
  j["capabilities"] = {{"contacts", c.contacts},
                       {"static_friction", c.static_friction},
                       {"dynamic_friction", c.dynamic_friction},
                       {"restitution", c.restitution},
                       {"joints", c.joints},
                       {"trees", c.trees}};
  for (Integrator i : c.integrators) j["integrators"].push_back(integrator_name(i));
  j["options"] = Json::array();
  for (const KeySpec& key : m.options.keys) {
    j["options"].push_back({{"name", key.name}, {"unit", key.unit}, {"default", key.default_text}, {"help", key.help}});
    for (const ModelPreset& preset : m.presets)
      j["options"].back()["presets"][preset.name] =
          std::visit([](const auto& value) { return Json(value); }, preset.values.at(key.name));
  }
  return j;
}

std::string value_text(const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.4g}", *number);
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

// The value of an option: one column, or one for each preset.
std::vector<std::string> values_of(const ModelInfo& m, const KeySpec& key) {
  std::vector<std::string> out;
  for (const ModelPreset& preset : m.presets) out.push_back(value_text(preset.values.at(key.name)));
  if (m.presets.empty()) out.push_back(key.default_text.empty() ? "(none)" : key.default_text);
  return out;
}

// A line an option, in columns: name, values, unit, help.
std::string option_table(const ModelInfo& m) {
  std::vector<std::vector<std::string>> rows{{"option"}};
  for (const ModelPreset& preset : m.presets) rows.front().push_back(preset.name);
  if (m.presets.empty()) rows.front().push_back("default");
  rows.front().insert(rows.front().end(), {"unit", "meaning"});
  for (const KeySpec& key : m.options.keys) {
    rows.push_back({key.name});
    for (std::string& value : values_of(m, key)) rows.back().push_back(std::move(value));
    rows.back().insert(rows.back().end(), {key.unit, key.help});
  }
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c + 1 < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c + 1 < row.size(); ++c) out += fmt::format("  {:<{}}", row[c], widths[c]);
    out += "  " + row.back() + "\n";
  }
  return out;
}

std::string model_text(const ModelInfo& m) {
  const Capabilities& c = m.capabilities;
  std::vector<std::string> integrators, can;
  for (Integrator i : c.integrators) integrators.push_back(integrator_name(i));
  if (c.contacts) can.push_back("contacts");
  if (c.static_friction) can.push_back("static friction");
  if (c.dynamic_friction) can.push_back("dynamic friction");
  if (c.restitution) can.push_back("restitution");
  if (c.joints) can.push_back("joints");
  if (c.trees) can.push_back("articulated bodies in reduced coordinates");
  std::string out = fmt::format("{}{}\n  {}\n", m.name, m.source.empty() ? "" : "  [" + m.source + "]", m.summary);
  out += fmt::format("  supports: {}; 2D and 3D; integrators {}\n",
                     can.empty() ? "free motion only" : fmt::format("{}", fmt::join(can, ", ")),
                     fmt::join(integrators, ", "));
  return m.options.keys.empty() ? out : out + option_table(m);
}

int models(const Output& output) {
  Json all = Json::array();
  std::string text;
  for (const ModelInfo& m : registered_models()) {
    all.push_back(model_json(m));
    text += model_text(m) + "\n";
  }
  output.print(
      all,
      text +
          "A scene selects its model with [model] name = \"...\"; `touchstone run SCENE --model NAME` overrides it.\n");
  return kOk;
}

// The first comment of a scene: what it shows.
std::string first_comment(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::size_t start = line.find_first_not_of("# ");
  return start == std::string::npos ? "" : line.substr(start);
}

int examples(const std::string& name, const Output& output) {
  const std::vector<std::string> paths = example_scenes();
  if (!name.empty()) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
      names.push_back(std::filesystem::path(path).stem().string());
      if (names.back() != name) continue;
      std::stringstream text;
      text << std::ifstream(path).rdbuf();
      output.print({{"name", name}, {"file", path}, {"text", text.str()}}, text.str());
      return kOk;
    }
    throw Error(ErrorKind::kBadInput, fmt::format("there is no example '{}'{}; `touchstone examples` lists them", name,
                                                  did_you_mean(name, names)));
  }
  Json all = Json::array();
  std::string text;
  const auto list = [&](const std::string& folder, const std::string& title) {
    text += title;
    for (const std::string& path : scenes_in(folder)) {
      const std::string stem = std::filesystem::path(path).stem().string();
      all.push_back({{"name", stem}, {"file", path}, {"about", first_comment(path)}});
      text += fmt::format("  {:<18} {}\n", stem, first_comment(path));
    }
  };
  list(scene_folder(), fmt::format("Scenes in {}:\n\n", scene_folder()));
  for (const std::string& folder : paper_folders())
    list(folder, fmt::format("\nOf the paper {}:\n\n", std::filesystem::path(folder).filename().string()));
  text += fmt::format(
      "\nRun one, or watch it:\n  {0} run bouncing_ball\n  {0} view robots\n"
      "Copy one:\n  {0} examples bouncing_ball > my_scene.toml\n",
      command_name());
  output.print(all, text);
  return kOk;
}

}  // namespace

void add_catalogue_words(CLI::App& app, int& code) {
  {
    struct Arguments {
      SceneArguments scene;
      Output output;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* w = app.add_subcommand("validate", "Check a scene file and list all its mistakes");
    a->scene.add_to(*w);
    a->output.add_to(*w);
    w->callback([a, &code] { code = validate(a->scene, a->output); });
  }
  {
    auto output = std::make_shared<Output>();
    CLI::App* w = app.add_subcommand(
        "models", "List the contact models, their features, and the value of each option under each preset");
    output->add_to(*w);
    w->callback([output, &code] { code = models(*output); });
  }
  {
    struct Arguments {
      std::string name;
      Output output;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* w = app.add_subcommand("examples", "List the example scenes; with a name, print that scene");
    w->add_option("name", a->name, "Example to print");
    a->output.add_to(*w);
    w->callback([a, &code] { code = examples(a->name, a->output); });
  }
  {
    struct Arguments {
      bool markdown = false, schema = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* w = app.add_subcommand("format", "Print the scene format, as a page or as a JSON schema");
    auto* markdown = w->add_flag("--markdown", a->markdown, "The page docs/scene-format.md (default)");
    w->add_flag("--schema", a->schema, "The JSON schema docs/scene.schema.json")->excludes(markdown);
    w->callback([a, &code] {
      const std::string text = a->schema ? scene_format_json_schema() : scene_format_markdown();
      Output{}.print({}, text);
      code = kOk;
    });
  }
}

}  // namespace touchstone::app
