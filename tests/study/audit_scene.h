#pragma once
// An auditor of findings: measures of a run worked out anew from its scene and from where the bodies are and how they
// move after every step. Nothing of the yardstick, of the model's report or of src/contact is in it.
#include <string>
#include <vector>

#include "study/audit_shapes.h"
#include "touchstone/simulation.h"

namespace touchstone::audit {

struct Subject {
  std::string name;
  BodyDescription description;
  bool dynamic = false;
  double mass = 0;                       // [kg]
  Matrix3d inertia = Matrix3d::Zero();   // about the centre of mass, body axes [kg·m²]
  Vector3d centre = Vector3d::Zero();    // of mass, body frame [m]
  std::vector<Piece> pieces;             // body frame
  std::vector<ShapeDescription> fields;  // height fields
  double radius = 0;                     // ball about the centre of mass around the balls of its shapes [m]
  double reach = 0;                      // farthest point from the centre of mass [m]; infinite for planes
};

struct BodyAt {
  Vector3d origin, centre, v, w;
  Matrix3d R;
};
struct Instant {
  std::uint64_t step = 0;
  double time = 0;
  std::vector<BodyAt> bodies;  // by slot
};

struct PairDepth {
  std::size_t a = 0, b = 0;  // slots, a < b
  double depth = 0;          // [m]; negative: apart by at least that
};

// The greatest of a number, where and when.
struct Worst {
  double value = 0;
  std::uint64_t step = 0;
  double time = 0;
  std::string a, b;
};

// A joint as its description has it: places and axes on both sides. −1 is the world.
struct JointSides {
  const JointDescription* description = nullptr;
  int a = -1, b = -1;
  Vector3d point_a, point_b;  // in the body's frame, or the world
  Matrix3d axes_a, axes_b;    // the first column is the joint's axis
};
struct Opening {
  double position = 0, angle = 0;  // [m], [rad]
};

class Scene {
 public:
  explicit Scene(const SceneDescription& scene);
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const SceneDescription& description() const { return scene_; }
  const std::vector<Subject>& subjects() const { return subjects_; }
  const std::vector<JointSides>& joints() const { return joints_; }
  int slot(const std::string& name) const;
  Instant instant(const Simulation& simulation) const;

  Vector3d spin(std::size_t i, const BodyAt& at) const;  // angular momentum about the centre of mass
  double kinetic(std::size_t i, const BodyAt& at) const;
  double kinetic(const Instant& at) const;
  double gravity(const Instant& at) const;
  double springs(const Instant& at) const;
  double energy(const Instant& at) const { return kinetic(at) + gravity(at) + springs(at); }
  double energy_scale(const std::vector<Instant>& run) const;  // greatest kinetic energy, at least Σ m·g·size

  bool can_touch(std::size_t a, std::size_t b) const;
  // −∞: they are farther apart than half of the smaller one.
  double depth(std::size_t a, std::size_t b, const Instant& at) const;
  // Of all pairs that are nearer, by their bounding boxes first.
  std::vector<PairDepth> depths(const Instant& at) const;
  double smaller(int a, int b) const;  // twice the radius of the smaller one that has one [m]
  // Diameter of the ball (2D: disc) of the same inertia [m].
  double size(std::size_t i) const;
  double median_size() const;

  Opening opening(const JointSides& joint, const Instant& at) const;
  double coordinate(const JointSides& joint, const Instant& at) const;  // of a hinge [rad] or a slider [m]
  double rate(const JointSides& joint, const Instant& at) const;        // its derivative, from the velocities
  Worst widest(const std::vector<Instant>& run, bool ratio) const;      // of positions
  Worst most_bent(const std::vector<Instant>& run) const;

 private:
  struct Placed {
    std::vector<Piece> pieces;
    std::vector<const Ground*> grounds;
    Vector3d lower, upper;
  };
  Placed placed(std::size_t i, const BodyAt& at) const;
  double depth(const Placed& a, const Placed& b) const;
  Matrix3d frame(int body, const Instant& at) const;
  Vector3d place(int body, const Vector3d& local, const Instant& at) const;

  SceneDescription scene_;
  std::vector<Subject> subjects_;
  std::vector<JointSides> joints_;
  std::vector<std::vector<Ground>> grounds_;  // by slot: of bodies that do not move
  std::vector<double> rest_lengths_;
};

}  // namespace touchstone::audit
