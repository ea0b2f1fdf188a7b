#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/body_id.h"
#include "touchstone/description.h"
#include "touchstone/error.h"
#include "touchstone/query.h"
#include "touchstone/robot_state.h"
#include "touchstone/step_report.h"

namespace touchstone {

/// Where a body is and how it moves. The placement is of the body's frame, as described; the velocity
/// is of its centre of mass, which is also given.
struct BodyState {
  Placement placement;
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();    ///< in the world [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< world axes [rad/s]
};

/// A contact point of the last step. The normal points from A to B; `impulse` is what B received from A
/// over the whole step, in world axes [N·s]; A received the opposite. `impulse`/step is the mean force.
struct ContactReport {
  BodyId body_a, body_b;
  std::uint32_t shape_a = 0, shape_b = 0;           ///< index among the body's shapes
  std::uint64_t key = 0;                            ///< the same from step to step for the same pair of features
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  double gap = 0.0;                                             ///< negative: penetration [m]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();            ///< on B [N·s]
  Eigen::Vector3d relative_velocity = Eigen::Vector3d::Zero();  ///< B minus A at the point [m/s]
  double static_friction = 0.0, dynamic_friction = 0.0, restitution = 0.0;
  bool sticking = false;
  double natural_map = 0.0;  ///< worst of the step's solves, if the yardstick was on: how far it is from its laws [m/s]
};

/// How well a joint holds, and what it did in the last step. Errors are the greatest of its constraints; a limit counts
/// by how far it is passed.
struct JointReport {
  JointKind kind = JointKind::kBall;
  std::uint32_t serial = 0;              ///< counts all joints of the run, those of the scene first, from 0
  std::optional<BodyId> body_a, body_b;  ///< empty: the world
  /// Its place on A, in the world: the other end of a distance, rope or spring, the origin of a bead's curve, where a
  /// target pulls to [m].
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();
  Eigen::Vector3d point = Eigen::Vector3d::Zero();            ///< its place on B, in the world [m]
  double position_error = 0.0;                                ///< [m]
  double angle_error = 0.0;                                   ///< [rad]
  double velocity_error = 0.0;                                ///< [m/s]
  double angular_velocity_error = 0.0;                        ///< [rad/s]
  double coordinate = 0.0;                                    ///< [rad] or [m]; 0 for kinds that have none
  double coordinate_rate = 0.0;                               ///< [rad/s], [m/s]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();          ///< on B over the last step, motor included [N·s]
  Eigen::Vector3d angular_impulse = Eigen::Vector3d::Zero();  ///< on B, about `point` as it is now [N·m·s]
  /// The reaction: what B received at the joint, as the mean over the last step, in world axes; A received the
  /// opposite.
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();  ///< [N], [N·m]
  /// The same in the joint's frame, which is fixed to A (docs/conventions.md): x is the joint's axis.
  Eigen::Vector3d joint_force = Eigen::Vector3d::Zero(), joint_torque = Eigen::Vector3d::Zero();  ///< [N], [N·m]
  bool broken = false;  ///< it holds nothing any more
};

/// A joint that broke in the last step: its reaction was above break_force or break_torque.
struct JointEvent {
  std::size_t joint = 0;                                                              ///< its index
  double time = 0.0;                                                                  ///< the end of the step [s]
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();  ///< of that step [N], [N·m]
};

/// Handed to a force callback: the state of every body at that instant (a stage of the integrator, not
/// only a step), and the place to add forces and torques to.
class ForceContext {
 public:
  virtual ~ForceContext() = default;
  virtual double time() const = 0;
  virtual BodyState state(BodyId body) const = 0;
  virtual void add_force(BodyId body, const Eigen::Vector3d& force) = 0;  ///< at the centre of mass
  virtual void add_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point) = 0;
  virtual void add_torque(BodyId body, const Eigen::Vector3d& torque) = 0;
};
using ForceCallback = std::function<void(ForceContext&)>;
/// Gives a kinematic body's state at a time; placement, velocity and angular velocity must agree.
using MotionCallback = std::function<BodyState(double time)>;

