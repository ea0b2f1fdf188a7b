// Pairs, tags and controllers of the public face.
#include <fmt/format.h>

#include "sim/simulation_impl.h"

namespace touchstone {

void Simulation::set_pair_collision(BodyId a, BodyId b, bool collide) {
  impl_->visit([&](auto& w) { w.set_pair_collision(a, b, collide); });
}
bool Simulation::pair_collides(BodyId a, BodyId b) const {
  return impl_->visit([&](auto& w) { return w.pair_collides(a, b); });
}
void Simulation::set_pair_restitution(BodyId a, BodyId b, std::optional<double> restitution) {
  impl_->visit([&](auto& w) { w.set_pair_restitution(a, b, restitution); });
}
std::optional<double> Simulation::pair_restitution(BodyId a, BodyId b) const {
  return impl_->visit([&](auto& w) { return w.pair_restitution(a, b); });
}
void Simulation::set_tag(BodyId body, std::string_view tag, bool on) {
  impl_->visit([&](auto& w) { w.set_tag(body, tag, on); });
}
bool Simulation::has_tag(BodyId body, std::string_view tag) const {
  return impl_->visit([&](auto& w) { return w.has_tag(body, tag); });
}
std::vector<std::string> Simulation::tags(BodyId body) const {
  return impl_->visit([&](auto& w) { return w.tags().names(w.checked(body)); });
}
std::size_t Simulation::controller_count() const {
  return impl_->visit([](auto& w) { return w.controllers().size(); });
}
const ControllerDescription& Simulation::controller(std::size_t index) const {
  if (index >= controller_count())
    throw Error(ErrorKind::kBadInput,
                fmt::format("there is no controller {}; the scene has {}", index, controller_count()));
  return impl_->visit([&](auto& w) -> const ControllerDescription& { return w.controllers()[index].description; });
}

}  // namespace touchstone
