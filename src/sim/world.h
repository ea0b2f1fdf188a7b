#pragma once
// A world of one dimension: bodies, forces, one contact model. Everything a user needs of it is on
// touchstone::Simulation, which holds one of the two worlds.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collision/query/queries.h"
#include "contact/body_measures.h"
#include "contact/materials.h"
#include "contact/yardstick.h"
#include "geometry/mass_properties.h"
#include "models/registry.h"
#include "sim/body_colliders.h"
#include "sim/body_descriptions.h"
#include "sim/body_tags.h"
#include "sim/contact_events.h"
#include "sim/controller_host.h"
#include "sim/energy_guard.h"
#include "sim/name_index.h"
#include "sim/world_robot.h"
#include "touchstone/simulation.h"

namespace touchstone {

template <int D>
class World {
 public:
  explicit World(const SceneDescription& scene);

  // The step, in sim/step.cpp.
  const StepReport& step();
  const StepReport& report() const { return report_; }
  double time() const { return time_of(step_count_); }
  std::uint64_t step_count() const { return step_count_; }
  double step_size() const { return h_; }
  const std::string& model_name() const { return model_info_->name; }
  void set_threads(int threads) {
    refuse_in_step("changing the number of threads");
    parallel_ = Parallel(threads);
  }
  // Checked by the loops of the steps that follow; null: nothing stops them. It must outlive them.
  void set_stop(const std::atomic<bool>* stop) {
    refuse_in_step("setting the stop flag");
    stop_ = StopFlag(stop);
  }
  void set_yardstick(bool on) {
    refuse_in_step("switching the yardstick");
    measuring_ = on;
  }
  bool yardstick() const { return measuring_; }
  // Is shown every solve of the steps that follow; nobody: null. It must outlive them.
  void set_watcher(SolveObserver<D>* watcher) { watcher_ = watcher; }
  const StepMeasures& gathered_measures() const { return gathered_; }
  void forget_measures() { gathered_ = {}; }

  BodyId add_body(const BodyDescription& description);
  void remove_body(BodyId id);
  void replace_body(BodyId id, const BodyDescription& description);
  bool contains(BodyId id) const;
  BodyId find_body(std::string_view name) const;
  std::vector<BodyId> body_ids() const;
  BodyId id_of(std::uint32_t index) const { return {index, generation_[index]}; }
  BodyDescription description(BodyId id) const { return description(checked(id)); }
  BodyState body_state(BodyId id) const { return body_state(checked(id), state_); }
  void set_body_state(BodyId id, const BodyState& state);

  void apply(BodyId id, const Eigen::Vector3d& force, const Eigen::Vector3d& torque);
  void apply_at(BodyId id, const Eigen::Vector3d& force, const Eigen::Vector3d& point);
  void set_force_callback(ForceCallback callback);
  void set_motion(BodyId id, MotionCallback motion);

  const Bodies<D>& bodies() const { return bodies_; }
  const ColliderTable<D>& colliders() const { return detector_.colliders(); }
  const IgnoredPairs& ignored_pairs() const { return detector_.ignored_pairs(); }
  const MaterialTable& materials() const { return materials_; }
  const Vec<D>& gravity_vector() const { return forces_.gravity; }
  // All forces but those of contacts, drag included, at this instant.
  void find_loads(WrenchSet<D>& out) const {
    out.reset(bodies_.size());
    evaluate_forces(bodies_, forces_, time(), 0.0, state_, out);
  }
  const State<D>& state() const { return state_; }
  ReportedContacts<D> contacts() const { return ReportedContacts<D>(*model_); }
  ContactReport contact_report(std::size_t index) const;
  std::span<const ContactEvent> contact_events() const { return events_.events(); }

