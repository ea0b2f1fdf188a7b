#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "io/scene/reader.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

SceneDescription parse(const std::string& text) { return parse_scene(text, "scene.toml"); }

std::string lattice(int dimension, const std::string& repeat, const std::string& more = "") {
  const std::string shape = dimension == 2 ? "circle" : "sphere", at = dimension == 2 ? "[10, 20]" : "[10, 20, 30]";
  return "touchstone = 1\ndimension = " + std::to_string(dimension) +
         "\n[simulation]\nseed = 3\n[[body]]\nname = \"b\"\nposition = " + at + "\n" + more + "shape = { kind = \"" +
         shape + "\", radius = 0.1 }\nrepeat = { " + repeat + " }\n";
}

// The generator of the benchmark scenes, written again with 128-bit arithmetic instead of wrapping words.
class Reference {
 public:
  explicit Reference(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = (state_ * 6364136223846793005u + 1442695040888963407u) % kModulus;
    return 2.0 * static_cast<double>(static_cast<std::uint64_t>(state_ / (std::uint64_t{1} << 33)) % 0x80000000u) /
               2147483647.0 -
           1.0;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide kModulus = static_cast<Wide>(1) << 64;
  Wide state_;
};

TEST(SceneRepeat, CountsXFastestThenYThenZ) {
  const SceneDescription s = parse(lattice(3, "count = [2, 3, 2], spacing = [1, 2, 4]"));
  ASSERT_EQ(s.bodies.size(), 12u);
  EXPECT_EQ(s.bodies[0].name, "b_0");
  EXPECT_EQ(s.bodies[0].placement.position, Vector3d(10, 20, 30));
  EXPECT_EQ(s.bodies[1].placement.position, Vector3d(11, 20, 30));
  EXPECT_EQ(s.bodies[2].placement.position, Vector3d(10, 22, 30));
  EXPECT_EQ(s.bodies[6].placement.position, Vector3d(10, 20, 34));
  EXPECT_EQ(s.bodies[11].name, "b_11");
  EXPECT_EQ(s.bodies[11].placement.position, Vector3d(11, 24, 34));
  EXPECT_EQ(s.bodies[11].shapes.size(), 1u);
}

TEST(SceneRepeat, JitterIn3DIsThatOfTheBenchmarkScenes) {
  const SceneDescription s =
      parse(lattice(3, "count = [2, 1, 1], spacing = [1, 0, 0], jitter = 0.02, angle_jitter = 0.05, seed = 12345"));
  ASSERT_EQ(s.bodies.size(), 2u);
  Reference u(12345);
  for (int i = 0; i < 2; ++i) {
    const double x = u.next(), y = u.next(), z = u.next(), a = u.next() * 0.025, b = u.next() * 0.025,
                 c = u.next() * 0.025;
    const double norm = std::sqrt(1 + a * a + b * b + c * c);
    const Placement& p = s.bodies[static_cast<std::size_t>(i)].placement;
    EXPECT_EQ(p.position, Vector3d(10 + i + 0.02 * x, 20 + 0.02 * y, 30 + 0.02 * z));
    EXPECT_NEAR(p.orientation.w(), 1 / norm, 1e-15);
    EXPECT_NEAR(p.orientation.x(), a / norm, 1e-15);
    EXPECT_NEAR(p.orientation.y(), b / norm, 1e-15);
    EXPECT_NEAR(p.orientation.z(), c / norm, 1e-15);
  }
}

TEST(SceneRepeat, FirstDrawIsTheNumberComputedByHand) {
  // s = 12345·6364136223846793005 + 1442695040888963407 mod 2⁶⁴, computed apart: u as below.
  const SceneDescription s = parse(lattice(2, "count = [1, 1], spacing = [0, 0], jitter = 1, seed = 12345"));
  EXPECT_NEAR(s.bodies.at(0).placement.position.x() - 10, -0.7808427884154221, 1e-14);
}

TEST(SceneRepeat, JitterIn2DDrawsXThenYThenAngle) {
  const SceneDescription s =
      parse(lattice(2, "count = [2, 1], spacing = [1, 0], jitter = 0.5, angle_jitter = 0.25, seed = 9", "angle = 1\n"));
  Reference u(9);
  for (int i = 0; i < 2; ++i) {
    const double x = u.next(), y = u.next(), angle = u.next();
    const Placement& p = s.bodies[static_cast<std::size_t>(i)].placement;
    EXPECT_EQ(p.position, Vector3d(10 + i + 0.5 * x, 20 + 0.5 * y, 0));
    EXPECT_EQ(p.angle, 1 + 0.25 * angle);
  }
}

TEST(SceneRepeat, JitterTurnsTheBodysOwnOrientation) {
  const SceneDescription s = parse(lattice(3, "count = [1, 1, 1], spacing = [0, 0, 0], angle_jitter = 1, seed = 5",
                                           "axis_angle = [0, 0, 1, 1.5]\n"));
  Reference u(5);
  for (int i = 0; i < 3; ++i) u.next();  // drawn for the position though its jitter is 0
  const double a = u.next() / 2, b = u.next() / 2, c = u.next() / 2;
  const Eigen::Quaterniond expected =
      Eigen::Quaterniond(1, a, b, c).normalized() * Eigen::AngleAxisd(1.5, Vector3d::UnitZ());
  EXPECT_LT(expected.angularDistance(s.bodies.at(0).placement.orientation), 1e-12);
  EXPECT_EQ(s.bodies[0].placement.position, Vector3d(10, 20, 30));
}

TEST(SceneRepeat, DefaultSeedComesFromTheSceneAndDiffersBetweenEntries) {
  const std::string repeat = "count = [1, 1], spacing = [0, 0], jitter = 0.1";
  std::string text = lattice(2, repeat);
  text += "[[body]]\nname = \"c\"\nposition = [10, 20]\nshape = { kind = \"circle\", radius = 0.1 }\nrepeat = { " +
          repeat + " }\n";
  const auto x = [](const SceneDescription& s, std::size_t i) { return s.bodies.at(i).placement.position.x(); };
  const SceneDescription first = parse(text), again = parse(text);
  EXPECT_EQ(x(first, 0), x(again, 0));
  EXPECT_NE(x(first, 0), x(first, 1));
  const SceneDescription other = parse_scene(text, "scene.toml", {{"simulation.seed", "4"}});
  EXPECT_NE(x(first, 0), x(other, 0));
}

}  // namespace
}  // namespace touchstone
