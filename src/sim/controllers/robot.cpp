// Purpose: a robot that carries cans home: the "robots" demo.
// Source: [thompson2003, "Robots"] and the behaviour of its public demo.
// Letters: θ heading (the angle of the body, x forward), ε angle from the heading to the target, d distance to it.
// Deviations:
//   (1) y is up here, and home is above a line; there y is down, and home is at the top of the screen.
//   (2) The paper does not say which can a robot picks: here the nearest one that no two other robots are nearer to.
//   (3) A collision with the can that it goes for has no restitution from the moment it is picked on; there only the
//       collision that grips it.
//   (4) A robot on its way to its start goes for a can that comes out of home again: others may push one.
//   (5) A robot that has come no further for 150 steps backs off for a while, at random. It may leave its can to others,
//       also one that it holds, and go to its start: robots that crowd around a can in a corner, or are caught in each
//       other's effectors, would hold each other for ever.
// Fails: a can that walls and other cans keep from every robot is never brought home.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/controller_registry.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

enum class Task : std::uint8_t { kSearching, kApproaching, kHaveCan, kReleasing, kReturningHome };

struct RobotPlan {
  explicit RobotPlan(const ControllerSetup& s)
      : left(s.body_of("left")),
        right(s.body_of("right")),
        home(s.number("home")),
        field(s.number("field")),
        joint("can_of_" + s.description.name) {
    sight.tags = {s.text("can_tag")};
    sight.range = s.number("range");
    robots.tags = {s.text("robot_tag")};
  }
  BodyId left, right;  // of the effector
  double home, field;  // cans are put down from y = home on, and fetched below y = field [m]
  Sight sight, robots;
  std::string joint;
};

class Robot final : public Controller {
 public:
  explicit Robot(const ControllerSetup& setup) : plan_(setup) {}

  void act(ControllerContext& world) override {
    const BodyState me = world.own();
    if (!started_) started_ = true, start_ = mark_ = me.center_of_mass, mark_angle_ = me.placement.angle;
    if (pause_ > 0) --pause_;
    if (is_evading(world, me)) return evade(world, me);
    switch (task_) {
      case Task::kSearching:
        return search(world, me);
      case Task::kApproaching:
        return approach(world, me);
      case Task::kHaveCan:
        return carry(world, me);
      case Task::kReleasing:
        return release(world, me);
      case Task::kReturningHome:
        return return_home(world, me);
    }
  }

  void serialize(ControllerState& state) override {
    state(task_), state(can_), state(started_), state(start_), state(mark_), state(mark_angle_), state(watched_),
        state(evading_), state(evading_force_), state(evading_torque_), state(pause_);
  }

 private:
  // --- what it does -----------------------------------------------------------------------------------------------

  void search(ControllerContext& world, const BodyState& me) {
    if (!pick(world)) {
      task_ = Task::kReturningHome;
      return return_home(world, me);
    }
    task_ = Task::kApproaching;
    approach(world, me);
  }

  void approach(ControllerContext& world, const BodyState& me) {
    if (!wanted(world, can_, world.state(can_).center_of_mass)) {
      world.set_pair_restitution(world.body(), can_, std::nullopt);
      task_ = Task::kSearching;
      return stop(world, me);
    }
    if (holds_in_front(world, me)) {
      grip(world);
      task_ = Task::kHaveCan;
      return carry(world, me);
    }
    go_to(world, me, world.state(can_).center_of_mass);
  }

  void carry(ControllerContext& world, const BodyState& me) {
    const Eigen::Vector3d& at = me.center_of_mass;
    if (at.y() < plan_.home) return go_to(world, me, {at.x(), plan_.home, 0.0});
    constexpr double kAtRest = 0.01, kNotTurning = 0.001;  // [m/s], [rad/s]
    if (me.velocity.norm() > kAtRest || std::abs(me.angular_velocity.z()) > kNotTurning) return stop(world, me);
    let_go(world);
    task_ = Task::kReleasing;
    release(world, me);
  }

  void release(ControllerContext& world, const BodyState& me) {
    constexpr double kFarEnough = 30;  // [m]
    if ((world.state(can_).center_of_mass - me.center_of_mass).norm() <= kFarEnough) return push(world, me, -4.0);
    task_ = Task::kSearching;
    search(world, me);
  }