  // In sim/world_joints.cpp.
  std::span<const Joint<D>> joints() const { return joints_; }
  const Joint<D>& joint(std::size_t index) const;  // throws if there is none
  JointReport joint_report(std::size_t index) const;
  std::size_t add_joint(const JointDescription& description);
  void remove_joint(std::size_t index);
  std::size_t find_joint(std::string_view name) const;  // throws if there is none
  void set_motor(std::size_t index, const MotorCommand& command);
  // In sim/world_joint_changes.cpp.
  void set_target(std::size_t index, const Eigen::Vector3d& place);
  void set_limits(std::size_t index, const std::optional<double>& lower, const std::optional<double>& upper);
  void set_ratio(std::size_t index, double ratio);
  void set_spring(std::size_t index, double stiffness, double damping, double rest);
  void set_friction(std::size_t index, double greatest);
  void set_collide(std::size_t index, bool collide);
  std::span<const JointEvent> joint_events() const { return joint_events_; }

  // In sim/world_robots.cpp and sim/world_robot_state.cpp; robots are of 3D worlds.
  std::size_t add_robot(const RobotDescription& robot, const RobotPlacement& placement);
  std::span<const WorldRobot> robots() const { return robots_; }
  std::span<const TreeBody> trees() const { return trees_; }
  const WorldRobot& robot(std::size_t index) const;  // throws if there is none
  void set_robot_state(std::size_t index, std::span<const double> q, std::span<const double> v);
  void set_robot_drive(std::size_t index, std::string_view joint, std::span<const RobotDrive> drives);
  const WorldRobot::Joint& robot_joint(std::size_t index, std::string_view name) const;  // throws if there is none
  // In sim/world_maximal_robots.cpp: of both kinds of coordinates.
  std::vector<double> robot_coordinates(std::size_t index) const;
  std::vector<double> robot_rates(std::size_t index) const;
  RateDrive robot_drive(std::size_t index, const WorldRobot::Joint& joint, std::uint32_t k) const;

  // In sim/world_control.cpp.
  void set_pair_collision(BodyId a, BodyId b, bool collide);
  bool pair_collides(BodyId a, BodyId b) const;
  void set_pair_restitution(BodyId a, BodyId b, std::optional<double> e);
  std::optional<double> pair_restitution(BodyId a, BodyId b) const;
  void set_tag(BodyId id, std::string_view tag, bool on);
  bool has_tag(BodyId id, std::string_view tag) const;
  const BodyTags& tags() const { return tags_; }
  const ControllerHost& controllers() const { return controllers_; }
  // While there is one, a controller's commands are let through.
  class Commanding {
   public:
    explicit Commanding(World& world) : world_(world) { world_.in_step_ = false, world_.in_control_ = true; }
    ~Commanding() { world_.in_step_ = true, world_.in_control_ = false; }
    Commanding(const Commanding&) = delete;
    Commanding& operator=(const Commanding&) = delete;

   private:
    World& world_;
  };

  // In sim/world_queries.cpp.
  std::optional<RayHit> ray_cast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction, double distance,
                                 const QueryFilter& filter) const;
  std::vector<RayHit> ray_cast_all(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction, double distance,
                                   const QueryFilter& filter) const;
  std::optional<ShapeHit> shape_cast(const ShapeDescription& shape, const Placement& from,
                                     const Eigen::Vector3d& displacement, const QueryFilter& filter) const;
  std::vector<BodyShape> overlaps(const ShapeDescription& shape, const Placement& at, const QueryFilter& filter) const;
  std::optional<ClosestPoints> closest_points(BodyId a, BodyId b) const;
  std::vector<BodyOverlap> overlapping_bodies();
  std::vector<Neighbour> nearest(const ShapeDescription& shape, const Placement& at, double radius,
                                 const QueryFilter& filter) const;
  std::vector<Neighbour> nearest(const Eigen::Vector3d& point, double radius, const QueryFilter& filter) const;

  // In sim/snapshot.cpp.
  void serialize(Archive& ar);
  // Reads a snapshot of a world with the same structure whose step and surfaces may be others.
  void adopt(Archive& ar);
  void refuse_in_step(const char* what) const;
  std::uint64_t state_hash() const;

