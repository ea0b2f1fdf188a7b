#pragma once
/// Plain descriptions of everything a scene holds, the same in 2D and 3D. In 2D the z component of a
/// vector must be zero, a rotation is `angle`, and an angular velocity is its z component.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace touchstone {

/// kMesh: triangles in 3D, a polygonal chain in 2D. Recordings keep the numbers: new kinds go to the end.
enum class ShapeKind : std::uint8_t {
  kSphere,
  kBox,
  kCapsule,
  kHalfSpace,
  kConvex,
  kEllipsoid,
  kCylinder,
  kMesh,
  kHeightField
};
enum class BodyKind : std::uint8_t { kStatic, kKinematic, kDynamic };
enum class Integrator : std::uint8_t { kExplicitEuler, kSemiImplicitEuler, kRk4 };

/// Position and rotation of a frame. `angle` [rad] is the rotation in 2D, `orientation` in 3D.
struct Placement {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< 3D, unit
  double angle = 0.0;                                               ///< 2D [rad]
  friend bool operator==(const Placement&, const Placement&) = default;
};

/// One shape of a body. Capsules and cylinders lie along the last axis: y in 2D, z in 3D.
struct ShapeDescription {
  ShapeKind kind = ShapeKind::kSphere;
  double radius = 0.0;                               ///< sphere, capsule, cylinder [m]
  double length = 0.0;                               ///< capsule (between cap centres), cylinder [m]
  Eigen::Vector3d size = Eigen::Vector3d::Zero();    ///< box: edge lengths; ellipsoid: radii [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< half-space: outward normal
  std::vector<Eigen::Vector3d> vertices;             ///< convex: its hull is taken; mesh and chain [m]
  /// Mesh in 3D: places among the vertices, counter-clockwise seen from the front.
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Chain, which is the mesh of 2D: whether it is the outline of a solid, its last vertex joined to the first. An open
  /// chain has its front on the left of its direction.
  bool closed = false;
  bool two_sided = false;  ///< mesh, chain, height field: whether the back is touched too
  /// Height field: how many heights lie along x and along y (2D: 1), how far apart [m], and the heights themselves [m],
  /// those along x next to each other. It is centred about the frame's origin and its front is up, the last axis.
  std::array<std::uint32_t, 2> grid{0, 1};
  double spacing = 0.0;
  std::vector<double> heights;
  std::string source;    ///< the file that it came from, for people; may be empty
  Placement placement;   ///< in the body's frame
  std::string material;  ///< empty: the body's material
  friend bool operator==(const ShapeDescription&, const ShapeDescription&) = default;

  /// @name Makers: ShapeDescription::box(1, 0.2, 0.1).at({0, 0, 0.5}). Lengths in [m].
  /// @{
  static ShapeDescription sphere(double radius);    ///< 2D: a disc
  static ShapeDescription box(double x, double y);  ///< 2D: edge lengths
  static ShapeDescription box(double x, double y, double z);
  static ShapeDescription capsule(double radius, double length);
  static ShapeDescription cylinder(double radius, double length);  ///< 3D
  static ShapeDescription ellipsoid(double x, double y);           ///< 2D: radii
  static ShapeDescription ellipsoid(double x, double y, double z);
  static ShapeDescription half_space(const Eigen::Vector3d& normal);  ///< the solid side is behind the plane
  static ShapeDescription convex(std::vector<Eigen::Vector3d> points);
  static ShapeDescription mesh(std::vector<Eigen::Vector3d> vertices,
                               std::vector<std::array<std::uint32_t, 3>> triangles);          ///< 3D
  static ShapeDescription chain(std::vector<Eigen::Vector3d> vertices, bool closed = false);  ///< 2D
  static ShapeDescription height_field(std::array<std::uint32_t, 2> grid, double spacing, std::vector<double> heights);
  /// The same shape elsewhere in the body's frame, turned by an angle (2D) or an orientation (3D).
  ShapeDescription at(const Eigen::Vector3d& position, double angle = 0.0) const;
  ShapeDescription at(const Eigen::Vector3d& position, const Eigen::Quaterniond& orientation) const;
  /// The same shape of another material than the body's.
  ShapeDescription of(const std::string& name) const;
  /// @}
};

