#pragma once
/// Controllers: agents that sense the world once each step and command forces, motors, joints and more for that step.
/// docs/agents.md shows how to write one. A scene names a registered kind:
///
///     [[controller]]
///     kind = "chase"
///     body = "cat"
///     parameters = { prey = "mouse", force = 4.0 }
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "touchstone/simulation.h"

namespace touchstone {

/// Saves a controller's fields into a snapshot, or restores them from one: the same calls in the same order do both.
/// Takes numbers, bools, enums, BodyId, Eigen vectors and matrices of fixed size, strings, and vectors and optionals of
/// these. A binding to another language saves its state as one string.
class ControllerState {
 public:
  explicit ControllerState(std::vector<std::byte>& out) : out_(&out) {}
  explicit ControllerState(std::span<const std::byte> in) : in_(in) {}
  bool saving() const { return out_ != nullptr; }
  bool at_end() const { return in_.empty(); }

  template <class T>
  void operator()(T& value) {
    if constexpr (requires {
                    T::SizeAtCompileTime;
                    value.data();
                  }) {
      static_assert(T::SizeAtCompileTime > 0, "only matrices of fixed size");
      bytes(value.data(), sizeof(typename T::Scalar) * static_cast<std::size_t>(T::SizeAtCompileTime));
    } else if constexpr (std::is_trivially_copyable_v<T> && !requires { value.has_value(); }) {
      static_assert(!std::is_pointer_v<T>, "a pointer means nothing in another run");
      bytes(&value, sizeof value);
    } else {
      container(value);
    }
  }

 private:
  /// Throws Error (kBadInput) if there are fewer bytes.
  void bytes(void* data, std::size_t size) {
    if (size == 0) return;
    if (out_) {
      const auto* first = static_cast<const std::byte*>(data);
      out_->insert(out_->end(), first, first + size);
      return;
    }
    if (in_.size() < size) throw Error(ErrorKind::kBadInput, "its saved state is cut short");
    std::memcpy(data, in_.data(), size);
    in_ = in_.subspan(size);
  }
  std::uint64_t count(std::uint64_t n) {
    bytes(&n, sizeof n);
    if (!out_ && n > in_.size()) throw Error(ErrorKind::kBadInput, "its saved state is damaged");
    return n;
  }
  void container(std::string& text) {
    const std::uint64_t n = count(text.size());
    if (!out_) text.resize(n);
    bytes(text.data(), n);
  }
  template <class T>
  void container(std::vector<T>& values) {
    const std::uint64_t n = count(values.size());
    if (!out_) values.resize(n);
    for (T& value : values) (*this)(value);
  }
  template <class T>
  void container(std::optional<T>& value) {
    std::uint8_t has = value.has_value();
    bytes(&has, sizeof has);
    if (!out_) value = has ? std::optional<T>(T{}) : std::nullopt;
    if (value) (*this)(*value);
  }

  std::vector<std::byte>* out_ = nullptr;
  std::span<const std::byte> in_;
};

/// Which bodies a controller wants to see from its own body.
struct Sight {
  std::vector<std::string> tags;                           ///< with at least one of these; empty: all bodies
  double range = std::numeric_limits<double>::infinity();  ///< between the centres of mass [m]
  /// Only bodies that a straight line between the centres of mass meets before any other body.
  bool line_of_sight = false;
};

/// A body that is seen.
struct Sighting {
  BodyId body;
  double distance = 0.0;                               ///< between the centres of mass [m]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of its centre of mass [m]
};

/// The world as a controller senses and commands it, between two steps. A command holds for the step that follows, or
/// until it is changed, and controllers that are called later in the step sense it. If the step fails, every command
/// since its start is undone. Spans are valid until the next call of the same function.
class ControllerContext {
 public:
  virtual ~ControllerContext() = default;

  /// @name Senses
  /// @{
  virtual double time() const = 0;       ///< at which the step begins [s]
  virtual double step_size() const = 0;  ///< [s]
  virtual std::uint64_t step_count() const = 0;
  virtual BodyId body() const = 0;  ///< that the controller belongs to; throws if it has none
  BodyState own() const { return state(body()); }
  virtual bool contains(BodyId body) const = 0;
  virtual BodyState state(BodyId body) const = 0;
  virtual double mass(BodyId body) const = 0;                 ///< [kg]; infinite for static and kinematic bodies
  virtual BodyId find_body(std::string_view name) const = 0;  ///< throws if there is none
  virtual const std::string& body_name(BodyId body) const = 0;
  /// The contact points of a body in the last step, in the order of their keys.
  virtual std::span<const ContactReport> contacts(BodyId body) = 0;
  /// Other bodies than its own, nearest first.
  virtual std::span<const Sighting> visible(const Sight& sight) = 0;
  virtual std::optional<RayHit> ray_cast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                         double distance = std::numeric_limits<double>::infinity(),
                                         const QueryFilter& filter = {}) const = 0;
  virtual bool has_tag(BodyId body, std::string_view tag) const = 0;
  virtual bool pair_collides(BodyId a, BodyId b) const = 0;
  virtual bool has_joint(std::string_view name) const = 0;
  virtual JointReport joint(std::string_view name) const = 0;  ///< throws if there is none
  /// The controller's own random numbers, at least 0 and below 1: from the seed of the scene and the controller's
  /// place.
  virtual double random() = 0;
  /// @}