  void return_home(ControllerContext& world, const BodyState& me) {
    if (pick(world)) {
      task_ = Task::kApproaching;
      return approach(world, me);
    }
    if (!is_back(me)) return go_to(world, me, start_);
    brake(world, me);
    turn(world, me, wrapped(-me.placement.angle));
  }

  bool is_back(const BodyState& me) const {
    constexpr double kThere = 2;  // [m]
    return (start_ - me.center_of_mass).norm() <= kThere;
  }

  // --- jams -------------------------------------------------------------------------------------------------------

  // Whether it has come no further for a while, though it should: robots that push each other may hold each other.
  bool is_evading(ControllerContext& world, const BodyState& me) {
    constexpr int kWindow = 150;                      // steps
    constexpr double kNoWay = 2, kNoTurn = kPi / 15;  // [m], [rad]
    if (evading_ > 0) return --evading_ > 0;
    if (++watched_ < kWindow) return false;
    const bool moved =
        (me.center_of_mass - mark_).norm() > kNoWay || std::abs(me.placement.angle - mark_angle_) > kNoTurn;
    const bool waits = task_ == Task::kReturningHome && is_back(me);
    watched_ = 0, mark_ = me.center_of_mass, mark_angle_ = me.placement.angle;
    if (moved || waits) return false;
    const bool may_yield = task_ == Task::kApproaching || task_ == Task::kHaveCan;
    if (may_yield && world.random() < 0.5) yield(world);
    evading_ = 20 + static_cast<int>(100 * world.random());
    evading_force_ = 16 * world.random() - 12;
    evading_torque_ = 40 * world.random() - 20;
    return true;
  }

  // Leaves the can to others, and the room around it; also one that it holds: two robots may be caught in each other's
  // effectors with the cans between them.
  void yield(ControllerContext& world) {
    if (task_ == Task::kHaveCan) let_go(world);
    world.set_pair_restitution(world.body(), can_, std::nullopt);
    task_ = Task::kReturningHome;
    pause_ = 300 + static_cast<int>(600 * world.random());
  }

  void evade(ControllerContext& world, const BodyState& me) const {
    push(world, me, evading_force_);
    world.apply_torque(world.body(), {0.0, 0.0, evading_torque_ - 500.0 * me.angular_velocity.z()});
  }

  // --- cans -------------------------------------------------------------------------------------------------------

  bool wanted(const ControllerContext& world, BodyId can, const Eigen::Vector3d& at) const {
    return world.has_tag(can, plan_.sight.tags.front()) && at.y() < plan_.field;
  }

  bool pick(ControllerContext& world) {
    if (pause_ > 0) return false;
    const auto robots = world.visible(plan_.robots);
    others_.assign(robots.begin(), robots.end());
    for (const Sighting& seen : world.visible(plan_.sight)) {
      if (!wanted(world, seen.body, seen.position) || is_for_others(seen)) continue;
      can_ = seen.body;
      world.set_pair_restitution(world.body(), can_, 0.0);
      return true;
    }
    return false;
  }

  // Two robots at a can are enough: more of them only stand in each other's way.
  bool is_for_others(const Sighting& can) const {
    return std::count_if(others_.begin(), others_.end(), [&](const Sighting& robot) {
             return (robot.position - can.position).norm() < can.distance;
           }) >= 2;
  }

  // Whether the last step had a contact with the can within π/8 of the heading.
  bool holds_in_front(ControllerContext& world, const BodyState& me) const {
    for (const ContactReport& c : world.contacts(world.body())) {
      if (c.body_a != can_ && c.body_b != can_) continue;
      const Eigen::Vector3d arm = c.point - me.center_of_mass;
      if (std::abs(wrapped(std::atan2(arm.y(), arm.x()) - me.placement.angle)) <= kPi / 8) return true;
    }
    return false;
  }

