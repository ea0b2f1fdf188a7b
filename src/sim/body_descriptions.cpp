#include "sim/body_descriptions.h"

#include <utility>

#include "base/recent.h"

namespace touchstone {

void BodyDescriptions::set(std::size_t slot, const BodyDescription& description) {
  BodyDescription rest = description;
  rest.name.clear();
  rest.placement = {};
  rest.velocity.setZero(), rest.angular_velocity.setZero();
  bodies_[slot] = {description.placement, description.velocity, description.angular_velocity,
                   share_recent(recent_, std::move(rest))};
}

BodyDescription BodyDescriptions::operator[](std::size_t slot) const {
  const Described& body = bodies_[slot];
  BodyDescription out = body.rest ? *body.rest : BodyDescription{};
  out.placement = body.placement;
  out.velocity = body.velocity, out.angular_velocity = body.angular_velocity;
  return out;
}

}  // namespace touchstone