  /// @name Commands. They throw Error for numbers that are not finite and for bodies and joints that do not exist.
  /// @{
  /// Forces and torques that act during the step, world axes, at each of its instants.
  virtual void apply_force(BodyId body, const Eigen::Vector3d& force) = 0;  ///< at the centre of mass
  virtual void apply_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point) = 0;
  virtual void apply_torque(BodyId body, const Eigen::Vector3d& torque) = 0;
  /// Joints by name; as the functions of Simulation with these names.
  virtual void set_motor(std::string_view joint, const MotorCommand& command) = 0;
  virtual void set_target(std::string_view joint, const Eigen::Vector3d& place) = 0;
  virtual void set_limits(std::string_view joint, std::optional<double> lower, std::optional<double> upper) = 0;
  virtual void set_ratio(std::string_view joint, double ratio) = 0;
  virtual void set_spring(std::string_view joint, double stiffness, double damping, double rest) = 0;
  virtual void set_friction(std::string_view joint, double greatest) = 0;
  virtual void set_collide(std::string_view joint, bool collide) = 0;
  /// Joins bodies as they are now; the name of the joint.
  virtual std::string add_joint(const JointDescription& joint) = 0;
  virtual void remove_joint(std::string_view name) = 0;
  virtual void set_pair_collision(BodyId a, BodyId b, bool collide) = 0;
  virtual void set_pair_restitution(BodyId a, BodyId b, std::optional<double> restitution) = 0;
  virtual void set_tag(BodyId body, std::string_view tag, bool on) = 0;
  /// @}
};

class Controller {
 public:
  virtual ~Controller() = default;
  /// Called once before each step. What it throws fails the step.
  virtual void act(ControllerContext& world) = 0;
  /// Saves or restores everything that later calls of act() depend on; empty if there is nothing. It is called often:
  /// before each step, so that a step that fails can be undone.
  virtual void serialize(ControllerState& state) = 0;
};

/// kBody, kJoint: the name of one, which must exist in the scene; "" is allowed if that is the default.
enum class ParameterType : std::uint8_t { kBool, kInteger, kNumber, kText, kVector, kBody, kJoint };

struct ControllerParameter {
  std::string name;
  ParameterType type = ParameterType::kNumber;
  std::string unit;                        ///< "" where there is none
  std::string help;                        ///< one sentence
  std::optional<ParameterValue> fallback;  ///< empty: it must be given
  double minimum = -std::numeric_limits<double>::infinity(), maximum = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  ///< of a kText; empty: any text
};

/// What a maker is told of the controller that it makes. The bodies and joints of the scene exist then.
struct ControllerSetup {
  const ControllerDescription& description;  ///< checked, with every parameter filled in
  int dimension;
  double step_size;            ///< [s]
  std::optional<BodyId> body;  ///< that it belongs to
  std::function<BodyId(const std::string& name)> find_body;

  /// Of a parameter of that type; throws std::bad_variant_access or std::out_of_range for another.
  bool boolean(const std::string& name) const { return std::get<bool>(description.parameters.at(name)); }
  std::int64_t integer(const std::string& name) const {
    return std::get<std::int64_t>(description.parameters.at(name));
  }
  double number(const std::string& name) const { return std::get<double>(description.parameters.at(name)); }
  const std::string& text(const std::string& name) const {
    return std::get<std::string>(description.parameters.at(name));
  }
  const Eigen::Vector3d& vector(const std::string& name) const {
    return std::get<Eigen::Vector3d>(description.parameters.at(name));
  }
  BodyId body_of(const std::string& name) const { return find_body(text(name)); }
};

/// A kind of controller, by whose name scenes ask for it.
struct ControllerKind {
  std::string name;
  std::string help;  ///< one or two sentences
  std::vector<ControllerParameter> parameters;
  bool needs_body = true;
  bool needs_joints = false;  ///< it adds joints: scenes whose model has none are refused when they are loaded
  std::function<std::unique_ptr<Controller>(const ControllerSetup&)> make;
};

/// Adds a kind, before any thread reads scenes or makes simulations. Throws Error if the name is taken, or a parameter
/// has a name twice or a default outside its range.
void register_controller(ControllerKind kind);
/// The kinds there are, those of the library first.
std::vector<std::string> controller_kinds();

}  // namespace touchstone
