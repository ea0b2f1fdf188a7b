// Damaged robots of both formats: refused with a message that names the file, or made of finite numbers.
#include <gtest/gtest.h>

#include <fstream>

#include "attack/attack.h"
#include "io/robot/kinematics.h"
#include "io/robot/load.h"
#include "io/robot/robot_text.h"
#include "touchstone/error.h"

namespace touchstone::attack {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (const char* folder : {"scenes/robots", "tests/fuzz/robot_corpus"})
    for (const auto& entry : fs::directory_iterator(fs::path(TOUCHSTONE_SOURCE_DIR) / folder))
      out.push_back(read_bytes(entry.path().string()));
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> words() {
  std::vector<std::string> out;
  std::ifstream in(TOUCHSTONE_SOURCE_DIR "/tests/fuzz/robot.dict");
  for (std::string line; std::getline(in, line);)
    if (line.size() > 2 && line.front() == '"') out.push_back(line.substr(1, line.size() - 2));
  return out;
}

// Well-formed still: one to three values in quotes get damaged, or the value of another attribute, or a word.
std::string damage_values(Mutator& m, std::string text, const std::vector<std::string>& dictionary) {
  for (std::uint64_t n = 1 + m.below(3); n-- > 0;) {
    std::vector<std::pair<std::size_t, std::size_t>> values;  // begin, end
    for (std::size_t at = text.find('"'); at != std::string::npos;) {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      values.emplace_back(at + 1, end);
      at = text.find('"', end + 1);
    }
    if (values.empty()) return text;
    const auto [begin, end] = m.pick(values);
    const auto [other, other_end] = m.pick(values);
    std::string value = m.chance(3)   ? text.substr(other, other_end - other)
                        : m.chance(3) ? m.pick(dictionary)
                                      : m.damage(text.substr(begin, end - begin));
    std::erase_if(value, [](char c) { return c == '"' || c == '<' || c == '&' || c == '\\' || c <= 0; });
    text.replace(begin, end - begin, value);
  }
  return text;
}

void expect_finite(const RobotDescription& robot) {
  const std::vector<double> q = reference_coordinates(robot);
  for (const RobotPose& pose : link_poses(robot, q)) EXPECT_TRUE(pose.orientation.coeffs().allFinite());
  for (const RobotLink& link : robot.links) {
    EXPECT_TRUE(link.inertia.allFinite() && link.center_of_mass.allFinite());
    EXPECT_GE(link.mass, 0);
  }
  for (const RobotJoint& joint : robot.joints) {
    EXPECT_NEAR(joint.axis.norm(), 1, 1e-9);
    if (joint.lower && joint.upper) {
      EXPECT_LE(*joint.lower, *joint.upper);
    }
    if (joint.mimic) {
      EXPECT_LT(joint.mimic->joint, robot.joints.size());
    }
  }
  for (const RobotKeyframe& key : robot.keyframes)
    if (!key.q.empty()) {
      EXPECT_EQ(key.q.size(), robot.coordinates());
    }
  EXPECT_FALSE(robot_text(robot).empty());
}

TEST(Attack, Robots) {
  const std::vector<std::string> good = seeds(), dictionary = words();
  ASSERT_GE(good.size(), 6u);
  std::size_t read = 0;
  XmlLimits limits;
  limits.elements = 20'000;
  ImportOptions options;
  options.most_bytes = 0;  // no mesh files
  run_cases("robots", dictionary, [&](Mutator& m) {
    const std::string damaged =
        m.chance(3) ? m.damage(m.pick(good), m.pick(good)) : damage_values(m, m.pick(good), dictionary);
    show(damaged);
    survives(
        [&] {
          const RobotDescription robot = parse_robot_text(damaged, "/nowhere/damaged.xml", options, limits);
          expect_finite(robot);
          ++read;
        },
        {"damaged.xml"});
  });
  if (!campaign().only) {
    EXPECT_GT(read, campaign().count / 10) << "the damage is too great to reach the readers";
  }
}

}  // namespace
}  // namespace touchstone::attack
