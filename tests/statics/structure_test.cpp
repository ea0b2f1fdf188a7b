// Contacts between flat faces, convex parts, and bad input.
#include <gtest/gtest.h>

#include <filesystem>

#include "geometry/convex_parts.h"
#include "geometry/hull.h"
#include "statics/structures.h"
#include "study/statics/assembly.h"
#include "study/statics/buildings.h"
#include "study/statics/scene_text.h"
#include "touchstone/scene_file.h"

namespace touchstone::statics::testing {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Structure, FacesTouchWithAllTheirCorners) {
  SceneDescription scene;
  BodyDescription low, high;
  low.name = "low", low.kind = BodyKind::kStatic, low.shapes = {ShapeDescription::box(2, 2, 1)};
  high.name = "high", high.placement.position = {0.3, -0.2, 1};
  std::vector<Eigen::Vector3d> corners;  // a prism of eight sides
  for (int k = 0; k < 8; ++k)
    for (const double z : {-0.5, 0.5})
      corners.emplace_back(0.5 * std::cos(k * M_PI / 4), 0.5 * std::sin(k * M_PI / 4), z);
  high.shapes = {ShapeDescription::convex(corners)};
  scene.bodies = {low, high};
  const Detected found = structure_of(scene, {});
  ASSERT_EQ(found.structure.contacts.size(), 8u);
  for (const Contact& c : found.structure.contacts) {
    EXPECT_EQ(c.frame.col(0), Eigen::Vector3d::UnitZ());
    EXPECT_NEAR(c.point.z(), 0.5, 1e-15);
  }
}

TEST(Structure, OverlapsAreNamedWithTheirDepth) {
  Bricks b;
  b.add(0, 0), b.add_at(0, 0.365, 1, 0.25);
  const std::string said = message_of([&] { structure_of(b.scene, {}); });
  EXPECT_NE(said.find("'brick_1' and 'brick_2' by 0.01 m"), std::string::npos) << said;
  EXPECT_NE(said.find("--tolerance"), std::string::npos);
  TouchSettings loose;
  loose.tolerance = 0.02;
  EXPECT_EQ(structure_of(b.scene, loose).structure.contacts.size(), 4u);
}

TEST(Structure, SmallGapsAreReported) {
  Bricks b;
  b.add_at(0, 0.1253, 1, 0.25);
  const Detected found = structure_of(b.scene, {});
  ASSERT_EQ(found.gaps.size(), 1u);
  EXPECT_NEAR(found.gaps[0].gap, 3e-4, 1e-12);
  EXPECT_EQ(found.floating.size(), 1u);
}

// Blocks of an assembly are given far from the origin of their frames: that is not their size.
TEST(Structure, TouchingIsMeasuredByTheBodyNotByItsPlace) {
  SceneDescription scene;
  for (const double low : {250.0, 251.0001, 252.0001}) {
    BodyDescription b;
    b.name = "block_" + std::to_string(scene.bodies.size());
    if (scene.bodies.empty()) b.kind = BodyKind::kStatic;
    std::vector<Eigen::Vector3d> corners;
    for (const double x : {0.0, 1.0})
      for (const double y : {0.0, 1.0})
        for (const double z : {low, low + 1}) corners.emplace_back(x, y, z);
    b.shapes = {ShapeDescription::convex(corners)};
    scene.bodies.push_back(b);
  }
  const Detected found = structure_of(scene, {});
  EXPECT_EQ(found.structure.contacts.size(), 4u);  // of the upper two
  ASSERT_EQ(found.gaps.size(), 1u);
  EXPECT_NEAR(found.gaps[0].gap, 1e-4, 1e-10);
  EXPECT_NEAR(found.gaps[0].tolerance, 1e-6 * std::sqrt(3.0), 1e-12);
}

TEST(Structure, BadInputIsNamed) {
  EXPECT_NE(message_of([] { structure_of({}, {}); }).find("has no bodies"), std::string::npos);
  SceneDescription held = Bricks().scene;
  EXPECT_NE(message_of([&] { structure_of(held, {}); }).find("nothing can fall"), std::string::npos);
  Maker m;
  m.free("light", 0, {0, 0, 0});
  EXPECT_NE(message_of([&] { nondimensional(m.s); }).find("'light': mass is 0 kg"), std::string::npos);
  Bricks b;
  b.add(0, 0);
  b.scene.bodies[1].mass = 0;
  EXPECT_NE(message_of([&] { structure_of(b.scene, {}); }).find("mass"), std::string::npos);
}

