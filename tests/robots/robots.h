#pragma once
// Robots for tests: texts that are read as files, and the robots of ../shared/data.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "io/robot/load.h"
#include "touchstone/error.h"
#include "touchstone/robot.h"

namespace touchstone::testing {

inline std::filesystem::path robots_folder() {
  const std::filesystem::path near = std::filesystem::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data/robots";
  return std::filesystem::exists(near) ? near
                                       : std::filesystem::path(TOUCHSTONE_SOURCE_DIR) / "../../shared/data/robots";
}

// Files of the nine robots, below robots_folder().
inline std::vector<std::string> mjcf_robots() {
  return {"mjcf/kuka_iiwa_14/iiwa14.xml", "mjcf/robotiq_2f85/2f85.xml",        "mjcf/trossen_wx250s/wx250s.xml",
          "mjcf/unitree_go1/go1.xml",     "mjcf/wonik_allegro/left_hand.xml",  "mjcf/wonik_allegro/right_hand.xml",
          "mjcf/kuka_iiwa_14/scene.xml",  "mjcf/robotiq_2f85/scene.xml",       "mjcf/trossen_wx250s/scene.xml",
          "mjcf/unitree_go1/scene.xml",   "mjcf/wonik_allegro/scene_left.xml", "mjcf/wonik_allegro/scene_right.xml"};
}
inline std::vector<std::string> urdf_robots() {
  return {"urdf/double_pendulum_description/urdf/double_pendulum.urdf",
          "urdf/double_pendulum_description/urdf/double_pendulum_continuous.urdf",
          "urdf/double_pendulum_description/urdf/double_pendulum_simple.urdf",
          "urdf/hyq_description/robots/hyq_no_sensors.urdf",
          "urdf/panda_description/urdf/panda.urdf",
          "urdf/panda_description/urdf/panda_collision.urdf",
          "urdf/simple_humanoid_description/urdf/simple_humanoid.urdf",
          "urdf/simple_humanoid_description/urdf/simple_humanoid_classical.urdf"};
}

// A folder that is gone at the end.
class RobotFolder {
 public:
  RobotFolder() {
    static int count = 0;
    root_ = std::filesystem::temp_directory_path() /
            ("touchstone_robots_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    std::filesystem::create_directories(root_);
  }
  ~RobotFolder() { std::filesystem::remove_all(root_); }
  RobotFolder(const RobotFolder&) = delete;
  RobotFolder& operator=(const RobotFolder&) = delete;
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::filesystem::path root_;
};

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The message with which a text is refused; empty if it is read.
inline std::string refusal(const std::string& text, const ImportOptions& options = {}) {
  try {
    parse_robot_text(text, "robot.xml", options);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

inline const ImportNote* find_note(const RobotDescription& robot, const std::string& words) {
  for (const ImportNote& note : robot.report.notes)
    if ((note.thing + ": " + note.reason).find(words) != std::string::npos) return &note;
  return nullptr;
}

// Random coordinates: angles and lengths in [-1, 1], positions likewise, quaternions of any direction.
inline std::vector<double> random_coordinates(const RobotDescription& robot, std::mt19937_64& random) {
  std::uniform_real_distribution<double> one(-1, 1);
  std::vector<double> q;
  for (const RobotJoint& joint : robot.joints) {
    const bool ball = joint.kind == RobotJointKind::kSpherical, free = joint.kind == RobotJointKind::kFloating;
    for (int i = 0; i < coordinates_of(joint.kind) - (ball || free ? 4 : 0); ++i) q.push_back(one(random));
    if (!ball && !free) continue;
    Eigen::Vector4d w(one(random), one(random), one(random), one(random));
    w.normalize();
    for (int i = 0; i < 4; ++i) q.push_back(w[i]);
  }
  return q;
}

}  // namespace touchstone::testing
