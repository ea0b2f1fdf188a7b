#pragma once
// Robots for tests: rods on hinges, and scenes to put them in.
#include <cmath>
#include <string>
#include <vector>

#include "touchstone/robot_state.h"
#include "touchstone/simulation.h"

namespace touchstone {

inline SceneDescription scene_of(const std::string& model, double h) {
  SceneDescription scene;
  scene.model.name = model;
  scene.step = h;
  return scene;
}

inline std::size_t add_link(RobotDescription& robot, const std::string& name, std::size_t parent, double length) {
  RobotLink link;
  link.name = name, link.parent = parent;
  link.mass = length, link.center_of_mass = {0, 0, -0.5 * length};
  const double i = length * length * length / 12;
  link.inertia = Eigen::Vector3d(i, i, 1e-4).asDiagonal();
  robot.links.push_back(link);
  return robot.links.size() - 1;
}

inline RobotJoint& add_hinge(RobotDescription& robot, std::size_t link, const std::string& name,
                             const Eigen::Vector3d& axis = -Eigen::Vector3d::UnitY()) {
  RobotJoint joint;
  joint.name = name, joint.link = link, joint.axis = axis;
  robot.links[link].joints.push_back(robot.joints.size());
  robot.joints.push_back(joint);
  return robot.joints.back();
}

// Rods of 1 m and 1 kg that hang from each other; the angles of their hinges go to +x.
inline RobotDescription rods(int number) {
  RobotDescription robot;
  robot.name = "rods";
  for (int i = 0; i < number; ++i) {
    const std::size_t parent = i == 0 ? RobotLink::kWorld : robot.links.size() - 1;
    const std::size_t link = add_link(robot, "rod" + std::to_string(i), parent, 1.0);
    if (i > 0) robot.links[link].pose.position = {0, 0, -1};
    add_hinge(robot, link, "hinge" + std::to_string(i));
  }
  return robot;
}

inline void run(Simulation& s, double time) {
  for (int i = 0; i < static_cast<int>(std::lround(time / s.step_size())); ++i) s.step();
}

inline const std::vector<std::string>& models() {
  static const std::vector<std::string> all{"ncp", "lcp", "convex"};
  return all;
}

}  // namespace touchstone
