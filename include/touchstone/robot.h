#pragma once
/// Plain descriptions of articulated robots, and the report of their import from URDF and MJCF files.
/// SI units. Frames: see RobotLink. docs/robots.md says which parts of the two formats are read.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "touchstone/description.h"

namespace touchstone {

/// A pose of one frame in another: x ↦ orientation · x + position.
struct RobotPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< unit
  friend bool operator==(const RobotPose&, const RobotPose&) = default;
};

/// Where a thing stands in the imported files, for messages.
struct RobotSource {
  std::string file;  ///< empty: made by a program
  int line = 0;      ///< from 1
  friend bool operator==(const RobotSource&, const RobotSource&) = default;
};

/// Kinds of joints with their coordinates q and rates v. All rates are of the child against the parent side.
enum class RobotJointKind : std::uint8_t {
  kFixed,       ///< none; it keeps the name that a file gave to a rigid connection
  kRevolute,    ///< q: angle about `axis` [rad]; v: [rad/s]
  kContinuous,  ///< as revolute, without position limits
  kPrismatic,   ///< q: displacement along `axis` [m]; v: [m/s]
  kUniversal,   ///< q: angles about `axis`, then about `axis_b`, which the first angle turns [rad]; v: [rad/s]
  kPlanar,      ///< q: displacements along x and y of the joint [m], then the angle about `axis` [rad]; see planar_axes
  kSpherical,   ///< q: unit quaternion w, x, y, z; v: angular velocity in the axes of the child [rad/s]
  kFloating     ///< q: position [m], unit quaternion w, x, y, z; v: velocity of the child's point in the axes of the
                ///< parent side [m/s], angular velocity in the axes of the child [rad/s]
};
int coordinates_of(RobotJointKind kind);  ///< how many numbers q has: 0, 1, 1, 1, 2, 3, 4, 7
int rates_of(RobotJointKind kind);        ///< how many numbers v has: 0, 1, 1, 1, 2, 3, 3, 6

/// The first coordinate equals offset + multiplier · (coordinate of the other joint). Both joints have one coordinate.
struct RobotMimic {
  std::size_t joint = 0;  ///< the other joint, a place in RobotDescription::joints
  double multiplier = 1.0;
  double offset = 0.0;  ///< [rad], [m]
  friend bool operator==(const RobotMimic&, const RobotMimic&) = default;
};

/// One joint. Its point and axes are given in the frame of its link. With all coordinates at `reference` (quaternions:
/// at the identity, positions at zero) a joint moves nothing.
struct RobotJoint {
  std::string name;      ///< unique within the robot
  std::size_t link = 0;  ///< the link that it moves, a place in RobotDescription::links
  RobotJointKind kind = RobotJointKind::kRevolute;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< [m], in the link's frame
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();    ///< unit, in the link's frame
  Eigen::Vector3d axis_b = Eigen::Vector3d::UnitX();  ///< universal: the second axis, perpendicular to the first
  double reference = 0.0;  ///< coordinate at which the link is at its `pose` [rad], [m]; one-coordinate joints only
  /// Of the coordinate [rad], [m]. Spherical: `upper` is the greatest angle of rotation, `lower` is not set.
  std::optional<double> lower, upper;
  std::optional<double> max_speed;   ///< [rad/s], [m/s]; stated by the file, enforced by none of the models
  std::optional<double> max_effort;  ///< [N·m], [N]: greatest force of all actuators together
  double damping = 0.0;              ///< viscous, on every rate [N·m·s/rad], [N·s/m]
  double friction = 0.0;             ///< dry: greatest torque [N·m] or force [N] against motion
  double armature = 0.0;             ///< inertia of the rotor, on the diagonal of the mass matrix [kg·m²], [kg]
  double stiffness = 0.0;            ///< spring to `spring_reference` [N·m/rad], [N/m]; spherical: to the identity
  double spring_reference = 0.0;     ///< [rad], [m]
  std::optional<RobotMimic> mimic;   ///< URDF
  RobotSource source;
  friend bool operator==(const RobotJoint&, const RobotJoint&) = default;
};

