#include "sim/body_descriptions.h"

#include <utility>

#include "base/recent.h"

namespace touchstone {

void BodyDescriptions::resize(std::size_t slots) {
  bodies_.resize(slots);
  velocity_.resize(slots, Eigen::Vector3d::Zero()), angular_velocity_.resize(slots, Eigen::Vector3d::Zero());
}

void BodyDescriptions::clear(std::size_t slot) {
  bodies_[slot] = {};
  velocity_.set(slot, Eigen::Vector3d::Zero()), angular_velocity_.set(slot, Eigen::Vector3d::Zero());
}

void BodyDescriptions::set(std::size_t slot, const BodyDescription& description) {
  BodyDescription rest = description;
  rest.name.clear();
  rest.placement = {};
  rest.velocity.setZero(), rest.angular_velocity.setZero();
  bodies_[slot] = {description.placement, share_recent(recent_, std::move(rest))};
  velocity_.set(slot, description.velocity), angular_velocity_.set(slot, description.angular_velocity);
}

BodyDescription BodyDescriptions::operator[](std::size_t slot) const {
  const Described& body = bodies_[slot];
  BodyDescription out = body.rest ? *body.rest : BodyDescription{};
  out.placement = body.placement;
  out.velocity = velocity_[slot], out.angular_velocity = angular_velocity_[slot];
  return out;
}

}  // namespace touchstone