/// How a kinematic body moves: p(t) = p0 + velocity·t + amplitude·(sin(2πft+phase) − sin phase), and the
/// same for its rotation vector with angular_velocity and angular_amplitude (parallel to each other).
struct PrescribedMotion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();           ///< [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();   ///< [rad/s]
  Eigen::Vector3d amplitude = Eigen::Vector3d::Zero();          ///< [m]
  Eigen::Vector3d angular_amplitude = Eigen::Vector3d::Zero();  ///< [rad]
  double frequency = 0.0;                                       ///< [Hz]
  double phase = 0.0;                                           ///< [rad]
  friend bool operator==(const PrescribedMotion&, const PrescribedMotion&) = default;
};

struct BodyDescription {
  std::string name;  ///< unique; empty: one is made from the slot
  BodyKind kind = BodyKind::kDynamic;
  Placement placement;                                         ///< of the body's frame
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of the centre of mass [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< in world axes [rad/s]
  std::vector<ShapeDescription> shapes;
  std::string material = "default";
  std::optional<double> density;                  ///< [kg/m³], in 2D [kg/m²]; overrides the material's
  std::optional<double> mass;                     ///< [kg]; without inertia, the shapes' inertia is scaled
  std::optional<Eigen::Matrix3d> inertia;         ///< about the centre of mass, body axes [kg·m²]; 2D: zz
  std::optional<Eigen::Vector3d> center_of_mass;  ///< in the body's frame [m]; default: the shapes'
  double gravity_scale = 1.0;
  double linear_drag = 0.0;                ///< F = −c·v [N·s/m]
  double quadratic_drag = 0.0;             ///< F = −c·|v|·v [N·s²/m²]
  double angular_drag = 0.0;               ///< τ = −c·ω [N·m·s]
  double table_friction = 0.0;             ///< 2D worlds seen from above: coefficient against the table
  std::optional<PrescribedMotion> motion;  ///< kinematic bodies only
  Eigen::Vector3d surface_velocity = Eigen::Vector3d::Zero();  ///< conveyor: of its skin, body axes [m/s]
  std::vector<std::string> groups;                             ///< collision groups it belongs to
  std::vector<std::string> ignores;                            ///< groups it does not collide with
  std::vector<std::string> tags;  ///< by which queries and controllers find it; may change during a run
  friend bool operator==(const BodyDescription&, const BodyDescription&) = default;
};

/// Rolling and spinning friction have their place reserved in the scene format, not here: no model has them.
struct MaterialDescription {
  std::string name = "default";
  double static_friction = 0.5;
  double dynamic_friction = 0.5;
  double restitution = 0.0;
  double density = 1000.0;  ///< [kg/m³], in 2D [kg/m²]
};

/// Overrides the combination rule (friction: geometric mean, restitution: the larger) for two materials.
struct MaterialPairDescription {
  std::string first, second;
  double static_friction = 0.5;
  double dynamic_friction = 0.5;
  double restitution = 0.0;
};

/// A spring with a damper along its line. An empty body name means the world.
struct SpringDescription {
  std::string body_a, body_b;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< in the body's frame, or the world [m]
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  double stiffness = 0.0;             ///< [N/m]
  double damping = 0.0;               ///< [N·s/m]
  std::optional<double> rest_length;  ///< [m]; default: the length at the start
};

/// In 2D kHinge is the pin and kFixed the weld. Only in 3D: kBall, kUniversal, kCylindrical, kPlanar, kScrew; only in
/// 2D: kBead, kGear. Snapshots keep the numbers: new kinds go to the end.
enum class JointKind : std::uint8_t {
  kBall,
  kHinge,
  kSlider,
  kFixed,
  kDistance,
  kUniversal,
  kRope,         ///< a greatest distance
  kSpring,       ///< a force along the line between two points
  kBead,         ///< a point of B on a curve that is fixed to A
  kGear,         ///< the angle of B is that of A times a ratio
  kTarget,       ///< pulls a point of B to a place in the world
  kCylindrical,  ///< slides along an axis and turns about it
  kPlanar,       ///< slides in a plane and turns about its normal
  kScrew         ///< slides along an axis in proportion to its turn about it
};

/// What the motor of a joint does. It drives the joint's coordinate (docs/conventions.md) at a speed, or to a position,
/// with no more than its greatest torque or force; so what is in the way stops it. Position: the speed that it aims at
/// is (target − coordinate)/response, no more than max_speed; a hinge without limits takes the shorter way. Waypoints:
/// the target moves from one to the next at constant speed; before the first and after the last it stays. Force: a
/// constant torque or force on the coordinate. A target joint takes kPosition, whose place is set by set_target().
struct MotorCommand {
  enum class Kind : std::uint8_t { kOff, kSpeed, kPosition, kForce };
  Kind kind = Kind::kOff;
  double target = 0.0;     ///< kSpeed: angle [rad/s], length [m/s]; kPosition: [rad], [m]; kForce: [N·m], [N]
  double max_force = 0.0;  ///< angle [N·m], length [N]; kForce: unused
  double max_speed = std::numeric_limits<double>::infinity();  ///< kPosition: [rad/s], [m/s]
  double response = 0.05;                                      ///< kPosition: time in which an error falls to 37 % [s]
  double from = 0.0;                                           ///< off before this time [s]
  double until = std::numeric_limits<double>::infinity();      ///< off from this time on [s]
  std::vector<std::array<double, 2>> waypoints;                ///< kPosition, instead of target: time [s], position