/// A shape for contacts. Its placement is in the link's frame and its material is empty.
struct RobotShape {
  std::string name;        ///< may be empty
  ShapeDescription shape;  ///< meshes of links that move are convex hulls (kConvex) unless ImportOptions says otherwise
  std::optional<double> friction;   ///< sliding coefficient; not set: the default of the scene
  double torsional_friction = 0.0;  ///< [m]; stated by MJCF, for models that have it
  double rolling_friction = 0.0;    ///< [m]; stated by MJCF
  std::uint32_t category = 1;       ///< MJCF contype: two shapes may touch if category & mask of either order
  std::uint32_t mask = 1;           ///< MJCF conaffinity
  int priority = 0;                 ///< MJCF: of two shapes, the friction of that with more priority counts
  int directions = 3;               ///< MJCF condim: 1 without friction, 3 with, 4 torsional, 6 rolling too
  double margin = 0.0;              ///< MJCF: contacts are found at this distance [m]
  std::array<double, 4> color{0.5, 0.5, 0.5, 1};  ///< red, green, blue, opacity
  RobotSource source;
  friend bool operator==(const RobotShape&, const RobotShape&) = default;
};

/// A shape that is only drawn.
struct RobotVisual {
  std::string name;
  ShapeDescription shape;  ///< placement in the link's frame; meshes are triangles (kMesh)
  std::array<double, 4> color{0.5, 0.5, 0.5, 1};
  RobotSource source;
  friend bool operator==(const RobotVisual&, const RobotVisual&) = default;
};

/// A named frame on a link.
struct RobotSite {
  std::string name;
  RobotPose pose;  ///< in the link's frame
  RobotSource source;
  friend bool operator==(const RobotSite&, const RobotSite&) = default;
};

/// A rigid body of the tree. Its frame is that of the file (URDF: link frame; MJCF: body frame). Its pose in the parent
/// is pose · J1(q1) · J2(q2) · …, one factor for each of its joints, in their order. J of a joint with point c turns
/// about c or moves along the axis; c and the axes are constants in the frame of the link, and hence a later joint is
/// carried by the earlier ones. A link without joints, or with a fixed one, is rigidly connected to its parent.
/// A tree with one joint a link puts a massless body between two joints of one link, with the link's frame.
struct RobotLink {
  static constexpr std::size_t kWorld = static_cast<std::size_t>(-1);
  std::string name;             ///< unique within the robot
  std::size_t parent = kWorld;  ///< a place in RobotDescription::links, before its own; kWorld: the robot's base frame
  RobotPose pose;               ///< in the parent's frame, with all joints at their reference
  std::vector<std::size_t> joints;                           ///< places in RobotDescription::joints, in order of action
  double mass = 0.0;                                         ///< [kg]; 0: a frame without mass
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  ///< [m], in the link's frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();         ///< about the centre of mass, in the link's axes [kg·m²]
  double gravity_scale = 1.0;
  std::vector<RobotShape> shapes;
  std::vector<RobotVisual> visuals;
  std::vector<RobotSite> sites;
  RobotSource source;
  friend bool operator==(const RobotLink&, const RobotLink&) = default;
};

/// Two links that do not touch each other. kWorld is the world.
struct RobotExclusion {
  std::size_t link_a = 0, link_b = 0;
  RobotSource source;
  friend bool operator==(const RobotExclusion&, const RobotExclusion&) = default;
};

/// Two shapes that may touch whatever their masks and exclusions say, with a friction of their own.
struct RobotContactPair {
  std::size_t link_a = 0, shape_a = 0;  ///< a link (or kWorld) and a place in its `shapes`
  std::size_t link_b = 0, shape_b = 0;
  std::optional<double> friction;
  RobotSource source;
  friend bool operator==(const RobotContactPair&, const RobotContactPair&) = default;
};

