#include "io/scene/reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "touchstone/simulation.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

SceneDescription parse(const std::string& text, const std::vector<SceneOverride>& overrides = {}) {
  return parse_scene(text, "scene.toml", overrides);
}
const std::string k2D = "touchstone = 1\ndimension = 2\n";
const std::string k3D = "touchstone = 1\ndimension = 3\n";
const std::string kBall = "[[body]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.5 }\n";

TEST(SceneReader, ReadsTopLevelSimulationModelAndRecord) {
  const SceneDescription s = parse(k3D + R"(
name = "all keys"
[simulation]
gravity = [1, 2.5, -3]
step = 0.25
duration = 7
integrator = "semi_implicit_euler"
seed = 42
[model]
name = "penalty"
stiffness = 1000
max_substeps = 17
[record]
every = 3
poses = false
velocities = false
contacts = false
)");
  EXPECT_EQ(s.name, "all keys");
  EXPECT_EQ(s.dimension, 3);
  EXPECT_EQ(s.gravity, Vector3d(1, 2.5, -3));
  EXPECT_EQ(s.step, 0.25);
  EXPECT_EQ(s.duration, 7);
  EXPECT_EQ(s.seed, 42u);
  EXPECT_EQ(s.model.name, "penalty");
  EXPECT_EQ(std::get<double>(s.model.options.at("stiffness")), 1000);
  EXPECT_EQ(std::get<std::int64_t>(s.model.options.at("max_substeps")), 17);
  EXPECT_EQ(s.model.options.size(), 2u);
  EXPECT_EQ(s.record.every, 3);
  EXPECT_FALSE(s.record.poses || s.record.velocities || s.record.contacts);
}

TEST(SceneReader, ReadsIntegratorsByName) {
  const auto with = [](const std::string& name) {
    return parse(k2D + "[model]\nname = \"free\"\n[simulation]\nintegrator = \"" + name + "\"\n").integrator;
  };
  EXPECT_EQ(with("explicit_euler"), Integrator::kExplicitEuler);
  EXPECT_EQ(with("semi_implicit_euler"), Integrator::kSemiImplicitEuler);
  EXPECT_EQ(with("rk4"), Integrator::kRk4);
}

TEST(SceneReader, GravityPointsDownTheLastAxisByDefault) {
  EXPECT_EQ(parse(k2D).gravity, Vector3d(0, -9.81, 0));
  EXPECT_EQ(parse(k3D).gravity, Vector3d(0, 0, -9.81));
}

TEST(SceneReader, ReadsTable) {
  const SceneDescription s = parse(k2D + "[table]\nlaw = \"viscous\"\ngravity = 5\nrate = 0.3\nstatic_speed = 0.02\n");
  ASSERT_TRUE(s.table);
  EXPECT_EQ(s.table->law, TableDescription::Law::kViscous);
  EXPECT_EQ(s.table->gravity, 5);
  EXPECT_EQ(s.table->rate, 0.3);
  EXPECT_EQ(s.table->static_speed, 0.02);
  EXPECT_FALSE(parse(k2D).table);
}

TEST(SceneReader, ReadsMaterialsAndPairs) {
  const SceneDescription s = parse(k3D + R"(
[[material]]
name = "ice"
friction = 0.04
restitution = 0.25
density = 917
[[material]]
name = "steel"
static_friction = 0.9
dynamic_friction = 0.64
[[material_pair]]
materials = ["ice", "steel"]
static_friction = 0.3
dynamic_friction = 0.2
restitution = 0.1
[[material_pair]]
materials = ["steel", "steel"]
restitution = 0.75
[[material_pair]]
materials = ["steel", "default"]
)");
  ASSERT_EQ(s.materials.size(), 2u);
  EXPECT_EQ(s.materials[0].name, "ice");
  EXPECT_EQ(s.materials[0].static_friction, 0.04);
  EXPECT_EQ(s.materials[0].dynamic_friction, 0.04);
  EXPECT_EQ(s.materials[0].restitution, 0.25);
  EXPECT_EQ(s.materials[0].density, 917);
  EXPECT_EQ(s.materials[1].static_friction, 0.9);
  EXPECT_EQ(s.materials[1].dynamic_friction, 0.64);
  ASSERT_EQ(s.material_pairs.size(), 3u);
  EXPECT_EQ(s.material_pairs[0].first, "ice");
  EXPECT_EQ(s.material_pairs[0].second, "steel");
  EXPECT_EQ(s.material_pairs[0].static_friction, 0.3);
  EXPECT_EQ(s.material_pairs[0].dynamic_friction, 0.2);
  EXPECT_EQ(s.material_pairs[0].restitution, 0.1);
  // What a pair does not say follows from the rule: geometric mean, larger restitution.
  EXPECT_DOUBLE_EQ(s.material_pairs[1].static_friction, 0.9);
  EXPECT_EQ(s.material_pairs[1].restitution, 0.75);
  EXPECT_DOUBLE_EQ(s.material_pairs[2].dynamic_friction, std::sqrt(0.64 * 0.5));
  EXPECT_EQ(s.material_pairs[2].restitution, 0);
}

