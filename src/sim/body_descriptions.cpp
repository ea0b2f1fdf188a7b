#include "sim/body_descriptions.h"

#include <algorithm>
#include <utility>

namespace touchstone {

// Equal bodies mostly come one after the other, or a few kinds in turn: the kinds seen last are asked, the newest
// first.
void BodyDescriptions::set(std::size_t slot, const BodyDescription& description) {
  constexpr std::size_t kRecent = 16;
  BodyDescription rest = description;
  rest.name.clear();
  rest.placement = {};
  rest.velocity.setZero(), rest.angular_velocity.setZero();
  auto known = std::find_if(recent_.rbegin(), recent_.rend(), [&](const auto& r) { return *r == rest; });
  if (known != recent_.rend()) {
    std::rotate(recent_.rbegin(), known, known + 1);
  } else {
    if (recent_.size() == kRecent) recent_.erase(recent_.begin());
    recent_.push_back(std::make_shared<const BodyDescription>(std::move(rest)));
  }
  bodies_[slot] = {description.placement, description.velocity, description.angular_velocity, recent_.back()};
}

BodyDescription BodyDescriptions::operator[](std::size_t slot) const {
  const Described& body = bodies_[slot];
  BodyDescription out = body.rest ? *body.rest : BodyDescription{};
  out.placement = body.placement;
  out.velocity = body.velocity, out.angular_velocity = body.angular_velocity;
  return out;
}

}  // namespace touchstone