enum class RobotEqualityKind : std::uint8_t {
  kConnect,  ///< point_a of link_a and point_b of link_b are one point (3 equations)
  kWeld,     ///< link_b has the pose `relative` in the frame of link_a (6 equations)
  kJoint,    ///< q_a − reference_a = Σ polynomial[i] · (q_b − reference_b)^i; without joint_b: = polynomial[0]
  kTendon    ///< the same for the lengths of two tendons less their lengths at the reference
};

/// A constraint beyond the tree.
struct RobotEquality {
  std::string name;
  RobotEqualityKind kind = RobotEqualityKind::kConnect;
  bool active = true;
  std::size_t link_a = 0, link_b = RobotLink::kWorld;  ///< connect, weld
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();   ///< connect: [m], in the frame of link_a
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();   ///< connect: [m], in the frame of link_b
  RobotPose relative;                                  ///< weld: frame of link_b in that of link_a
  std::size_t a = 0;                                   ///< joint, tendon: its place in `joints` or `tendons`
  std::optional<std::size_t> b;                        ///< joint, tendon
  std::array<double, 5> polynomial{0, 1, 0, 0, 0};
  RobotSource source;
  friend bool operator==(const RobotEquality&, const RobotEquality&) = default;
};

/// A fixed tendon: a length that is a linear function of joint coordinates, Σ coefficient · q.
struct RobotTendon {
  struct Term {
    std::size_t joint = 0;  ///< a joint with one coordinate
    double coefficient = 1.0;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::string name;
  std::vector<Term> terms;
  std::optional<double> lower, upper;  ///< limits of the length
  double stiffness = 0.0;              ///< force −stiffness · (length − rest), zero between the two rests
  std::array<double, 2> rest{0, 0};    ///< lower and upper end of the range without a spring force
  double damping = 0.0;
  double friction = 0.0;
  RobotSource source;
  friend bool operator==(const RobotTendon&, const RobotTendon&) = default;
};

/// An actuator drives a joint or a tendon. Its length is l = gear · q (or gear · the tendon's length), its rate l̇. Its
/// scalar force is clamp(gain · u + bias), and the force on the coordinate is gear · force. Here u is the control,
///   gain = gain_terms[0] + gain_terms[1] · l + gain_terms[2] · l̇,
///   bias = bias_terms[0] + bias_terms[1] · l + bias_terms[2] · l̇.
/// A motor has gain 1 and no bias, a position servo gain kp and bias −kp · l − kv · l̇, a velocity servo gain kv and
/// bias −kv · l̇. On a spherical or floating joint, `gear` weights the rates.
struct RobotActuator {
  enum class Target : std::uint8_t { kJoint, kTendon };
  enum class Dynamics : std::uint8_t {
    kNone,        ///< u is the control
    kIntegrator,  ///< u̇ = control
    kFilter       ///< u̇ = (control − u) / time_constant
  };
  std::string name;
  std::string kind;  ///< as the file has it: "motor", "position", "velocity", "general", …
  Target target_kind = Target::kJoint;
  std::size_t target = 0;                        ///< its place in `joints` or `tendons`
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};  ///< one coordinate: the first
  std::array<double, 3> gain_terms{1, 0, 0};
  std::array<double, 3> bias_terms{0, 0, 0};
  Dynamics dynamics = Dynamics::kNone;
  double time_constant = 0.0;                          ///< filter [s]
  std::optional<std::array<double, 2>> control_range;  ///< u is clamped to it
  std::optional<std::array<double, 2>> force_range;    ///< the scalar force is clamped to it
  RobotSource source;
  friend bool operator==(const RobotActuator&, const RobotActuator&) = default;
};

