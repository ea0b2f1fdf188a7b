// The nine robots of ../shared/data, which others wrote: all are read, with known counts and masses, and with a report
// that names every part that was left out.
#include "io/robot/kinematics.h"
#include "io/robot/robot_text.h"
#include "robots/robots.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char* file;
  std::size_t links, rates, actuators, equalities, tendons, keyframes;
  double mass;  // kg, the sum of the file's <mass> or mass="…" by hand; 0: partly from geoms
};

TEST(RobotsCorpus, CountsAndMasses) {
  if (!fs::exists(robots_folder())) GTEST_SKIP() << "no robots at " << robots_folder();
  for (const Known& known :
       {Known{"mjcf/kuka_iiwa_14/iiwa14.xml", 8, 7, 7, 0, 0, 1, 5 + 5.76 + 6.35 + 3.5 + 3.5 + 3.5 + 1.8 + 1.2},
        Known{"mjcf/unitree_go1/go1.xml", 13, 18, 12, 0, 0, 1, 5.204 + 4 * (0.68 + 1.009 + 0.195862)},
        Known{"mjcf/robotiq_2f85/2f85.xml", 14, 8, 1, 3, 1, 0, 0},
        Known{"mjcf/trossen_wx250s/wx250s.xml", 9, 8, 7, 1, 0, 1, 0},
        Known{"mjcf/wonik_allegro/left_hand.xml", 21, 16, 16, 0, 0, 0, 0},
        Known{"urdf/hyq_description/robots/hyq_no_sensors.urdf", 19, 12, 0, 0, 0, 0, 0},
        Known{"urdf/panda_description/urdf/panda.urdf", 13, 9, 0, 0, 0, 0, 0},
        Known{"urdf/double_pendulum_description/urdf/double_pendulum.urdf", 3, 2, 0, 0, 0, 0,
              0.10159 + 0.26703 + 0.33238},
        Known{"urdf/simple_humanoid_description/urdf/simple_humanoid.urdf", 31, 29, 0, 0, 0, 0, 0}}) {
    SCOPED_TRACE(known.file);
    const RobotDescription robot = load_robot((robots_folder() / known.file).string());
    EXPECT_EQ(robot.links.size(), known.links);
    EXPECT_EQ(robot.rates(), known.rates);
    EXPECT_EQ(robot.actuators.size(), known.actuators);
    EXPECT_EQ(robot.equalities.size(), known.equalities);
    EXPECT_EQ(robot.tendons.size(), known.tendons);
    EXPECT_EQ(robot.keyframes.size(), known.keyframes);
    if (known.mass > 0) {
      EXPECT_NEAR(robot.mass(), known.mass, 1e-9);
    }
    EXPECT_FALSE(robot_text(robot).empty());
    for (const ImportNote& note : robot.report.notes) {
      EXPECT_FALSE(note.reason.empty()) << note.thing;
      EXPECT_GT(note.source.line, 0) << note.thing;
      EXPECT_EQ(note.reason.find("unknown"), std::string::npos) << note.source.line << ": " << note.thing;
    }
    for (const RobotPose& pose : link_poses(robot, reference_coordinates(robot)))
      EXPECT_TRUE(pose.position.allFinite());
  }
}

TEST(RobotsCorpus, EveryFileIsRead) {
  if (!fs::exists(robots_folder())) GTEST_SKIP() << "no robots at " << robots_folder();
  for (const auto& list : {mjcf_robots(), urdf_robots()})
    for (const std::string& name : list) EXPECT_NO_THROW(load_robot((robots_folder() / name).string())) << name;
}

// Each element and attribute of a file is used, or named in the report: counted here by another way, by text.
TEST(RobotsCorpus, NothingIsDroppedSilently) {
  if (!fs::exists(robots_folder())) GTEST_SKIP() << "no robots at " << robots_folder();
  const RobotDescription robot =
      load_robot((robots_folder() / "urdf/hyq_description/robots/hyq_no_sensors.urdf").string());
  const std::string text = text_of(robots_folder() / "urdf/hyq_description/robots/hyq_no_sensors.urdf");
  const auto count = [&](const std::string& word) {
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
  };
  std::size_t gazebo = 0, transmissions = 0;
  for (const ImportNote& note : robot.report.notes) {
    gazebo += note.thing == "<gazebo>";
    transmissions += note.thing.starts_with("<transmission>");
  }
  EXPECT_EQ(gazebo, count("<gazebo"));
  EXPECT_EQ(transmissions, count("<transmission "));
  EXPECT_GT(gazebo + transmissions, 20u);
}

// Collada meshes of HyQ are in metres with z up, as their files are: the trunk is 1.2 m long in x.
TEST(RobotsCorpus, ColladaMeshesStandUpright) {
  if (!fs::exists(robots_folder())) GTEST_SKIP() << "no robots at " << robots_folder();
  const RobotDescription robot =
      load_robot((robots_folder() / "urdf/hyq_description/robots/hyq_no_sensors.urdf").string());
  const auto trunk = robot.find_link("trunk");
  ASSERT_TRUE(trunk);
  ASSERT_FALSE(robot.links[*trunk].visuals.empty());
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& v : robot.links[*trunk].visuals.front().shape.vertices) box.extend(v);
  const Eigen::Vector3d size = box.sizes();
  EXPECT_GT(size.x(), 0.8) << size.transpose();
  EXPECT_LT(size.x(), 1.6) << size.transpose();
  EXPECT_GT(size.x(), 1.5 * size.y());
  EXPECT_GT(size.x(), 2 * size.z());
}

}  // namespace
}  // namespace touchstone::testing
