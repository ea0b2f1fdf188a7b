#pragma once
// The world as a controller senses and commands it.
#include <vector>

#include "sim/world.h"

namespace touchstone {

template <int D>
class ControlContext final : public ControllerContext {
 public:
  ControlContext(World<D>& world, HostedController& self, ControlScratch& scratch)
      : world_(world), self_(self), scratch_(scratch) {}

  double time() const override { return world_.time(); }
  double step_size() const override { return world_.step_size(); }
  std::uint64_t step_count() const override { return world_.step_count(); }
  BodyId body() const override;
  bool contains(BodyId body) const override { return world_.contains(body); }
  BodyState state(BodyId body) const override { return world_.body_state(body); }
  double mass(BodyId body) const override;
  BodyId find_body(std::string_view name) const override { return world_.find_body(name); }
  const std::string& body_name(BodyId body) const override { return world_.bodies().name[world_.checked(body)]; }
  std::span<const ContactReport> contacts(BodyId body) override;
  std::span<const Sighting> visible(const Sight& sight) override;
  std::optional<RayHit> ray_cast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction, double distance,
                                 const QueryFilter& filter) const override {
    return world_.ray_cast(origin, direction, distance, filter);
  }
  bool has_tag(BodyId body, std::string_view tag) const override { return world_.has_tag(body, tag); }
  bool pair_collides(BodyId a, BodyId b) const override { return world_.pair_collides(a, b); }
  bool has_joint(std::string_view name) const override;
  JointReport joint(std::string_view name) const override { return world_.joint_report(world_.find_joint(name)); }
  double random() override;

  void apply_force(BodyId body, const Eigen::Vector3d& force) override;
  void apply_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point) override;
  void apply_torque(BodyId body, const Eigen::Vector3d& torque) override;
  void set_motor(std::string_view joint, const MotorCommand& command) override;
  void set_target(std::string_view joint, const Eigen::Vector3d& place) override;
  void set_limits(std::string_view joint, std::optional<double> lower, std::optional<double> upper) override;
  void set_ratio(std::string_view joint, double ratio) override;
  void set_spring(std::string_view joint, double stiffness, double damping, double rest) override;
  void set_friction(std::string_view joint, double greatest) override;
  void set_collide(std::string_view joint, bool collide) override;
  std::string add_joint(const JointDescription& joint) override;
  void remove_joint(std::string_view name) override;
  void set_pair_collision(BodyId a, BodyId b, bool collide) override;
  void set_pair_restitution(BodyId a, BodyId b, std::optional<double> restitution) override;
  void set_tag(BodyId body, std::string_view tag, bool on) override;

 private:
  bool in_sight(const Sighting& other, const Eigen::Vector3d& from, QueryFilter& filter) const;

  World<D>& world_;
  HostedController& self_;
  ControlScratch& scratch_;
};

}  // namespace touchstone
