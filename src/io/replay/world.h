#pragma once
// What a replay needs to know of a world beside its frames: the scene with bodies by slot, their masses, inertias and
// centres.
#include <Eigen/Core>
#include <vector>

#include "recording/recording.h"
#include "touchstone/description.h"
#include "touchstone/simulation.h"

namespace touchstone {

struct ReplayWorld {
  SceneDescription scene;      // scene.bodies: by slot, with names; a slot whose body is not known has no shapes
  std::vector<double> masses;  // by slot [kg]; infinite for bodies that do not move freely
  std::vector<Eigen::Vector3d> centers;   // of mass, by slot, in the body's frame [m]
  std::vector<Eigen::Matrix3d> inertias;  // about them, body axes [kg·m²]; 2D: zz. By slot as far as they are known
};

// The scene that a recording holds, read again with its overrides. Throws Error (kBadInput) if it holds none.
SceneDescription recorded_scene(const Recording& recording);
ReplayWorld replay_world(const Recording& recording);
// Of a running world, which may have other bodies than the scene by now. Joints and springs are the scene's.
ReplayWorld replay_world(const Simulation& simulation, const SceneDescription& scene);

}  // namespace touchstone