/// A named state. Coordinates and rates of all joints in the order of `joints`; see RobotJointKind for the numbers of
/// each, which are relative to the pose of the link at the reference also for floating joints.
struct RobotKeyframe {
  std::string name;
  double time = 0.0;            ///< [s]
  std::vector<double> q, v;     ///< empty: not given
  std::vector<double> control;  ///< one number for each actuator; empty: not given
  RobotSource source;
  friend bool operator==(const RobotKeyframe&, const RobotKeyframe&) = default;
};

/// What became of a part of the file that the description does not hold as it stands there.
struct ImportNote {
  enum class Kind : std::uint8_t {
    kApproximated,  ///< it is in the description in another form
    kIgnored,       ///< it is not in the description
    kUnused         ///< it is understood, and nothing in the file refers to it
  };
  Kind kind = Kind::kIgnored;
  RobotSource source;
  std::string thing;   ///< "<light>", "solref of <geom> 'foot'"
  std::string reason;  ///< "colours and lights are not simulated"
  bool affects_motion = false;
  friend bool operator==(const ImportNote&, const ImportNote&) = default;
};

struct ImportReport {
  /// How many elements of each name were read, in the order of their first appearance.
  struct Count {
    std::string element;
    std::size_t number = 0;
    int first_line = 0;
    friend bool operator==(const Count&, const Count&) = default;
  };
  std::string format;              ///< "URDF" or "MJCF"
  std::vector<std::string> files;  ///< the file and those that it includes, then meshes
  std::vector<Count> read;
  std::vector<ImportNote> notes;  ///< in the order of files and lines
  friend bool operator==(const ImportReport&, const ImportReport&) = default;
};

struct RobotDescription {
  std::string name;
  std::vector<RobotLink> links;    ///< parents before children
  std::vector<RobotJoint> joints;  ///< in the order of the links, and of their joints
  RobotLink world;                 ///< shapes, visuals and sites that the file fixes to the world; no joints, no mass
  std::vector<RobotExclusion> exclusions;
  std::vector<RobotContactPair> pairs;
  /// Whether a link may touch its parent (MJCF's filterparent; a parent that is fixed to the world always may).
  bool parents_collide = false;
  std::vector<RobotEquality> equalities;
  std::vector<RobotTendon> tendons;
  std::vector<RobotActuator> actuators;
  std::vector<RobotKeyframe> keyframes;
  std::optional<Eigen::Vector3d> gravity;  ///< of the file [m/s²]; URDF has none
  std::optional<double> step;              ///< of the file [s]
  ImportReport report;

  std::size_t coordinates() const;  ///< numbers of q of all joints
  std::size_t rates() const;        ///< numbers of v of all joints
  double mass() const;              ///< of all links [kg]
  /// Places by name; nothing if there is none.
  std::optional<std::size_t> find_link(const std::string& name) const;
  std::optional<std::size_t> find_joint(const std::string& name) const;
  std::optional<std::size_t> find_keyframe(const std::string& name) const;
  friend bool operator==(const RobotDescription&, const RobotDescription&) = default;
};

struct ImportOptions {
  /// Folders in which package:// and model:// are sought, before $TOUCHSTONE_PACKAGES, $ROS_PACKAGE_PATH and the
  /// folders above the file.
  std::vector<std::string> package_roots;
  bool strict = false;                              ///< whether an ignored part is an error
  bool visuals = true;                              ///< whether visual shapes and their mesh files are read
  bool mesh_triangles = false;                      ///< collision meshes as triangles instead of their convex hulls
  std::size_t most_bytes = std::size_t{256} << 20;  ///< of all files together
};

/// Reads a robot from a URDF or an MJCF file; the root element says which of the two. Throws Error that names file,
/// line, element, value and remedy.
RobotDescription load_robot(const std::string& path, const ImportOptions& options = {});

/// x and y of a planar joint with a unit normal: the rotation by the least angle from the z axis to the normal, applied
/// to x and y. For z itself they are x and y, for −z they are x and −y.
std::array<Eigen::Vector3d, 2> planar_axes(const Eigen::Vector3d& normal);

}  // namespace touchstone
