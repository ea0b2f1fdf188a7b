#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/scene/reader.h"

namespace touchstone {
namespace {

const std::string k2D = "touchstone = 1\ndimension = 2\n";
const std::string k3D = "touchstone = 1\ndimension = 3\n";
const std::string kSphere = "shape = { kind = \"sphere\", radius = 1 }\n";

std::string complaint(const std::string& text, const std::vector<SceneOverride>& overrides = {},
                      const SceneLimits& limits = {}) {
  try {
    parse_scene_text(text, "s.toml", overrides, limits);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadInput);
    return e.what();
  }
  return "no error";
}
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}
// The whole message for a scene with one mistake.
std::string only(const std::string& line) { return line + "\n1 error in s.toml"; }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Case {
  const char* name;
  std::string text, message;  // message: the line, without the file
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
class OneMistake : public testing::TestWithParam<Case> {};

TEST_P(OneMistake, IsReportedAtItsPlaceWithTheRemedy) {
  EXPECT_EQ(complaint(GetParam().text), only("s.toml:" + GetParam().message));
}

const std::vector<Case> kCases{
    {"unknown_key", k3D + "[simulation]\nstpe = 1\n", "4:1: key 'simulation.stpe' is not known (did you mean 'step'?)"},
    {"unknown_body_key", k3D + "[[body]]\nname = 'b'\nfoo = 1\nkind = 'static'\n",
     "5:1: key 'body.b.foo' is not known; there are name, kind, position, angle, orientation, axis_angle, velocity, "
     "angular_velocity, "
     "shape, shapes, material, density, mass, inertia, center_of_mass, gravity_scale, linear_drag, quadratic_drag, "
     "angular_drag, "
     "table_friction, surface_velocity, motion, groups, ignores, tags, repeat, scatter, each"},
    {"wrong_type", k3D + "[simulation]\nstep = '1'\n",
     "4:8: key 'simulation.step' is '1': must be a number, above 0 (s)"},
    {"float_for_integer", k3D + "[record]\nevery = 2.0\n",
     "4:9: key 'record.every' is 2: must be an integer, at least 1 (steps)"},
    {"number_for_bool", k3D + "[record]\nposes = 1\n", "4:9: key 'record.poses' is 1: must be true or false"},
    {"not_a_section", k3D + "simulation = 3\n", "3:14: key 'simulation' is 3: must be a table"},
    {"not_a_list", k3D + "[body]\nname = 'x'\n",
     "3:1: key 'body' is a table: must be a list of tables, as in [[body]]"},
    {"date", k3D + "[simulation]\nstep = 1979-05-27\n",
     "4:8: key 'simulation.step' is 1979-05-27: must be a number, above 0 (s)"},
    {"nan", k3D + "[simulation]\nduration = nan\n",
     "4:12: key 'simulation.duration' is nan: must be finite, at least 0 (s)"},
    {"inf", k3D + "[[body]]\nkind = 'static'\nposition = [0, inf, 0]\n",
     "5:16: key 'body[0].position[1]' is inf: must be finite (m)"},
    {"nan_in_vertices",
     k2D + "[[body]]\nkind = 'static'\nshape = {kind = 'convex', vertices = [[0, 0], [1, 0], [nan, 1]]}\n",
     "5:56: key 'body[0].shape.vertices[2][0]' is nan: must be finite (m)"},
    {"zero_step", k3D + "[simulation]\nstep = 0\n", "4:8: key 'simulation.step' is 0: must be above 0 (s)"},
    {"negative_step", k3D + "[simulation]\nstep = -0.5\n", "4:8: key 'simulation.step' is -0.5: must be above 0 (s)"},
    {"negative_mass", k3D + "[[body]]\nname = 'b'\nmass = -1\n" + kSphere,
     "5:8: key 'body.b.mass' is -1: must be above 0 (kg)"},
    {"zero_size", k3D + "[[body]]\nname = 'b'\nshape = {kind = 'box', size = [1, 0, 1]}\n",
     "5:35: key 'body.b.shape.size[1]' is 0: must be above 0 (m)"},
    {"zero_radius", k3D + "[[body]]\nname = 'b'\nshapes = [{kind = 'sphere', radius = 0}]\n",
     "5:38: key 'body.b.shapes[0].radius' is 0: must be above 0 (m)"},
    {"vector_length", k2D + "[simulation]\ngravity = [0, 0, -9.81]\n",
     "4:11: key 'simulation.gravity' is [0, 0, -9.81]: must be a list of 2 numbers in 2D (m/s²)"},
    {"vector_for_angular_number", k2D + "[[body]]\nkind = 'kinematic'\nangular_velocity = [0, 0, 1]\n",
     "5:20: key 'body[0].angular_velocity' is [0, 0, 1]: must be a number in 2D (rad/s)"},
    {"missing_dimension", "touchstone = 1\n", "1:1: key 'dimension' is missing: must be 2 or 3"},
    {"bad_dimension", "touchstone = 1\ndimension = 4\n", "2:13: key 'dimension' is 4: must be between 2 and 3"},
    {"missing_version", "dimension = 2\n", "1:1: key 'touchstone' is missing: must be 1, the version of the format"},
    {"other_version", "touchstone = 2\nnonsense = 1\n",
     "1:14: key 'touchstone' is 2: this program reads version 1 of the format"},
    {"duplicate_body", k3D + "[[body]]\nname = 'b'\n" + kSphere + "[[body]]\nname = 'b'\n" + kSphere,
     "7:8: key 'body.b.name' is 'b': there is already a body named 'b'; names must be unique"},
    {"lattice_clash",
     k3D + "[[body]]\nname = 'b_1'\n" + kSphere +
         "[[body]]\nname = 'b'\nrepeat = {count = [3, 1, 1], spacing = [9, 0, 0]}\n" + kSphere,
     "7:8: key 'body.b.name' is 'b': there is already a body named 'b_1'; names must be unique"},
    {"duplicate_material", k3D + "[[material]]\nname = 'm'\n[[material]]\nname = 'm'\n",
     "6:8: key 'material.m.name' is 'm': there is already a material of that name; names must be unique"},
    {"unknown_model", k3D + "[model]\nname = 'penality'\nanything = 1\n",
     "4:8: key 'model.name' is 'penality': must be a model: impulse, ncp, lcp, convex, guendelman, hahn, "
     "mirtich, gauss, lagrange, penalty or free (did you mean 'penalty'?)"},
    {"unknown_option", k3D + "[model]\nname = 'penalty'\nstifness = 1\n",
     "5:1: key 'model.stifness' is not known (did you mean 'stiffness'?)"},
    {"option_range", k3D + "[model]\nname = 'penalty'\ntangential_ratio = 2\n",
     "5:20: key 'model.tangential_ratio' is 2: must be above 0 and at most 1"},
    {"option_type", k3D + "[model]\nname = 'penalty'\nmax_substeps = 2.5\n",
     "5:16: key 'model.max_substeps' is 2.5: must be an integer, at least 1"},
    {"unknown_material", k3D + "[[material]]\nname = 'steel'\n[[body]]\nname = 'b'\nmaterial = 'stel'\n" + kSphere,
     "7:12: key 'body.b.material' is 'stel': there is no such material (did you mean 'steel'?)"},
    {"unknown_shape_material", k3D + "[[body]]\nname = 'b'\nshape = {kind = 'sphere', radius = 1, material = 'x'}\n",
     "5:50: key 'body.b.shape.material' is 'x': there is no such material"},
    {"unknown_pair_material", k3D + "[[material_pair]]\nmaterials = ['default', 'x']\n",
     "4:13: key 'material_pair[0].materials' is ['default', 'x']: there is no material 'x'"},
    {"static_below_dynamic", k3D + "[[material]]\nname = 'm'\nstatic_friction = 0.1\ndynamic_friction = 0.2\n",
     "5:19: key 'material.m.static_friction' is 0.1: must be at least dynamic_friction, which is 0.2"},
    {"half_friction", k3D + "[[material]]\nname = 'm'\nstatic_friction = 0.1\n",
     "5:19: key 'material.m.static_friction' is 0.1: static_friction and dynamic_friction go together; friction sets "
     "both"},
    {"restitution", k3D + "[[material]]\nname = 'm'\nrestitution = 1.5\n",
     "5:15: key 'material.m.restitution' is 1.5: must be between 0 and 1"},
    {"rolling", k3D + "[[material]]\nname = 'm'\nrolling_friction = 0.1\n",
     "5:20: key 'material.m.rolling_friction' is 0.1: not supported yet by any model; remove it"},
    {"spinning", k3D + "[[material]]\nname = 'm'\nspinning_friction = 0.1\n",
     "5:21: key 'material.m.spinning_friction' is 0.1: not supported yet by any model; remove it"},
    {"choice", k3D + "[[body]]\nname = 'b'\nkind = 'statik'\n" + kSphere,
     "5:8: key 'body.b.kind' is 'statik': must be dynamic, kinematic or static (did you mean 'static'?)"},
    {"shape_key_of_other_kind", k3D + "[[body]]\nname = 'b'\nshape = {kind = 'sphere', radius = 1, size = [1, 1, 1]}\n",
     "5:39: key 'body.b.shape.size' does not belong to a sphere: it takes radius"},
    {"missing_shape_key", k3D + "[[body]]\nname = 'b'\nshape = {kind = 'capsule', radius = 1}\n",
     "5:9: key 'body.b.shape.length' is missing: a capsule needs it"},
    {"shape_of_other_dimension", k2D + "[[body]]\nname = 'b'\nshape = {kind = 'sphere', radius = 1}\n",
     "5:17: key 'body.b.shape.kind' is 'sphere': must be circle in 2D"},
    {"cylinder_in_2d", k2D + "[[body]]\nname = 'b'\nshape = {kind = 'cylinder', radius = 1, length = 1}\n",
     "5:17: key 'body.b.shape.kind' is 'cylinder': needs a 3D scene, and dimension is 2"},
    {"key_of_other_dimension", k2D + "[[body]]\nkind = 'static'\norientation = [1, 0, 0, 0]\n",
     "5:15: key 'body[0].orientation' is for 3D scenes only, and dimension is 2: Rotation as a quaternion w, x, y, z; "
     "it is normalised. In 2D use `angle`."},
    {"zero_quaternion", k3D + "[[body]]\nkind = 'static'\norientation = [0, 0, 0, 0]\n",
     "5:15: key 'body[0].orientation' is [0, 0, 0, 0]: must not be zero; no rotation is [1, 0, 0, 0]"},
    {"table_in_3d", k3D + "[table]\n",
     "3:1: key 'table' is for 2D scenes only, and dimension is 3: Friction of a 2D world seen from above."},
    {"friction_without_table",
     k2D + "[[body]]\nname = 'b'\ntable_friction = 0.1\nshape = {kind = 'circle', radius = 1}\n",
     "5:18: key 'body.b.table_friction' is 0.1: has no effect without a [table] section; add one"},
    {"unphysical_inertia", k3D + "[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 3]\n",
     "6:11: key 'body.b.inertia' is [1, 1, 3]: inertia is not physical: its principal moments 1, 1 and 3 kg·m² violate "
     "the triangle "
     "inequality (each must be at most the sum of the other two)"},
    {"no_shape", k3D + "[[body]]\nname = 'b'\n",
     "3:1: key 'body.b.shape' is missing: a dynamic body needs a shape, or a mass and an inertia"},
    {"dynamic_half_space", k3D + "[[body]]\nname = 'b'\nshape = {kind = 'half_space'}\n",
     "5:9: key 'body.b.shape' is a table: a half_space is infinite and has no mass; add kind = \"static\" to the body"},
    {"moving_static", k3D + "[[body]]\nname = 'b'\nkind = 'static'\nvelocity = [1, 0, 0]\n",
     "6:12: key 'body.b.velocity' is [1, 0, 0]: a static body does not move; make it kinematic, or see "
     "surface_velocity"},
    {"motion_of_dynamic", k3D + "[[body]]\nname = 'b'\nmotion = {frequency = 1}\n" + kSphere,
     "5:10: key 'body.b.motion' is a table: only a kinematic body has a prescribed motion; add kind = \"kinematic\""},
    {"integrator_of_model", k3D + "[simulation]\nintegrator = 'explicit_euler'\n[model]\nname = 'penalty'\n",
     "4:14: key 'simulation.integrator' is 'explicit_euler': model 'penalty' does not support it; use "
     "semi_implicit_euler or rk4"},
    {"spring_body", k3D + "[[body]]\nname = 'ball'\n" + kSphere + "[[spring]]\nbody_a = 'bal'\nstiffness = 1\n",
     "7:10: key 'spring[0].body_a' is 'bal': there is no body of that name (did you mean 'ball'?)"},
    {"force_body", k3D + "[[body]]\nname = 'ball'\n" + kSphere + "[[force]]\nbody = 'bal'\n",
     "7:8: key 'force[0].body' is 'bal': there is no body of that name (did you mean 'ball'?)"},
    {"force_on_static", k3D + "[[body]]\nname = 'ball'\nkind = 'static'\n" + kSphere + "[[force]]\nbody = 'ball'\n",
     "8:8: key 'force[0].body' is 'ball': is not dynamic: a force has no effect on it"},
    {"spring_to_itself", k3D + "[[spring]]\nstiffness = 1\n",
     "3:1: key 'spring[0].body_b' a spring must join two different bodies, or a body and the world"},
    {"flat_hull",
     k3D + "[[body]]\nname = 'b'\nshape = {kind = 'convex', vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}\n",
     "5:38: key 'body.b.shape.vertices' is a list of 4: the vertices lie in a plane, on a line or in a point (to 1e-9 "
     "of their size); they "
     "must enclose a volume"},
};
INSTANTIATE_TEST_SUITE_P(SceneBadInput, OneMistake, testing::ValuesIn(kCases),
                         [](const auto& c) { return std::string(c.param.name); });

TEST(SceneBadInput, AllMistakesAreShownAtOnceInTheOrderOfTheFile) {
  const std::string message =
      complaint(k3D + "[simulation]\nstep = -1\nintegrator = 'rk5'\n[[body]]\nname = 'ball'\nmass = 'x'\n" +
                "shape = { kind = 'sphere', radius = -1 }\n[[body]]\nname = 'ball'\ncolour = 'red'\nkind = 'static'\n");
  const std::vector<std::string> lines = lines_of(message);
  ASSERT_EQ(lines.size(), 7u) << message;
  const char* expected[] = {
      "s.toml:4:8: key 'simulation.step' is -1",     "s.toml:5:14: key 'simulation.integrator' is 'rk5'",
      "s.toml:8:8: key 'body.ball.mass' is 'x'",     "s.toml:9:37: key 'body.ball.shape.radius' is -1",
      "s.toml:11:8: key 'body.ball.name' is 'ball'", "s.toml:12:1: key 'body.ball.colour' is not known"};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(lines[i].starts_with(expected[i])) << lines[i];
  EXPECT_EQ(lines[6], "6 errors in s.toml");
}

TEST(SceneBadInput, ManyMistakesAreCountedAndCut) {
  std::string text = k3D;
  for (int i = 0; i < 63; ++i) text += "key_" + std::to_string(i) + " = 1\n";
  const std::vector<std::string> lines = lines_of(complaint(text));
  ASSERT_EQ(lines.size(), 52u);
  EXPECT_TRUE(lines[49].starts_with("s.toml:52:1: key 'key_49'")) << lines[49];
  EXPECT_EQ(lines[50], "... and 13 more");
  EXPECT_EQ(lines[51], "63 errors in s.toml");
}

TEST(SceneBadInput, SyntaxErrorEndsTheReading) {
  const std::string message = complaint(k3D + "colour = 1\n[simulation\nstep = 1\n");
  EXPECT_TRUE(message.starts_with("s.toml:4:12: not valid TOML: ")) << message;
  EXPECT_FALSE(has(message, "\n")) << message;
}

TEST(SceneBadInput, OverridesAreNamedInsteadOfTheFile) {
  const std::string text = k3D + "[[body]]\nname = 'ball'\n" + kSphere;
  const auto with = [&](const char* key, const char* value) { return complaint(text, {{key, value}}); };
  EXPECT_EQ(with("simulation.step", "-1"),
            only("--set simulation.step=-1: key 'simulation.step' is -1: must be above 0 (s)"));
  EXPECT_EQ(with("simulation.stp", "1"),
            only("--set simulation.stp=1: key 'simulation.stp' is not known (did you mean 'step'?)"));
  EXPECT_EQ(with("modle.sag", "1"), only("--set modle.sag=1: key 'modle' is not known (did you mean 'model'?)"));
  EXPECT_EQ(with("simulation.step", "fast"),
            only("--set simulation.step=fast: key 'simulation.step' is 'fast': must be a number, above 0 (s)"));
  EXPECT_EQ(with("body.bal.mass", "1"), only("--set body.bal.mass=1: key 'body.bal.mass' leads nowhere: there is no "
                                             "'bal' in a list of 1 (did you mean 'ball'?)"));
  EXPECT_EQ(with("body.1.mass", "1"),
            only("--set body.1.mass=1: key 'body.1.mass' leads nowhere: there is no '1' in a list of 1"));
  EXPECT_EQ(with("spring.0.damping", "1"),
            only("--set spring.0.damping=1: key 'spring.0.damping' leads nowhere: the scene has no [[spring]]"));
  EXPECT_EQ(with("body.ball.repeat.jitter", "1"),
            "--set body.ball.repeat.jitter=1: key 'body.ball.repeat.count' is missing: must be a list of 3 integers in "
            "3D, between 1 and 1000000\n"
            "--set body.ball.repeat.jitter=1: key 'body.ball.repeat.spacing' is missing: must be a list of 3 numbers "
            "in 3D (m)\n"
            "2 errors in s.toml");
  EXPECT_TRUE(has(with("simulation..step", "1"), "is not a dotted key"));
  EXPECT_TRUE(has(with("dimension.x", "1"), "there is no 'x' in an integer"));
  // A value cannot smuggle in further keys.
  EXPECT_EQ(with("name", "1\nfoo = 2"), "no error");
}

TEST(SceneBadInput, TooManyBodiesAreRefusedBeforeTheyAreMade) {
  const std::string body =
      "[[body]]\nname = 'b'\nrepeat = { count = [1000, 1000, 1000], spacing = [3, 3, 3] }\n" + kSphere;
  EXPECT_EQ(
      complaint(k3D + body),
      only("s.toml:5:10: key 'body.b.repeat' is a table: the scene has too many bodies: at most 1000000 are possible"));
  SceneLimits limits;
  limits.bodies = 2;
  std::string text = k3D;
  for (int i = 0; i < 2; ++i) text += "[[body]]\nkind = 'static'\n";
  EXPECT_EQ(complaint(text, {}, limits), "no error");
  EXPECT_TRUE(has(complaint(text + "[[body]]\nkind = 'static'\n", {}, limits),
                  "s.toml:7:1: key 'body[2].name' the scene has too many bodies"));
}

TEST(SceneBadInput, TooManyMaterialsAreRefused) {
  std::string text = k3D;
  for (int i = 0; i < 1001; ++i) text += "[[material]]\nname = 'm" + std::to_string(i) + "'\n";
  EXPECT_TRUE(has(complaint(text), "is one too many: a scene has at most 1000 materials"));
}

TEST(SceneBadInput, TextThatIsNotTextIsRefused) {
  EXPECT_TRUE(has(complaint(""), "s.toml: the file is empty"));
  EXPECT_TRUE(has(complaint(" \n\t\r\n"), "s.toml: the file is empty"));
  EXPECT_TRUE(has(complaint(std::string("touch\0stone", 11)), "s.toml: is not text: byte 6 is zero"));
  EXPECT_TRUE(has(complaint("touchstone = 1\nname = '\xff\xfe'\n"), "s.toml:2:")) << "invalid UTF-8";
  SceneLimits limits;
  limits.bytes = 10;
  EXPECT_TRUE(has(complaint(k3D, {}, limits), "s.toml: the file is larger than"));
}

TEST(SceneBadInput, DeepNestingIsRefusedNotACrash) {
  std::string arrays = k3D + "x = ";
  for (int i = 0; i < 100000; ++i) arrays += '[';
  EXPECT_TRUE(has(complaint(arrays), "not valid TOML"));
  std::string key = "a", quoted = "\"=\"";
  for (int i = 0; i < 1000000; ++i) key += ".a", quoted += ".\"=\"";
  EXPECT_TRUE(has(complaint(k3D + key + " = 1\n"), "s.toml:3: a key of more than 16 parts"));
  EXPECT_TRUE(has(complaint(k3D + '[' + key + "]\n"), "s.toml:3: a key of more than 16 parts"));
  EXPECT_TRUE(has(complaint(k3D + "x = { s = \"\"\"\n\"\"\", " + quoted + " = 1 }\n"),
                  "s.toml:4: a key of more than 16 parts"));
  // Dots in numbers, strings and comments are no keys.
  std::string dots = k3D + "# ";
  for (int i = 0; i < 100; ++i) dots += "a.";
  EXPECT_EQ(complaint(dots + "\nname = '...........................'\n"), "no error");
}

TEST(SceneBadInput, UnreadableFilesAreNamed) {
  const auto from = [](const std::string& path) {
    try {
      load_scene(path);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const std::string folder = testing::TempDir(), large = folder + "large.toml";
  EXPECT_EQ(from(folder + "missing.toml"), folder + "missing.toml: there is no such file");
  EXPECT_EQ(from(folder), folder + ": is a folder; a scene is a TOML file");
  EXPECT_TRUE(has(from("/dev/zero"), "/dev/zero: the file is larger than 64 MiB"));
  std::ofstream(large) << "x";
  std::filesystem::resize_file(large, (std::uintmax_t{64} << 20) + 1);
  EXPECT_EQ(from(large), large + ": the file is larger than 64 MiB, the most that a scene may have");
  std::filesystem::resize_file(large, 0);
  EXPECT_TRUE(has(from(large), "the file is empty"));
  std::filesystem::remove(large);
}

}  // namespace
}  // namespace touchstone