  std::uint32_t checked(BodyId id) const;  // the slot; throws for a body that is gone
  BodyState body_state(std::uint32_t slot, const State<D>& state) const;

 private:
  double time_of(std::uint64_t step) const { return base_time_ + static_cast<double>(step - base_step_) * h_; }
  BodyDescription description(std::uint32_t slot) const;
  void reserve(std::size_t bodies);
  void put_body(std::uint32_t slot, const BodyDescription& description);
  MassProperties<D> mass_of(const BodyDescription& d, const std::vector<Shape<D>>& shapes) const;
  void set_mass(std::uint32_t slot, const MassProperties<D>& total, const PrincipalInertia<D>& inertia, bool moves);
  std::optional<Motion<D>> motion_of(const BodyDescription& d) const;
  std::vector<Collider<D>> make_colliders(std::uint32_t slot, const BodyDescription& d,
                                          const std::vector<Shape<D>>& shapes, const Vec<D>& center,
                                          const Rotation<D>& axes);
  void place_attachments(std::uint32_t slot);
  // In sim/world_maximal_robots.cpp.
  std::size_t add_maximal_robot(const RobotDescription& robot, const RobotPlacement& placement);
  void drive_maximal(WorldRobot& robot, WorldRobot::Joint& joint, const RobotDrive& drive);
  // In sim/world_robots.cpp.
  void add_links(const RobotDescription& robot, const RobotPlacement& placement, const RobotTree& tree, WorldRobot& out,
                 TreeBody& body);
  void drop_links(const std::vector<std::uint32_t>& slots);
  void ignore_within(const RobotDescription& robot, const RobotPlacement& placement, const WorldRobot& out,
                     const TreeBody& body);
  void ignore_overlaps(const WorldRobot& robot);
  void start_robot(const RobotDescription& robot, const RobotPlacement& placement, TreeBody& body);
  void write_tree(const TreeBody& tree);
  void refuse_if_link(std::uint32_t slot, const char* what) const;
  double tree_energy() const;  // of armatures and springs on coordinates [J]
  double total_energy() const;
  void serialize_robots(Archive& ar);
  void place_state(std::uint32_t slot, const BodyState& state);
  void check_references() const;
  double energy_of(std::uint32_t slot) const;  // of the body, with all springs [J]
  void drop_colliders(std::uint32_t slot);
  std::uint32_t group_bits(const std::vector<std::string>& names);
  void add_spring(const SpringDescription& description);
  void add_steady_force(const SteadyForceDescription& description);
  void add_joints(const SceneDescription& scene);
  void put_joint(const JointDescription& description, bool now);  // now: bodies where they are, not as described
  void drive_motors();  // sets what motors do in the step at hand, and how springs respond
  void ignore_joined(Joint<D>& joint);
  void release_pair(const Joint<D>& joint);
  // In sim/world_joint_changes.cpp.
  Joint<D>& changeable(std::size_t index, const char* what);
  void note_joint_forces();  // whether any joint has one, after a change
  // What joints' own forces give over the step at hand: half of it by the forces at its start, half by those at its
  // end.
  void begin_pushes();
  void end_pushes();
  JointImpulse<D> reaction(std::size_t index) const;  // over the last step
  void break_joints();
  void disturb(const Joint<D>& joint);
  void place_side(std::uint32_t slot, Joint<D>& joint) const;
  void refuse_if_joined(std::uint32_t slot) const;
  Vec<D> attached(std::uint32_t slot, const Eigen::Vector3d& described) const;
  void add_controllers(const SceneDescription& scene);
  void add_controller(ControllerDescription description, std::uint64_t seed, std::size_t place);
  void control();
  void keep_for_undo();
  void undo_control();
  void undo_changes();
  void prepare_restitution();
  void adopt_body_pairs(std::vector<MaterialTable::BodyPair> pairs);
  void refuse_if_controlled(std::uint32_t slot) const;
  std::pair<std::uint32_t, std::uint32_t> checked_pair(BodyId a, BodyId b, const char* does) const;
  // With `all`, what a restored snapshot must agree in; without, what an adopted one must.
  std::uint64_t rules_hash(const SceneDescription& scene, bool all) const;
  Motion<D>* find_motion(std::uint32_t slot);
  // In sim/step_checks.cpp. They throw, naming joint or body, and leave the world to be rolled back.
  void check_state() const;
  void check_joints() const;
  void check_energy(const StepReport& after, double law_gain);
  double least_energy() const;
  std::uint32_t most_gaining_body() const;
  WorkByClass work_of(const ModelReport& model) const;  // by class, with what prescribed bodies and belts put in
  double driven_by_contacts() const;
  double driven_by_joints() const;
  StepReport report_of(const ModelReport& model, const WorkByClass& work) const;
  void measure();  // the end of the yardstick's work on a step
  void start_energy();
  const Queries<D>& queries() const;
  ColliderFilter<D> collider_filter(const QueryFilter& filter) const;
  BodyShape body_shape(std::uint32_t collider) const;
  RayHit ray_hit(const RayAnswer<D>& answer) const;
  std::vector<Neighbour> near(const Placed<D>& shape, double radius, const QueryFilter& filter) const;