TEST(SceneReader, ReadsEveryKeyOfABodyIn3D) {
  const SceneDescription s = parse(k3D + R"(
[[material]]
name = "oak"
[[material]]
name = "tip"
[[body]]
name = "b"
position = [1, 2, 3]
orientation = [0, 0, 2, 0]
velocity = [4, 5, 6]
angular_velocity = [7, 8, 9]
material = "oak"
density = 500
mass = 2
inertia = [1, 1.1, 1.2, 0.01, 0.02, 0.03]
center_of_mass = [0.1, 0.2, 0.3]
gravity_scale = 0.5
linear_drag = 0.6
quadratic_drag = 0.7
angular_drag = 0.8
surface_velocity = [0.9, 1, 1.1]
groups = ["a", "b"]
ignores = ["c"]
shapes = [
  { kind = "sphere", radius = 0.5, position = [0, 0, 1], axis_angle = [0, 0, 3, 0.5], material = "tip" },
  { kind = "box", size = [1, 2, 3] },
]
)");
  ASSERT_EQ(s.bodies.size(), 1u);
  const BodyDescription& b = s.bodies[0];
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.kind, BodyKind::kDynamic);
  EXPECT_EQ(b.placement.position, Vector3d(1, 2, 3));
  EXPECT_EQ(b.placement.orientation.coeffs(), Eigen::Quaterniond(0, 0, 1, 0).coeffs());
  EXPECT_EQ(b.velocity, Vector3d(4, 5, 6));
  EXPECT_EQ(b.angular_velocity, Vector3d(7, 8, 9));
  EXPECT_EQ(b.material, "oak");
  EXPECT_EQ(b.density, 500);
  EXPECT_EQ(b.mass, 2);
  Eigen::Matrix3d inertia;
  inertia << 1, 0.01, 0.02, 0.01, 1.1, 0.03, 0.02, 0.03, 1.2;
  ASSERT_TRUE(b.inertia);
  EXPECT_EQ(*b.inertia, inertia);
  EXPECT_EQ(b.center_of_mass, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(b.gravity_scale, 0.5);
  EXPECT_EQ(b.linear_drag, 0.6);
  EXPECT_EQ(b.quadratic_drag, 0.7);
  EXPECT_EQ(b.angular_drag, 0.8);
  EXPECT_EQ(b.surface_velocity, Vector3d(0.9, 1, 1.1));
  EXPECT_EQ(b.groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(b.ignores, std::vector<std::string>{"c"});
  ASSERT_EQ(b.shapes.size(), 2u);
  EXPECT_EQ(b.shapes[0].kind, ShapeKind::kSphere);
  EXPECT_EQ(b.shapes[0].radius, 0.5);
  EXPECT_EQ(b.shapes[0].placement.position, Vector3d(0, 0, 1));
  EXPECT_NEAR(b.shapes[0].placement.orientation.z(), std::sin(0.25), 1e-15);
  EXPECT_EQ(b.shapes[0].material, "tip");
  EXPECT_EQ(b.shapes[1].kind, ShapeKind::kBox);
  EXPECT_EQ(b.shapes[1].size, Vector3d(1, 2, 3));
  EXPECT_EQ(b.shapes[1].material, "");
}

TEST(SceneReader, ReadsPlanarKeys) {
  const SceneDescription s = parse(k2D + R"(
[table]
[[body]]
name = "b"
position = [1, 2]
angle = 0.5
velocity = [3, 4]
angular_velocity = 5
mass = 2
inertia = 0.25
table_friction = 0.3
shape = { kind = "ellipse", radii = [1, 2], angle = -0.5 }
)");
  const BodyDescription& b = s.bodies.at(0);
  EXPECT_EQ(b.placement.position, Vector3d(1, 2, 0));
  EXPECT_EQ(b.placement.angle, 0.5);
  EXPECT_EQ(b.velocity, Vector3d(3, 4, 0));
  EXPECT_EQ(b.angular_velocity, Vector3d(0, 0, 5));
  EXPECT_EQ((*b.inertia)(2, 2), 0.25);
  EXPECT_EQ(b.table_friction, 0.3);
  EXPECT_EQ(b.shapes.at(0).kind, ShapeKind::kEllipsoid);
  EXPECT_EQ(b.shapes[0].size, Vector3d(1, 2, 0));
  EXPECT_EQ(b.shapes[0].placement.angle, -0.5);
}

TEST(SceneReader, ReadsEveryKindOfShape) {
  const auto shape = [](const std::string& header, const std::string& text) {
    return parse(header + "[[body]]\nkind = \"static\"\nshape = {" + text + "}\n").bodies.at(0).shapes.at(0);
  };
  EXPECT_EQ(shape(k2D, "kind = 'circle', radius = 2").kind, ShapeKind::kSphere);
  EXPECT_EQ(shape(k3D, "kind = 'ellipsoid', radii = [1, 2, 3]").size, Vector3d(1, 2, 3));
  const ShapeDescription capsule = shape(k3D, "kind = 'capsule', radius = 2, length = 3");
  EXPECT_EQ(capsule.kind, ShapeKind::kCapsule);
  EXPECT_EQ(capsule.radius, 2);
  EXPECT_EQ(capsule.length, 3);
  EXPECT_EQ(shape(k3D, "kind = 'cylinder', radius = 2, length = 3").kind, ShapeKind::kCylinder);
  EXPECT_EQ(shape(k2D, "kind = 'half_space'").normal, Vector3d(0, 1, 0));
  EXPECT_EQ(shape(k3D, "kind = 'half_space'").normal, Vector3d(0, 0, 1));
  EXPECT_EQ(shape(k2D, "kind = 'half_space', normal = [3, 4]").normal, Vector3d(0.6, 0.8, 0));
  const ShapeDescription convex = shape(k2D, "kind = 'convex', vertices = [[0, 0], [1, 0], [0, 2]]");
  EXPECT_EQ(convex.kind, ShapeKind::kConvex);
  ASSERT_EQ(convex.vertices.size(), 3u);
  EXPECT_EQ(convex.vertices[2], Vector3d(0, 2, 0));
}

TEST(SceneReader, ReadsKindsAndMotion) {
  const SceneDescription s = parse(k2D + R"(
[[body]]
kind = "static"
[[body]]
kind = "kinematic"
motion = { velocity = [1, 2], angular_velocity = 3, amplitude = [4, 5], angular_amplitude = 6, frequency = 7, phase = 8 }
)");
  EXPECT_EQ(s.bodies.at(0).kind, BodyKind::kStatic);
  EXPECT_EQ(s.bodies.at(1).kind, BodyKind::kKinematic);
  ASSERT_TRUE(s.bodies[1].motion);
  const PrescribedMotion& m = *s.bodies[1].motion;
  EXPECT_EQ(m.velocity, Vector3d(1, 2, 0));
  EXPECT_EQ(m.angular_velocity, Vector3d(0, 0, 3));
  EXPECT_EQ(m.amplitude, Vector3d(4, 5, 0));
  EXPECT_EQ(m.angular_amplitude, Vector3d(0, 0, 6));
  EXPECT_EQ(m.frequency, 7);
  EXPECT_EQ(m.phase, 8);
}

TEST(SceneReader, ReadsSprings) {
  const SceneDescription s = parse(k3D + kBall + R"(
[[spring]]
body_a = "ball"
point_a = [1, 2, 3]
point_b = [4, 5, 6]
stiffness = 7
damping = 8
rest_length = 9
[[spring]]
body_a = "world"
body_b = "ball"
stiffness = 1
)");
  ASSERT_EQ(s.springs.size(), 2u);
  EXPECT_EQ(s.springs[0].body_a, "ball");
  EXPECT_EQ(s.springs[0].body_b, "");
  EXPECT_EQ(s.springs[0].point_a, Vector3d(1, 2, 3));
  EXPECT_EQ(s.springs[0].point_b, Vector3d(4, 5, 6));
  EXPECT_EQ(s.springs[0].stiffness, 7);
  EXPECT_EQ(s.springs[0].damping, 8);
  EXPECT_EQ(s.springs[0].rest_length, 9);
  EXPECT_EQ(s.springs[1].body_a, "");
  EXPECT_FALSE(s.springs[1].rest_length);
}

TEST(SceneReader, ReadsForces) {
  const SceneDescription s = parse(k3D + kBall + R"(
[[force]]
body = "ball"
force = [1, 2, 3]
torque = [4, 5, 6]
point = [7, 8, 9]
from = 0.5
until = 1.5
[[force]]
body = "ball"
force = [1, 0, 0]
)");
  ASSERT_EQ(s.forces.size(), 2u);
  EXPECT_EQ(s.forces[0].body, "ball");
  EXPECT_EQ(s.forces[0].force, Vector3d(1, 2, 3));
  EXPECT_EQ(s.forces[0].torque, Vector3d(4, 5, 6));
  EXPECT_EQ(s.forces[0].point, Vector3d(7, 8, 9));
  EXPECT_EQ(s.forces[0].from, 0.5);
  EXPECT_EQ(s.forces[0].until, 1.5);
  EXPECT_FALSE(s.forces[1].point);
  EXPECT_GT(s.forces[1].until, 1e300);
}

TEST(SceneReader, UnnamedBodiesAreNamedByPlaceAsTheWorldDoes) {
  const SceneDescription s = parse(k3D + "[[body]]\nkind = 'static'\n" + kBall + "[[body]]\nkind = 'static'\n");
  EXPECT_EQ(s.bodies.at(0).name, "body_1");
  EXPECT_EQ(s.bodies.at(2).name, "body_3");
}

TEST(SceneReader, OverridesReachEveryPlace) {
  const SceneDescription s =
      parse(k3D + "[model]\nname = 'penalty'\nstiffness = 1\n" + kBall, {{"name", "bare words"},
                                                                         {"simulation.step", "1e-4"},
                                                                         {"model.stiffness", "2"},
                                                                         {"record.every", "5"},
                                                                         {"body.ball.position", "[1, 2, 3]"},
                                                                         {"body.0.mass", "4"},
                                                                         {"body[0].shape.radius", "0.25"},
                                                                         {"body.ball.position.2", "9"}});
  EXPECT_EQ(s.name, "bare words");
  EXPECT_EQ(s.step, 1e-4);
  EXPECT_EQ(std::get<double>(s.model.options.at("stiffness")), 2);
  EXPECT_EQ(s.record.every, 5);
  EXPECT_EQ(s.bodies.at(0).placement.position, Vector3d(1, 2, 9));
  EXPECT_EQ(s.bodies[0].mass, 4);
  EXPECT_EQ(s.bodies[0].shapes.at(0).radius, 0.25);
}

TEST(SceneReader, AnotherModelByOverrideLeavesTheFilesOptionsOut) {
  const std::string text = k3D + "[model]\nname = \"penalty\"\nstiffness = 1\n";
  EXPECT_TRUE(parse(text, {{"model.name", "free"}}).model.options.empty());
  EXPECT_EQ(parse(text, {{"model.name", "penalty"}}).model.options.size(), 1u);
  // An option given beside the name belongs to the new model, whatever the order.
  EXPECT_THROW(parse(text, {{"model.stiffness", "3"}, {"model.name", "free"}}), Error);
}

TEST(SceneReader, KeepsTheTextForTheRecording) {
  const std::string path = testing::TempDir() + "kept.toml", text = k3D + "# a comment\n" + kBall;
  std::ofstream(path) << text;
  const LoadedScene loaded = read_scene(path);
  EXPECT_EQ(loaded.text, text);
  EXPECT_EQ(loaded.scene.bodies.size(), 1u);
  EXPECT_EQ(load_scene(path).bodies.at(0).name, "ball");
  std::filesystem::remove(path);
}

TEST(SceneReader, EveryExampleSceneLoadsRunsAndSaysWhatItShows) {
  std::size_t scenes = 0;
  for (const auto& file : std::filesystem::directory_iterator(TOUCHSTONE_SOURCE_DIR "/scenes")) {
    if (file.path().extension() != ".toml") continue;
    SCOPED_TRACE(file.path().string());
    const LoadedScene loaded = read_scene(file.path().string());
    Simulation simulation(loaded.scene);
    for (int i = 0; i < 10; ++i) simulation.step();
    EXPECT_TRUE(loaded.text.starts_with("# "));
    EXPECT_FALSE(loaded.scene.bodies.empty());
    ++scenes;
  }
  EXPECT_GE(scenes, 8u);
}

}  // namespace
}  // namespace touchstone
