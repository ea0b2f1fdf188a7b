// Verdicts against the simulator: what stands stays where it is, what falls begins to move as the initial accelerations
// say, and what may stand does the one or the other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "statics/simulated.h"
#include "study/statics/assembly.h"
#include "study/statics/buildings.h"
#include "study/towers.h"

namespace touchstone::statics::testing {
namespace {

constexpr double kMargin = 1e-6, kStays = 1e-6, kWithin = 0.003;  // semi-implicit steps alone are off by 0.001

struct Case {
  std::string name;
  SceneDescription scene;
};

Case bricks(const std::string& name, const std::vector<std::pair<double, int>>& at, double friction = 0,
            double edge = 0) {
  Bricks b(friction, edge);
  for (const auto& [x, row] : at) b.add(x, row);
  return {name, b.scene};
}

// Blocks of any convex outline in the plane; the first ones are held.
SceneDescription blocks(const std::vector<std::vector<Eigen::Vector3d>>& outlines, std::size_t held, double friction) {
  SceneDescription scene = Bricks(friction).scene;
  scene.bodies.clear();
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    BodyDescription b;
    b.name = (i < held ? "wall_" : "block_") + std::to_string(i);
    if (i < held) b.kind = BodyKind::kStatic;
    b.shapes = {ShapeDescription::convex(outlines[i])};
    scene.bodies.push_back(b);
  }
  return scene;
}

// B65-B67: a block one high between walls whose faces lean by `lean` (wider above if positive).
SceneDescription between_walls(double lean, double friction) {
  const double low = 1, high = 1 + lean;
  return blocks({{{-3, -1, 0}, {-low + lean, -1, 0}, {-high - lean, 2, 0}, {-3, 2, 0}},
                 {{3, -1, 0}, {low - lean, -1, 0}, {high + lean, 2, 0}, {3, 2, 0}},
                 {{-low, 0, 0}, {low, 0, 0}, {high, 1, 0}, {-high, 1, 0}}},
                2, friction);
}

SceneDescription on_supports(const std::vector<Eigen::Vector3d>& at, int dimension, const Eigen::Vector3d& size) {
  SceneDescription scene;
  scene.dimension = dimension;
  scene.gravity = -kGravity * Eigen::Vector3d::Unit(dimension - 1);
  MaterialDescription m;
  m.static_friction = m.dynamic_friction = 0;
  scene.materials = {m};
  const auto box = [&](const Eigen::Vector3d& s) {
    return dimension == 2 ? ShapeDescription::box(s.x(), s.y()) : ShapeDescription::box(s.x(), s.y(), s.z());
  };
  for (const Eigen::Vector3d& p : at) {
    BodyDescription b;
    b.name = "support_" + std::to_string(scene.bodies.size()), b.kind = BodyKind::kStatic;
    b.shapes = {box({0.2, 0.2, 0.2})}, b.placement.position = p;
    b.placement.position[dimension - 1] = -0.1;
    scene.bodies.push_back(b);
  }
  BodyDescription top;
  top.name = "top", top.shapes = {box(size)};
  top.placement.position[dimension - 1] = 0.5 * size[dimension - 1];
  scene.bodies.push_back(top);
  return scene;
}

SceneDescription tilted(SceneDescription scene, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  scene.gravity = kGravity * Eigen::Vector3d(std::sin(angle), -std::cos(angle), 0);
  return scene;
}

SceneDescription block_on_ground(double friction, double degrees) {  // B26, B70, B71
  Bricks b(friction);
  b.add_at(0, 0.5, 0.4, 1);
  return tilted(b.scene, degrees);
}

SceneDescription harmonic(int n, double shift) {
  const TowerOptions o;
  return tower_scene(harmonic_rows(n, shift, o), o, true);
}

SceneDescription arch(double thickness, double friction) {
  ArchOptions o;
  o.voussoirs = 7, o.thickness = thickness, o.friction = friction;
  return arch_scene(o);
}

std::vector<Case> catalogue() {
  std::vector<Case> out;
  for (const double s : {0.05, 0.1, 0.25, -0.05}) out.push_back(bricks(fmt::format("B37 {}", s), {{s, 0}}));
  // To the safe side each brick but the lowest is still at its limit: of more than three, the last digit decides.
  for (const int n : {1, 2, 3, 4, 5, 10})
    for (const double shift : {-1e-3, 1e-3})
      if (shift > 0 || n <= 3) out.push_back({fmt::format("B38 {} {}", n, shift), harmonic(n, shift)});
  for (const double s : {-1e-3, 1e-3})
    out.push_back(bricks(fmt::format("B39 {}", s), {{s, 0}, {s - 0.5, 1}, {s + 0.5, 1}}));
  for (const double s : {1e-4, -1e-4})
    out.push_back(bricks(fmt::format("B40 {}", s), {{0, 0}, {0.646706 - s, 1}, {-0.675111 + s, 1}, {-0.056344, 2}}, 0,
                         -0.021187 + s));
  const TowerOptions o;
  for (int m = 2; m <= 4; ++m) out.push_back({fmt::format("B41 {}", m), tower_scene(triangle_rows(m, o), o)});
  for (int m = 2; m <= 6; ++m) out.push_back({fmt::format("B44 {}", m), tower_scene(diamond_rows(m, o), o)});
  out.push_back(bricks("B43 a", {{0.2, 0}, {0.5, 1}}));
  out.push_back(bricks("B43 b", {{-0.1, 0}, {0.3, 1}}));
  out.push_back({"B65 smooth", between_walls(0, 0)});
  for (const double mu : {0.0, 0.2}) out.push_back({fmt::format("B66 {}", mu), between_walls(-0.375, mu)});
  for (const double mu : {0.0, 0.5}) out.push_back({fmt::format("B67 {}", mu), between_walls(0.375, mu)});
  out.push_back({"B68", on_supports({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, 3, {2.2, 2.2, 0.1})});
  out.push_back({"B69", on_supports({{-2, 0, 0}, {0, 0, 0}, {2, 0, 0}}, 2, {4.2, 0.2, 0})});
  for (const double mu : {0.3, 0.5})
    for (const double degrees : {0.0, 16.0, 16.8, 21.7, 21.9})
      out.push_back({fmt::format("B70 {} {}", mu, degrees), block_on_ground(mu, degrees)});
  Bricks floating(0.5);
  floating.add_at(0, 3, 1, 1);
  out.push_back({"B72", floating.scene});
  out.push_back({"B32 thin", arch(0.08, 0.8)});
  out.push_back({"B33 standing", arch(0.2, 0.6)});
  return out;
}

StableReport judged(const SceneDescription& scene) {
  StableRequest r;
  r.margins = r.ranges = false;
  return judge(scene, r);
}

// Without friction any push is too much for a level floor, and no margin.
double least_push(const StableReport& r) {
  double least = std::numeric_limits<double>::infinity();
  if (!r.scaled.structure.has_friction()) return least;
  StableSettings settings = r.settings;
  settings.most_nodes = 1, settings.program.exact = false;
  Margins margins(r.scaled.structure, settings);
  for (const Eigen::Vector3d& d : margins.horizontal()) {
    const Bound limit = margins.push(d).limit;
    if (limit.finite) least = std::min(least, limit.value);
  }
  return least;
}

void expect_agreement(const Case& c, double seconds) {
  const StableReport r = judged(c.scene);
  const Structure& s = r.scaled.structure;
  double value = 0;
  if (r.assessment.verdict == Verdict::kStands && !r.assessment.marginal && least_push(r) > kMargin) {
    value = greatest_move(c.scene, s, seconds, 2e-3);
    EXPECT_LT(value, kStays) << c.name;
  } else if (r.assessment.verdict == Verdict::kFalls) {
    ASSERT_TRUE(r.motion && r.motion->converged) << c.name;
    value = departure(c.scene, r.detected.structure, accelerations_of(r), 0.05);
    EXPECT_LT(value, kWithin) << c.name;
  }
}

TEST(Simulator, AgreesOnTheCatalogue) {
  for (const Case& c : catalogue()) expect_agreement(c, 0.2);
}

TEST(LongSimulator, AgreesOnTheCatalogueForTenSeconds) {
  for (const Case& c : catalogue()) expect_agreement(c, 10);
}

// B65, B66: what may stand. Both answers are lawful, and both are shown. A block that nothing has squeezed yet falls
// freely: a solver begins without forces. With the balancing forces as loads on the walls, which are then free to
// move along x, the walls squeeze the block, and it stays.
SceneDescription squeezed(SceneDescription scene, double force) {
  for (std::size_t i = 0; i < 2; ++i) {
    BodyDescription& wall = scene.bodies[i];
    wall.kind = BodyKind::kDynamic, wall.mass = 1, wall.gravity_scale = 0;
    JointDescription rail;
    rail.kind = JointKind::kSlider, rail.body_b = wall.name, rail.axis = Eigen::Vector3d::UnitX();
    scene.joints.push_back(rail);
    SteadyForceDescription push;
    push.body = wall.name, push.force.x() = i == 0 ? force : -force;
    scene.forces.push_back(push);
  }
  return scene;
}

TEST(Simulator, WhatMayStandFallsOrStays) {
  for (const auto& [lean, mu] : {std::pair(0.0, 0.2), std::pair(0.0, 0.84), std::pair(-0.375, 0.5)}) {
    const SceneDescription scene = between_walls(lean, mu);
    const StableReport r = judged(scene);
    ASSERT_EQ(r.assessment.verdict, Verdict::kMayStand) << lean << " " << mu;
    EXPECT_LT(departure(scene, r.detected.structure, accelerations_of(r), 0.05), kWithin) << lean << " " << mu;
    StableRequest ranges;
    ranges.margins = false, ranges.ranges = true;
    const StableReport wide = judge(scene, ranges);
    double least = 0;  // force along x that a wall must give at least
    for (const ForceRange& range : wide.pair_ranges) least = std::max(least, range.least.value);
    least *= wide.scaled.units.force;
    EXPECT_GT(least, 0);
    const SceneDescription held = squeezed(scene, 3 * least), loose = squeezed(scene, 0.3 * least);
    const StableReport stays = judged(held), falls = judged(loose);
    EXPECT_EQ(stays.assessment.verdict, Verdict::kStands) << lean << " " << mu << " " << stays.assessment.detail;
    EXPECT_LT(greatest_move(held, stays.detected.structure, 1, 2e-3), kStays) << lean << " " << mu;
    EXPECT_EQ(falls.assessment.verdict, Verdict::kFalls) << lean << " " << mu;
  }
}

const char* const kAssemblies = TOUCHSTONE_SOURCE_DIR "/../shared/data/assemblies/";

TEST(CorpusAssemblies, AgreeWithTheSimulator) {
  if (!std::filesystem::exists(kAssemblies)) GTEST_SKIP() << "no ../shared/data/assemblies";
  for (const auto& [name, friction, rotation] :
       {std::tuple("cubes", 0.84, ""), std::tuple("H", 0.0, ""), std::tuple("A", 0.5, ""),
        std::tuple("type-a", 0.84, ""), std::tuple("type-a", 0.1, "y=90"), std::tuple("type-a", 0.84, "y=90"),
        std::tuple("type-b", 0.84, ""), std::tuple("type-b", 0.84, "y=90"), std::tuple("shelf", 0.9, ""),
        std::tuple("bridge", 0.9, "")}) {
    AssemblySettings settings;
    settings.friction = friction;
    if (*rotation) parse_rotation(rotation, settings);
    const SceneDescription scene = read_assembly(std::string(kAssemblies) + name + ".json", settings);
    expect_agreement({fmt::format("{} {} {}", name, friction, rotation), scene}, 10);
  }
}

// Of a block between supports that nothing has squeezed, the simulator shows the motion.
TEST(CorpusAssemblies, BlocksBetweenSupportsFallInTheSimulator) {
  if (!std::filesystem::exists(kAssemblies)) GTEST_SKIP() << "no ../shared/data/assemblies";
  for (const char* name : {"H", "A"}) {
    AssemblySettings settings;
    settings.friction = 0.84;
    const SceneDescription scene = read_assembly(std::string(kAssemblies) + name + ".json", settings);
    const StableReport r = judged(scene);
    ASSERT_EQ(r.assessment.verdict, Verdict::kMayStand) << name;
    EXPECT_LT(departure(scene, r.detected.structure, accelerations_of(r), 0.05), kWithin) << name;
  }
}

}  // namespace
}  // namespace touchstone::statics::testing