  double h_ = 0;
  Integrator integrator_;
  MaterialTable materials_;
  const ModelInfo* model_info_;
  std::unique_ptr<ContactModel<D>> model_;
  Bodies<D> bodies_;
  State<D> state_, last_good_;
  ForceModel<D> forces_;
  std::vector<Joint<D>> joints_;
  std::uint32_t joints_made_ = 0;                      // since the start, also those that are gone
  std::vector<JointImpulse<D>> pushes_, next_pushes_;  // by joint, or empty; of the last step, and of the one at hand
  std::vector<JointEvent> joint_events_;
  Detector<D> detector_;
  mutable Queries<D> queries_;  // brought up to date by the first query after a change
  ContactEvents events_;
  Yardstick<D> yardstick_;
  bool measuring_ = false;
  SolveObserver<D>* watcher_ = nullptr;
  StepMeasures gathered_;
  Parallel parallel_;
  StopFlag stop_;
  std::vector<std::pair<std::uint32_t, Motion<D>>> motions_;  // sorted by slot
  std::unique_ptr<UserForces<D>> user_forces_;                // null: there is no callback

  std::vector<WorldRobot> robots_;
  std::vector<TreeBody> trees_;  // of the robots, in their order

  BodyDescriptions descriptions_;
  std::vector<std::uint32_t> generation_, free_;
  BodyColliders colliders_;
  NameIndex by_name_;
  std::vector<std::string> groups_;
  BodyTags tags_;

  ControllerHost controllers_;
  ControlScratch control_scratch_;
  bool in_control_ = false;
  // What controllers have changed since the step began, as it was then.
  struct ControlUndo {
    std::vector<Wrench<D>> applied;
    bool any_applied = false, changed = false;  // changed: something else than forces, of which the rest was kept
    std::vector<Joint<D>> joints;
    std::uint32_t joints_made = 0;
    IgnoredPairs ignored;
    BodyTags tags;
    std::vector<MaterialTable::BodyPair> body_pairs;
    std::vector<std::byte> model;
    std::vector<JointImpulse<D>> pushes;
    std::vector<JointEvent> joint_events;
    double start_energy = 0;
    EnergyGuard guard;
  } undo_;

  std::uint64_t rules_ = 0;      // hash of what a snapshot does not hold: gravity, materials, model options, ...
  std::uint64_t structure_ = 0;  // the same without step, friction and restitution
  bool adopting_ = false;
  std::uint64_t base_step_ = 0;  // since which the step is h_; both are zero unless a state was adopted
  double base_time_ = 0;         // then [s]
  std::uint64_t step_count_ = 0;
  bool in_step_ = false;
  StepReport report_;
  WorkByClass work_{};
  double start_energy_ = 0;
  EnergyGuard guard_, last_guard_;
};

}  // namespace touchstone