/// One world, 2D or 3D, with one contact model. Two simulations share nothing and may run in two threads;
/// one simulation is used from one thread at a time.
class Simulation {
 public:
  /// Throws Error if the scene is wrong or the model does not support it.
  explicit Simulation(const SceneDescription& scene);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  int dimension() const;
  double time() const;
  std::uint64_t step_count() const;
  double step_size() const;
  const std::string& model_name() const;
  /// Threads for the step; the results are the same bits for any number. Default 1.
  void set_threads(int threads);

  /// While a step is at work, a true value stops it: step() then throws Error (kInterrupted) and keeps the state before
  /// the step. Another thread or a signal handler may set it. Null, as at first: nothing stops a step. The flag is not
  /// reset here and must outlive the steps.
  void set_stop(const std::atomic<bool>* stop);

  /// Advances by one step. On failure throws Error and keeps the state before the step.
  const StepReport& step();
  const StepReport& report() const;
  /// The yardstick judges every solve of the steps that follow (docs/yardstick.md). It changes nothing in them;
  /// switched off, as it is at first, it costs nothing.
  void set_yardstick(bool on);
  bool yardstick() const;
  /// What it says of the last step; the same as report().measures.
  const StepMeasures& measures() const;
  /// The same over all steps since the start or the last forget_measures(): what a frame of a recording holds that is
  /// taken every few steps. Part of snapshots.
  const StepMeasures& gathered_measures() const;
  void forget_measures();

  /// @name Bodies. Changes made from inside a callback are refused; there, forces go through the ForceContext.
  /// @{
  BodyId add_body(const BodyDescription& body);
  void remove_body(BodyId body);
  void replace_body(BodyId body, const BodyDescription& description);  ///< keeps the id
  bool contains(BodyId body) const;
  BodyId find_body(std::string_view name) const;  ///< throws if there is none
  std::vector<BodyId> bodies() const;
  const std::string& body_name(BodyId body) const;
  BodyDescription description(BodyId body) const;  ///< as it was added
  double mass(BodyId body) const;                  ///< [kg]; infinite for static and kinematic
  Eigen::Matrix3d inertia(BodyId body) const;      ///< about the centre of mass, body axes; 2D: zz
  BodyState state(BodyId body) const;
  void set_state(BodyId body, const BodyState& state);  ///< center_of_mass is ignored
  void ignore_pair(BodyId a, BodyId b);                 ///< the same as set_pair_collision(a, b, false)
  /// Whether two bodies may collide with each other, from now on. Bodies of a joint without `collide` do not, whatever
  /// is set here, as long as there is the joint. Part of snapshots, as are the next two.
  void set_pair_collision(BodyId a, BodyId b, bool collide);
  bool pair_collides(BodyId a, BodyId b) const;  ///< by pair, joints and groups
  /// The restitution of two bodies in contact, from 0 to 1, instead of that of their materials; empty: theirs again.
  void set_pair_restitution(BodyId a, BodyId b, std::optional<double> restitution);
  std::optional<double> pair_restitution(BodyId a, BodyId b) const;
  /// Tags of a body, by which queries and controllers find it; at most 64 different ones in a world.
  void set_tag(BodyId body, std::string_view tag, bool on);
  bool has_tag(BodyId body, std::string_view tag) const;
  std::vector<std::string> tags(BodyId body) const;  ///< in the order in which the world first met them
  /// @}

  /// @name Controllers (touchstone/controller.h), in the order of the scene. A body with a controller cannot be
  /// removed.
  /// @{
  std::size_t controller_count() const;
  const ControllerDescription& controller(std::size_t index) const;  ///< with every parameter filled in
  /// @}

