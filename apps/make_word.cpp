// make: structures by name and block assemblies, as scene files.
#include <fmt/format.h>

#include "base/text.h"
#include "command.h"
#include "io/export/file.h"
#include "study/statics/assembly.h"
#include "study/statics/buildings.h"
#include "study/statics/scene_text.h"
#include "study/towers.h"

namespace touchstone::app {
namespace {

struct MakeArguments {
  Output output;
  std::string target, assembly, rotation;
  std::optional<double> friction;
  int count = 0;
  double shift = 0, overhang = 0.25;
  TowerOptions tower;
  statics::ArchOptions arch;
  statics::WallOptions wall;
  statics::SpinalOptions spinal;
};

// Sizes that no scene may have (1e300 m) are refused here and not by the next command.
void check_readable(const std::string& text) {
  try {
    parse_scene(text, "the scene");
  } catch (const Error& e) {
    throw Error(e.kind(), fmt::format("nothing was written, since the scene could not be read: {}", e.what()));
  }
}

int write_scene(const MakeArguments& a, SceneDescription scene, const std::string& what) {
  const std::string text = statics::scene_text(scene, fmt::format("{}; made by `touchstone make`.", what));
  check_readable(text);
  if (a.target.empty()) {
    a.output.print({{"scene", text}, {"bodies", scene.bodies.size()}}, text);
    return kOk;
  }
  check_not_input(a.target, a.assembly);
  OutputFile file(a.target);
  file.write(text);
  file.commit();
  a.output.print({{"file", a.target}, {"bodies", scene.bodies.size()}, {"dimension", scene.dimension}},
                 fmt::format("{}: {}, {}D\n", a.target, counted(scene.bodies.size(), "body"), scene.dimension));
  return kOk;
}

SceneDescription tower(const MakeArguments& a, const TowerRows& rows, bool edge, const char* name) {
  TowerOptions options = a.tower;
  options.friction = a.friction.value_or(0);
  SceneDescription scene = tower_scene(rows, options, edge);
  scene.name = name;
  return scene;
}

using Maker = std::function<int(const MakeArguments&)>;

CLI::App* add_word(CLI::App& make, const std::shared_ptr<MakeArguments>& a, const char* name, const char* help,
                   Maker maker, int& code) {
  CLI::App* word = make.add_subcommand(name, help);
  add_output_option(*word, "-o,--output", a->target, "Scene file; default: standard output");
  word->add_option("--friction", a->friction, "Coefficient of friction")->check(number_between(0, 1e6));
  a->output.add_to(*word);
  word->callback([a, maker = std::move(maker), &code] { code = maker(*a); });
  return word;
}

void add_brick_sizes(CLI::App& word, TowerOptions& t) {
  word.add_option("--width", t.width, "Width of a brick [m]; default 1");
  word.add_option("--height", t.height, "Height of a brick [m]; default 0.25");
  word.add_option("--mass", t.mass, "Mass of a brick [kg]; default 1");
  word.add_option("--gap", t.gap, "Gap between the bricks of a row [m]; default 0");
  word.add_option("--dimension", t.dimension, "2 or 3; default 2")->check(whole_number(2, 3));
}

void add_towers(CLI::App& make, const std::shared_ptr<MakeArguments>& a, int& code) {
  const auto count = [&](CLI::App* word, const char* help) {
    word->add_option("count", a->count, help)->required()->check(whole_number(1, 1000));
    add_brick_sizes(*word, a->tower);
    return word;
  };
  CLI::App* stack = count(add_word(
                              make, a, "stack", "Bricks on top of each other, each shifted against the one below",
                              [](const MakeArguments& m) {
                                return write_scene(m, tower(m, stack_rows(m.count, m.overhang), false, "stack"),
                                                   fmt::format("A stack of {}", m.count));
                              },
                              code),
                          "Bricks");
  stack->add_option("--overhang", a->overhang, "Overhang of each brick over the one below [m]; default 0.25");
  CLI::App* harmonic =
      count(add_word(
                make, a, "harmonic", "The single-wide stack with the greatest overhang at the edge of a table",
                [](const MakeArguments& m) {
                  return write_scene(m, tower(m, harmonic_rows(m.count, m.shift, m.tower), true, "harmonic stack"),
                                     fmt::format("The harmonic stack of {}", m.count));
                },
                code),
            "Bricks");
  harmonic->add_option("--shift", a->shift, "Shift of the whole stack, outward [m]; default 0");
  count(add_word(
            make, a, "diamond", "Rows of 1, 2, ..., m, ..., 2, 1 bricks",
            [](const MakeArguments& m) {
              return write_scene(m, tower(m, diamond_rows(m.count, m.tower), false, "diamond"),
                                 fmt::format("The {}-diamond", m.count));
            },
            code),
        "m: bricks of the widest row");
  count(add_word(
            make, a, "triangle", "Rows of 1, 2, ..., m bricks, the single one at the bottom",
            [](const MakeArguments& m) {
              return write_scene(m, tower(m, triangle_rows(m.count, m.tower), false, "triangle"),
                                 fmt::format("The {}-triangle", m.count));
            },
            code),
        "m: bricks of the widest row");
}

void add_arch_sizes(CLI::App& word, statics::ArchOptions& o) {
  word.add_option("--voussoirs", o.voussoirs, "Blocks around the arch; default 11")->check(whole_number(3, 10001));
  word.add_option("--radius", o.radius, "Radius of the middle line [m]; default 1");
  word.add_option("--thickness", o.thickness, "Thickness of the arch [m]; default 0.2");
  word.add_option("--density", o.density, "Density [kg/m^3], in 2D [kg/m^2]; default 2000");
}

void add_buildings(CLI::App& make, const std::shared_ptr<MakeArguments>& a, int& code) {
  CLI::App* arch = add_word(
      make, a, "arch", "A semicircular arch of voussoirs (2D)",
      [](const MakeArguments& m) {
        statics::ArchOptions o = m.arch;
        o.friction = m.friction.value_or(o.friction), o.courses = 0;
        return write_scene(m, statics::arch_scene(o), "A semicircular arch");
      },
      code);
  add_arch_sizes(*arch, a->arch);
  arch->add_flag("!--straight", a->arch.annular,
                 "Voussoirs with the masses of their straight-sided shapes; default: those of sectors of a ring");
  CLI::App* vault = add_word(
      make, a, "vault", "A barrel vault (3D)",
      [](const MakeArguments& m) {
        statics::ArchOptions o = m.arch;
        o.friction = m.friction.value_or(o.friction), o.courses = std::max(1, o.courses);
        return write_scene(m, statics::arch_scene(o), "A barrel vault");
      },
      code);
  add_arch_sizes(*vault, a->arch);
  vault->add_option("--courses", a->arch.courses, "Arches side by side; default 1")->check(whole_number(1, 1000));
  vault->add_option("--length", a->arch.length, "Length of a course [m]; default 0.5");
  CLI::App* wall = add_word(
      make, a, "wall", "A wall of bricks in running bond",
      [](const MakeArguments& m) {
        statics::WallOptions o = m.wall;
        o.friction = m.friction.value_or(o.friction);
        return write_scene(m, statics::wall_scene(o), "A wall in running bond");
      },
      code);
  wall->add_option("--rows", a->wall.rows, "Rows; default 10")->check(whole_number(1, 100000));
  wall->add_option("--columns", a->wall.columns, "Bricks of a row; default 10")->check(whole_number(1, 100000));
  wall->add_option("--width", a->wall.width, "Width of a brick [m]; default 0.25");
  wall->add_option("--height", a->wall.height, "Height of a brick [m]; default 0.0625");
  wall->add_option("--dimension", a->wall.dimension, "2 or 3; default 2")->check(whole_number(2, 3));
  CLI::App* spinal = add_word(
      make, a, "spinal", "A spine of one brick a level, each with a counterweight (2D)",
      [](const MakeArguments& m) { return write_scene(m, statics::spinal_scene(m.spinal), "A spinal stack"); }, code);
  spinal->add_option("levels", a->spinal.levels, "Levels")->required()->check(whole_number(1, 40));
  spinal->add_option("--overhang", a->spinal.overhang,
                     "Distance of each brick's middle beyond the end of the brick below, in widths; default 0.15");
}

}  // namespace

void add_make(CLI::App& app, int& code) {
  auto a = std::make_shared<MakeArguments>();
  CLI::App* make =
      app.add_subcommand("make", "Write a structure as a scene file: tower, arch, vault, wall, block assembly");
  make->require_subcommand(1);
  add_towers(*make, a, code);
  add_buildings(*make, a, code);
  CLI::App* assembly = add_word(
      *make, a, "assembly", "A block assembly (JSON) as a scene",
      [](const MakeArguments& m) {
        statics::AssemblySettings settings;
        settings.friction = m.friction;
        if (!m.rotation.empty()) statics::parse_rotation(m.rotation, settings);
        return write_scene(m, statics::read_assembly(m.assembly, settings), "A block assembly");
      },
      code);
  assembly->add_option("file", a->assembly, "Assembly (.json)")->required();
  assembly->add_option("--rotate", a->rotation, "Rotation about an axis through the origin, in degrees: y=90");
}

}  // namespace touchstone::app
