#include "peers/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "peers/table.h"

namespace touchstone::bench {
namespace {

struct Arguments {
  std::vector<std::string> scenes, engines, options;
  std::string preset, markdown;
  EngineOptions engine;
  RunOptions run;
  int repeat = 3, steps = 0;
  bool json = false;
};

void declare(CLI::App& app, const Program& program, Arguments& a) {
  app.add_option("scenes", a.scenes, "Scenes to run; all of them if none is named")
      ->check(CLI::IsMember(program.scenes));
  for (const EngineEntry& entry : program.engines) a.engines.push_back(entry.name);
  app.add_option("--engines", a.engines, fmt::format("Which engines: {}", fmt::join(a.engines, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(a.engines));
  app.add_option("--repeat", a.repeat,
                 "Timed runs of each engine, taking turns, besides the one that is judged in every frame; their median "
                 "counts. 0: the judged run is the timed one, which is quick but disturbs the processor's caches")
      ->check(CLI::Range(0, 99));
  app.add_option("--steps", a.steps, "Frames to run instead of the scene's own number")->check(CLI::PositiveNumber);
  app.add_option("--judge-every", a.run.judge_every, "Frames between two looks at the penetration during the run")
      ->check(CLI::PositiveNumber);
  app.add_option("--time-limit", a.run.time_limit, "Processor time after which a run is cut off [s]");
  app.add_option("--substeps", a.engine.substeps, "Steps of the rivals within a frame")->check(CLI::PositiveNumber);
  app.add_option("--threads", a.engine.threads,
                 "Of Touchstone; with more than one, time is measured instead of "
                 "processor time")
      ->check(CLI::PositiveNumber);
  app.add_option("--model", a.engine.model, "Of Touchstone; impulse, or penalty where there is no impulse");
  app.add_option("--preset", a.preset, "Of Touchstone's model: its option 'preset'");
  app.add_option("--option", a.options, "Another option of Touchstone's model, NAME=VALUE; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--json", a.json, "Print JSON (lengths in m) instead of a table");
  app.add_option("--markdown", a.markdown, "Also write the table to this file, as in docs/benchmarks.md");
}

void take_options(Arguments& a) {
  if (!a.preset.empty()) a.engine.options["preset"] = a.preset;
  for (const std::string& text : a.options) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw CLI::ValidationError("--option", "'" + text + "' is not NAME=VALUE");
    a.engine.options[text.substr(0, equals)] = text.substr(equals + 1);
  }
}

std::vector<EngineEntry> chosen_engines(const Program& program, const Arguments& a) {
  std::vector<EngineEntry> chosen;
  for (const EngineEntry& entry : program.engines) {
    if (std::find(a.engines.begin(), a.engines.end(), entry.name) == a.engines.end()) continue;
    if (entry.make)
      chosen.push_back(entry);
    else
      fmt::print(stderr, "{} is left out: {} was missing when this program was built\n", entry.name, entry.package);
  }
  return chosen;
}

std::vector<Row> run_scene(const Scene& scene, const Program& program, const std::vector<EngineEntry>& chosen,
                           const Arguments& a) {
  std::vector<Row> rows;
  for (const EngineEntry& entry : chosen) {
    Row row{entry.name, scene.name, scene.bodies.size(), scene.stands, {}, {}, 0};
    if (scene.conserves) row.start_energy = start_energy(scene);
    row.result = run(scene, entry, a.engine, a.run);
    rows.push_back(row);
  }
  RunOptions timed = a.run;
  timed.judge_every = 0;
  for (int turn = 0; turn < a.repeat; ++turn)
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (rows[i].result.trouble[0] && rows[i].result.steps < scene.steps) continue;  // it will fail again
      rows[i].times.push_back(run(scene, chosen[i], a.engine, timed).ms_per_step);
    }
  for (Row& row : rows)
    if (!row.times.empty())
      row.result.ms_per_step = median(row.times);
    else if (row.result.steps > 0)
      row.times.push_back(row.result.ms_per_step);
  fill_ratios(rows, program.reference);
  return rows;
}

int run_all(const Program& program, const Arguments& a) {
  const std::vector<EngineEntry> chosen = chosen_engines(program, a);
  std::vector<Row> all;
  if (!a.json) print_heading();
  for (const std::string& name : a.scenes.empty() ? program.scenes : a.scenes) {
    Scene scene = program.make_scene(name);
    if (a.steps > 0) scene.steps = a.steps;
    for (const Row& row : run_scene(scene, program, chosen, a)) {
      if (!a.json) print_row(row);
      all.push_back(row);
    }
  }
  if (a.json) fmt::print("{}", as_json(all, program.reference));
  if (!a.markdown.empty()) std::ofstream(a.markdown) << as_markdown(all, program.reference);
  // A rival that fails is a result; Touchstone failing is an error.
  return std::any_of(all.begin(), all.end(),
                     [](const Row& r) { return r.engine == "touchstone" && r.result.trouble[0]; });
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  Arguments arguments;
  CLI::App app(program.about, program.name);
  declare(app, program, arguments);
  try {
    app.parse(argc, argv);
    take_options(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return run_all(program, arguments);
}

}  // namespace touchstone::bench
