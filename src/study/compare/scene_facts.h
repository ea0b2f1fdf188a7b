#pragma once
// What a comparison needs to know of a scene besides its recordings: masses and sizes of the bodies, and the scales
// that tell a large number from a small one.
#include <Eigen/Core>
#include <string>
#include <vector>

#include "recording/frame.h"
#include "touchstone/simulation.h"

namespace touchstone::compare {

// A dynamic body.
struct BodyFacts {
  std::string name;
  std::uint32_t slot = 0;
  double mass = 0;                                   // [kg]
  double size = 0;                                   // diameter of the ball (2D: disc) of the same inertia [m]
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  // of mass, in the body's frame [m]
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();  // second moments of its mass over its mass, body axes [m²]
};

struct SceneFacts {
  int dimension = 3;
  double gravity = 0;             // magnitude [m/s²]
  std::vector<BodyFacts> bodies;  // by slot
  double size = 0;                // median of the sizes [m]
  double lightest = 0;            // mass [kg]
  double weight_energy = 0;       // sum of m·g·size: what it takes to lift every body by its own size [J]
  bool can_touch = false;         // two bodies have shapes, one of them dynamic

  double speed() const;  // √(g·size): of a body that has fallen by half its size [m/s]; 0 without gravity
};

SceneFacts scene_facts(const Simulation& simulation, const SceneDescription& scene);

// Where a body is: its centre of mass and its rotation.
struct BodyPose {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
};
BodyPose pose_of(const Frame& frame, int dimension, const BodyFacts& body);

// Root mean square, over the body's mass, of the distance between where its points are in the two poses [m].
double point_distance(const BodyFacts& body, const BodyPose& a, const BodyPose& b);

// Of two states of the same bodies.
struct StateDistance {
  double mean = 0;   // root mean square over the bodies [m]
  double worst = 0;  // [m]
  std::string body;  // where it is the worst
};
StateDistance state_distance(const SceneFacts& facts, const Frame& a, const Frame& b);

}  // namespace touchstone::compare