  static MotorCommand off() { return {}; }
  static MotorCommand speed(double target, double max_force) {
    MotorCommand out;
    out.kind = Kind::kSpeed, out.target = target, out.max_force = max_force;
    return out;
  }
  static MotorCommand position(double target, double max_force,
                               double max_speed = std::numeric_limits<double>::infinity()) {
    MotorCommand out = speed(target, max_force);
    out.kind = Kind::kPosition, out.max_speed = max_speed;
    return out;
  }
  static MotorCommand force(double value) {
    MotorCommand out;
    out.kind = Kind::kForce, out.target = value;
    return out;
  }
  friend bool operator==(const MotorCommand&, const MotorCommand&) = default;
};

/// A joint between two bodies, or a body and the world (an empty name). It holds the two as they are at the start,
/// where its coordinate is zero: the angle of B against A about the axis for hinge and planar joint, the displacement
/// of B against A along the axis for slider, cylindrical joint and screw. The coordinate of distance, rope and spring
/// is the length. docs/conventions.md has signs, frames and ranges.
struct JointDescription {
  std::string name;  ///< unique; empty: one is made from its place
  JointKind kind = JointKind::kBall;
  std::string body_a, body_b;
  /// Where it is, in the world at the start [m]. Ball, hinge, universal, cylindrical, planar and screw need it, or one
  /// of the two below; without any, fixed joints and sliders are at the frame of B (of A if B is the world). Not for
  /// distance, rope, spring, bead, gear and target.
  std::optional<Eigen::Vector3d> point;
  /// Instead of `point`: in the frame of the body (of the world) [m]. Distance, rope, spring: the two ends. Bead: the
  /// origin of the curve's x and y in the frame of A, and the point of B on the curve. Target: point_a is the place in
  /// the world that point_b of B is pulled to, by default where it is. All by default zero.
  std::optional<Eigen::Vector3d> point_a, point_b;
  /// Hinge, slider, universal, cylindrical, planar (the normal), screw: in world axes at the start, of any length. In
  /// 2D sliders only. It is fixed to A.
  std::optional<Eigen::Vector3d> axis;
  std::optional<Eigen::Vector3d> axis_b;  ///< universal: the axis that is fixed to B, perpendicular to `axis`
  /// Distance: to be kept [m]; rope: the greatest [m]. Default: as it is at the start.
  std::optional<double> length;
  std::optional<double> pitch;  ///< screw: displacement of B along the axis for a turn [m/rad], right-handed
  std::optional<double> ratio;  ///< gear: turns of B for a turn of A; negative where they turn against each other
  std::string curve;            ///< bead: an equation in x and y [m], such as "y = x^2"; see math/expression.h
  /// Of the coordinate [rad], [m]. Distance: of the length, which may then lie between the two.
  std::optional<double> lower, upper;
  /// A spring and a damper on the coordinate, which pull it to `rest` (default: the coordinate at the start). A spring
  /// joint needs the stiffness. They are forces: the step must be short enough for them.
  std::optional<double> stiffness, damping, rest;  ///< [N·m/rad], [N/m]; [N·m·s/rad], [N·s/m]; [rad], [m]
  std::optional<double> friction;                  ///< dry: the greatest torque [N·m] or force [N] against motion
  /// The motor: one of speed, position, waypoints and force, and the greatest force; see MotorCommand.
  std::optional<double> motor_speed;                   ///< [rad/s], [m/s]: wanted rate of the coordinate
  std::optional<double> motor_position;                ///< [rad], [m]: wanted coordinate
  std::vector<std::array<double, 2>> motor_waypoints;  ///< time [s], wanted coordinate then
  std::optional<double> motor_force;                   ///< constant torque [N·m] or force [N] on the coordinate
  std::optional<double> motor_max_force;               ///< the greatest torque [N·m] or force [N] for it
  std::optional<double> motor_max_speed, motor_response, motor_from, motor_until;
  /// The joint breaks after a step in which the mean force, or the mean torque at the joint, was greater than this.
  std::optional<double> break_force, break_torque;  ///< [N], [N·m]
  bool collide = false;                             ///< whether the two bodies may touch each other
};

/// A force and a torque that act on a body all the time, in world axes.
struct SteadyForceDescription {
  std::string body;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();         ///< [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();        ///< [N·m]
  std::optional<Eigen::Vector3d> point;                    ///< in the body's frame [m]; default: the centre of mass
  double from = 0.0;                                       ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
};

/// Friction against the table on which a 2D world lies, seen from above.
struct TableDescription {
  enum class Law : std::uint8_t { kCoulomb, kViscous };
  Law law = Law::kCoulomb;
  bool spin = true;            ///< whether it brakes turning, too
  double gravity = 9.81;       ///< into the table [m/s²]; Coulomb: F = μ·m·gravity against the motion
  double rate = 0.1;           ///< viscous: F = −μ·m·rate·v [1/s]
  double static_speed = 0.01;  ///< viscous: below this speed the body is held [m/s]
};

/// The value of a controller's parameter. A body or a joint is given by its name.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string, Eigen::Vector3d>;
using ControllerParameters = std::map<std::string, ParameterValue>;

/// A controller that is called before each step (touchstone/controller.h), in the order of the scene.
struct ControllerDescription {
  std::string name;  ///< unique; empty: one is made from its place
  std::string kind;  ///< as it was registered
  std::string body;  ///< that it belongs to; empty: none
  ControllerParameters parameters;
};

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
using Options = std::map<std::string, OptionValue>;

struct ModelDescription {
  std::string name = "impulse";
  Options options;
};

/// What a recording keeps, and how often. Every step's time and hash are always kept.
struct RecordDescription {
  std::int64_t every = 1;  ///< steps between recorded frames
  bool poses = true, velocities = true, contacts = true;
  bool yardstick = true;  ///< measure every step while recording (docs/yardstick.md)
};

/// Broad phase: which pairs may touch. All give the same pairs; they differ in speed.
enum class BroadPhaseKind : std::uint8_t { kBruteForce, kSweepAndPrune, kBvh };
/// Narrow phase: where a pair touches. kAuto takes the fastest routine for each pair of shapes; the others force one
/// routine on all pairs of convex shapes that it takes, so that they can be compared.
enum class NarrowPhaseKind : std::uint8_t { kAuto, kGjk, kSat, kSeparatingPlane, kFeatures };

/// How contacts are found.
struct CollisionDescription {
  BroadPhaseKind broad_phase = BroadPhaseKind::kBvh;
  NarrowPhaseKind narrow_phase = NarrowPhaseKind::kAuto;
};

struct SceneDescription {
  std::string name = "scene";
  int dimension = 3;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< [m/s²]
  double step = 1e-3;                        ///< [s]
  double duration = 1.0;                     ///< [s]
  Integrator integrator = Integrator::kSemiImplicitEuler;
  std::uint64_t seed = 1;
  ModelDescription model;
  CollisionDescription collision;
  RecordDescription record;
  std::vector<MaterialDescription> materials;
  std::vector<MaterialPairDescription> material_pairs;
  std::vector<BodyDescription> bodies;
  std::vector<SpringDescription> springs;
  std::vector<JointDescription> joints;
  std::vector<SteadyForceDescription> forces;
  std::vector<ControllerDescription> controllers;
  std::optional<TableDescription> table;
};

}  // namespace touchstone