  void grip(ControllerContext& world) const {
    JointDescription pin;
    pin.name = plan_.joint;
    pin.kind = JointKind::kHinge;
    pin.body_a = world.body_name(world.body());
    pin.body_b = world.body_name(can_);
    pin.point = world.state(can_).center_of_mass;
    world.add_joint(pin);
    world.set_pair_collision(plan_.left, can_, false);
    world.set_pair_collision(plan_.right, can_, false);
    world.set_tag(can_, plan_.sight.tags.front(), false);
  }

  void let_go(ControllerContext& world) const {
    world.remove_joint(plan_.joint);
    world.set_pair_collision(plan_.left, can_, true);
    world.set_pair_collision(plan_.right, can_, true);
    world.set_pair_restitution(world.body(), can_, std::nullopt);
    world.set_tag(can_, plan_.sight.tags.front(), true);
  }

  // --- motion -----------------------------------------------------------------------------------------------------

  static double wrapped(double angle) { return std::remainder(angle, 2 * kPi); }
  static Eigen::Vector3d heading(const BodyState& me) {
    return {std::cos(me.placement.angle), std::sin(me.placement.angle), 0.0};
  }

  static void push(ControllerContext& world, const BodyState& me, double force) {
    world.apply_force(world.body(), force * heading(me));
  }
  static void brake(ControllerContext& world, const BodyState& me) {
    world.apply_force(world.body(), -10.0 * me.velocity);
  }
  static void turn(ControllerContext& world, const BodyState& me, double error) {
    world.apply_torque(world.body(), {0.0, 0.0, 10.0 * error - 500.0 * me.angular_velocity.z()});
  }
  static void stop(ControllerContext& world, const BodyState& me) {
    brake(world, me);
    world.apply_torque(world.body(), -200.0 * me.angular_velocity);
  }

  static void go_to(ControllerContext& world, const BodyState& me, const Eigen::Vector3d& target) {
    const Eigen::Vector3d way = target - me.center_of_mass;
    const double error = wrapped(std::atan2(way.y(), way.x()) - me.placement.angle), distance = way.norm();
    turn(world, me, error);
    constexpr double kNear = 20;  // [m]
    if (std::abs(error) >= kPi / 15) return brake(world, me);
    push(world, me, distance <= kNear ? 4.0 : 0.2 * distance - 10.0 * me.velocity.dot(heading(me)));
  }

  const RobotPlan plan_;
  std::vector<Sighting> others_;  // robots, where they are now
  Task task_ = Task::kSearching;
  BodyId can_;
  bool started_ = false;
  Eigen::Vector3d start_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d mark_ = Eigen::Vector3d::Zero();  // where it was when it was last watched
  double mark_angle_ = 0, evading_force_ = 0, evading_torque_ = 0;
  int watched_ = 0, evading_ = 0, pause_ = 0;  // steps
};

}  // namespace

ControllerKind robot_controller() {
  ControllerKind kind;
  kind.name = "robot";
  kind.help =
      "A robot that fetches cans and puts them down beyond a line: it goes for the nearest can that it sees, grips it "
      "with a temporary pin, carries it home, and returns to its start when none is left (thompson2003). Two "
      "dimensions, y up.";
  kind.parameters = {
      {"left", ParameterType::kBody, "", "One of the two bodies of its effector.", std::nullopt},
      {"right", ParameterType::kBody, "", "The other one.", std::nullopt},
      {"can_tag", ParameterType::kText, "", "Tag of the bodies that it fetches; taken from a can while it is carried.",
       "can"},
      {"robot_tag", ParameterType::kText, "", "Tag of the robots; a can that two others are nearer to is left to them.",
       "robot"},
      {"range", ParameterType::kNumber, "m", "How far it sees.", 1e6, 0.0},
      {"home", ParameterType::kNumber, "m", "Cans are put down once the robot's y is at least this.", 160.0},
      {"field", ParameterType::kNumber, "m", "Cans are fetched if their y is below this.", 150.0},
  };
  kind.needs_joints = true;
  kind.make = [](const ControllerSetup& setup) -> std::unique_ptr<Controller> {
    if (setup.dimension != 2) throw Error(ErrorKind::kUnsupported, "a robot lives in a 2D scene");
    return std::make_unique<Robot>(setup);
  };
  return kind;
}

}  // namespace touchstone