TEST(ConvexParts, FillAConcaveSolid) {
  // An L of three unit squares, one high.
  std::vector<Vec<2>> outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  double area = 0;
  for (const auto& part : convex_parts(outline)) {
    const Polytope<2> p = convex_hull<2>(part);
    for (std::size_t i = 0; i < p.vertices.size(); ++i) {
      const Vec<2>&a = p.vertices[i], &c = p.vertices[p.next(i)];
      area += 0.5 * (a.x() * c.y() - a.y() * c.x());
    }
  }
  EXPECT_NEAR(area, 3, 1e-12);
  EXPECT_EQ(convex_parts(outline).size(), 2u);
  std::reverse(outline.begin(), outline.end());
  EXPECT_EQ(convex_parts(outline).size(), 2u);
  const std::string crossed = message_of([] { convex_parts(std::vector<Vec<2>>{{0, 0}, {1, 1}, {1, 0}, {0, 1}}); });
  EXPECT_NE(crossed.find("crosses itself: side 1 and side 3"), std::string::npos) << crossed;
}

TEST(ConvexParts, OpenAndInsideOutSurfacesAreRefused) {
  std::vector<Face3> cube;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {0.0, 1.0}) {
      Face3 f;
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (const auto& [i, j] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)}) {
        Vec<3> x;
        x[axis] = side, x[u] = side > 0 ? i : j, x[v] = side > 0 ? j : i;
        f.push_back(x);
      }
      cube.push_back(f);
    }
  ASSERT_EQ(convex_parts(cube).size(), 1u);
  EXPECT_EQ(convex_parts(cube)[0].size(), 8u);
  std::vector<Face3> open(cube.begin(), cube.end() - 1);
  EXPECT_NE(message_of([&] { convex_parts(open); }).find("do not close"), std::string::npos);
  for (Face3& f : cube) std::reverse(f.begin(), f.end());
  EXPECT_NE(message_of([&] { convex_parts(cube); }).find("inwards"), std::string::npos);
}

TEST(SceneText, ComesBackAsItWas) {
  for (const SceneDescription& scene : {arch_scene({}), wall_scene({}), spinal_scene({})}) {
    const SceneDescription back = parse_scene(scene_text(scene, "made"), "made.toml");
    EXPECT_EQ(back.bodies, scene.bodies);
    EXPECT_EQ(back.gravity, scene.gravity);
  }
}

TEST(Buildings, SpinalStacksStandAndNeedTheirCounterweights) {
  SpinalOptions o;
  o.levels = 5;
  EXPECT_EQ(verdict_of(spinal_scene(o)), Verdict::kStands);
  o.safety = 0.999;
  EXPECT_EQ(verdict_of(spinal_scene(o)), Verdict::kFalls);
}

// Assemblies of the corpus.
const char* const kAssemblies = TOUCHSTONE_SOURCE_DIR "/../shared/data/assemblies/";

Verdict assembly(const std::string& name, double friction, const std::string& rotation = "") {
  AssemblySettings settings;
  settings.friction = friction;
  if (!rotation.empty()) parse_rotation(rotation, settings);
  return judge(read_assembly(std::string(kAssemblies) + name + ".json", settings), request(false)).assessment.verdict;
}

#define NEEDS_CORPUS \
  if (!std::filesystem::exists(kAssemblies)) GTEST_SKIP() << "no ../shared/data/assemblies"

TEST(CorpusAssemblies, BlocksBetweenSupports) {
  NEEDS_CORPUS;
  EXPECT_EQ(assembly("H", 0), Verdict::kFalls);
  EXPECT_EQ(assembly("H", 0.01), Verdict::kMayStand);
  EXPECT_EQ(assembly("H", 0.84), Verdict::kMayStand);
  EXPECT_EQ(assembly("A", 0.57), Verdict::kFalls);  // tan 30° = 0.57735
  EXPECT_EQ(assembly("A", 0.584), Verdict::kMayStand);
  EXPECT_EQ(assembly("cubes", 0.84), Verdict::kStands);
  EXPECT_EQ(assembly("type-a", 0.84), Verdict::kStands);
  EXPECT_EQ(assembly("type-a", 0.1, "y=90"), Verdict::kFalls);
}

TEST(CorpusAssemblies, ConcaveBlocksKeepTheirVolume) {
  NEEDS_CORPUS;
  const SceneDescription scene = read_assembly(std::string(kAssemblies) + "bridge.json", {});
  int concave = 0;
  for (const BodyDescription& b : scene.bodies) concave += b.shapes.size() > 1;
  EXPECT_EQ(concave, 9);
  const Detected found = structure_of(scene, {});
  EXPECT_TRUE(found.floating.empty());
}

}  // namespace
}  // namespace touchstone::statics::testing