  /// @name Forces. They act during the next step only, at each of its instants.
  /// @{
  void apply_force(BodyId body, const Eigen::Vector3d& force);
  void apply_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point);
  void apply_torque(BodyId body, const Eigen::Vector3d& torque);
  /// Called once for each evaluation of forces by the model's integrator, in order of time, and from nowhere else: once
  /// a substep for the Euler methods, twice for impulse's "verlet" scheme, four times for RK4.
  void set_force_callback(ForceCallback callback);
  void set_motion(BodyId body, MotionCallback motion);  ///< empty: back to the described motion, from where it is
  /// @}

  /// @name Contiguous state of all slots, removed ones included; valid until bodies are added or removed.
  /// Positions and velocities are of the centre of mass. Orientations are of the principal axes of inertia, which are
  /// the described frame's own unless its inertia has products: one angle a body in 2D; quaternion x, y, z, w in 3D.
  /// @{
  std::size_t slot_count() const;
  std::span<const double> positions() const;
  std::span<const double> orientations() const;
  std::span<const double> velocities() const;
  std::span<const double> angular_velocities() const;
  /// @}

  /// @name Contacts of the last step, ordered by key; none after a step that failed.
  /// @{
  std::size_t contact_count() const;
  ContactReport contact(std::size_t index) const;
  /// Sum over the contacts between the two bodies of the impulse that b received [N·s].
  Eigen::Vector3d pair_impulse(BodyId a, BodyId b) const;
  /// Sum of all contact impulses that the body received [N·s].
  Eigen::Vector3d body_impulse(BodyId body) const;
  /// What became of each pair of touching shapes in the last step, ordered by pair; valid until the next step. A step
  /// that fails leaves them as they were, and a snapshot holds them.
  std::span<const ContactEvent> contact_events() const;
  /// @}

  /// @name Joints, in the order of the scene, then of their addition. Changes from inside a callback are refused.
  /// @{
  std::size_t joint_count() const;
  const std::string& joint_name(std::size_t index) const;
  JointReport joint(std::size_t index) const;
  std::size_t find_joint(std::string_view name) const;  ///< its index; throws if there is none
  /// Joins bodies as they are now: points and axes in the world are those of this moment, and the coordinate is zero
  /// here. Returns its index. Throws Error if the model does not support joints or the bodies do not fit.
  std::size_t add_joint(const JointDescription& joint);
  /// Later joints move down by one index. Bodies that this joint alone kept from colliding may touch again.
  void remove_joint(std::size_t index);
  /// What the joint's motor does from the next step on; part of snapshots. Throws Error for a joint that has no
  /// coordinate, and for numbers that are not finite or not positive where they must be.
  void set_motor(std::size_t index, const MotorCommand& command);
  MotorCommand motor(std::size_t index) const;
  /// The place in the world that a target joint pulls to from the next step on [m].
  void set_target(std::size_t index, const Eigen::Vector3d& place);
  /// New limits of the coordinate; an empty one is none. The coordinate must lie within them. A rope has an upper one.
  void set_limits(std::size_t index, std::optional<double> lower, std::optional<double> upper);
  /// A new ratio of a gear, from the angles that its bodies have now.
  void set_ratio(std::size_t index, double ratio);
  /// The spring and damper on the coordinate [N·m/rad, N/m], [N·m·s/rad, N·s/m] and where it pulls to [rad, m].
  void set_spring(std::size_t index, double stiffness, double damping, double rest);
  /// Dry friction of the coordinate [N·m, N].
  void set_friction(std::size_t index, double greatest);
  /// Whether the bodies of the joint may touch each other.
  void set_collide(std::size_t index, bool collide);
  /// The joints that broke in the last step, by index. They keep their index and hold nothing any more. A step that
  /// fails leaves the events as they were; snapshots hold them.
  std::span<const JointEvent> joint_events() const;
  /// @}

  /// @name Robots (3D), in the order of their addition. Changes from inside a callback are refused. Their links are
  /// bodies, which robots alone move: set_state(), replace_body() and remove_body() refuse them.
  /// @{
  /// Adds an articulated robot. Throws Error if the model does not take robots, or something of
  /// the robot is not supported or impossible; the world then stays as it was.
  std::size_t add_robot(const RobotDescription& robot, const RobotPlacement& placement = {});
  std::size_t robot_count() const;
  const std::string& robot_name(std::size_t robot) const;
  std::size_t find_robot(std::string_view name) const;  ///< its index; throws if there is none
  /// The body of a link; empty for a link with neither mass nor shape. Throws if there is no such link.
  std::optional<BodyId> robot_link(std::size_t robot, std::string_view link) const;
  std::vector<std::string> robot_joints(std::size_t robot) const;  ///< names, in the order of the coordinates
  /// Coordinates and rates of all joints. In maximal coordinates those of spherical, planar and universal joints are
  /// not known, and the state cannot be set.
  std::vector<double> robot_coordinates(std::size_t robot) const;
  std::vector<double> robot_rates(std::size_t robot) const;
  /// Sets both. Coordinates must lie within their limits; quaternions are normalised, equalities are left to the steps.
  void set_robot_state(std::size_t robot, std::span<const double> q, std::span<const double> v);
  RobotJointState robot_joint(std::size_t robot, std::string_view joint) const;
  /// What drives the joint from now on, one for each of its rates; part of snapshots.
  void set_robot_drive(std::size_t robot, std::string_view joint, std::span<const RobotDrive> drives);
  void set_robot_drive(std::size_t robot, std::string_view joint, const RobotDrive& drive);  ///< of its only rate
  /// @}

  /// @name Queries. They see the bodies as they are between two steps (from a callback inside a step: as they were
  /// before it) and change nothing. Groups and ignored pairs of the bodies do not matter to them, only the filter does.
  /// Throw Error (kBadInput) for numbers that are not finite, a direction of zero, a negative length.
  /// @{
  /// The nearest shape on the ray; the direction need not be a unit vector, the distance may be infinite.
  std::optional<RayHit> ray_cast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                 double distance = std::numeric_limits<double>::infinity(),
                                 const QueryFilter& filter = {}) const;
  /// Every shape on the ray, each once, by distance.
  std::vector<RayHit> ray_cast_all(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                   double distance = std::numeric_limits<double>::infinity(),
                                   const QueryFilter& filter = {}) const;
  /// The first shape that a given one meets when it is moved from a place, without turning. Half-spaces cannot be cast.
  std::optional<ShapeHit> shape_cast(const ShapeDescription& shape, const Placement& from,
                                     const Eigen::Vector3d& displacement, const QueryFilter& filter = {}) const;
  /// The shapes that overlap or touch a given one at a place.
  std::vector<BodyShape> overlaps(const ShapeDescription& shape, const Placement& at,
                                  const QueryFilter& filter = {}) const;
  /// The nearest points of two bodies. Empty if one has no shapes, or both are half-spaces.
  std::optional<ClosestPoints> closest_points(BodyId a, BodyId b) const;
  /// Pairs of bodies that overlap by more than 1e-6 of the smaller one's size, deepest first, measured by the
  /// yardstick's own search. Bodies that never collide with each other (groups, ignored pairs, joints) do not count.
  std::vector<BodyOverlap> overlapping_bodies() const;
  /// The bodies within a radius of a shape at a place, or of a point; by gap, each body once.
  std::vector<Neighbour> nearest(const ShapeDescription& shape, const Placement& at, double radius,
                                 const QueryFilter& filter = {}) const;
  std::vector<Neighbour> nearest(const Eigen::Vector3d& point, double radius, const QueryFilter& filter = {}) const;
  /// @}

  /// Everything that decides the future, contact memory and the state of controllers included; callbacks are not part
  /// of it.
  std::vector<std::byte> snapshot() const;
  /// Restores bit-identically, into a simulation of the same dimension, model and rules (step, gravity, materials,
  /// integrator, model options, controllers). A body that a callback moved needs one again (set_motion) unless it still
  /// has it. If the snapshot is refused, the world stays as it was.
  void restore(std::span<const std::byte> snapshot);
  /// The same where the step, friction or restitution may be others: the state and the contact memory are taken over,
  /// and steps and time go on from theirs. What follows is what neither scene alone would give.
  void adopt(std::span<const std::byte> snapshot);
  /// 64 bits over step, poses and velocities of the living bodies.
  std::uint64_t state_hash() const;

 private:
  friend class SimulationInside;  // of the library's own modules
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The version of the library, such as "0.1.0".
const char* version();

}  // namespace touchstone
