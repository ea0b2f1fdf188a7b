// The queries and events of the public face.
#include "sim/simulation_impl.h"

namespace touchstone {

std::span<const ContactEvent> Simulation::contact_events() const {
  return impl_->visit([](auto& w) { return w.contact_events(); });
}
std::optional<RayHit> Simulation::ray_cast(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                           double distance, const QueryFilter& filter) const {
  return impl_->visit([&](auto& w) { return w.ray_cast(origin, direction, distance, filter); });
}
std::vector<RayHit> Simulation::ray_cast_all(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                                             double distance, const QueryFilter& filter) const {
  return impl_->visit([&](auto& w) { return w.ray_cast_all(origin, direction, distance, filter); });
}
std::optional<ShapeHit> Simulation::shape_cast(const ShapeDescription& shape, const Placement& from,
                                               const Eigen::Vector3d& displacement, const QueryFilter& filter) const {
  return impl_->visit([&](auto& w) { return w.shape_cast(shape, from, displacement, filter); });
}
std::vector<BodyShape> Simulation::overlaps(const ShapeDescription& shape, const Placement& at,
                                            const QueryFilter& filter) const {
  return impl_->visit([&](auto& w) { return w.overlaps(shape, at, filter); });
}
std::optional<ClosestPoints> Simulation::closest_points(BodyId a, BodyId b) const {
  return impl_->visit([&](auto& w) { return w.closest_points(a, b); });
}
std::vector<BodyOverlap> Simulation::overlapping_bodies() const {
  return impl_->visit([](auto& w) { return w.overlapping_bodies(); });
}
std::vector<Neighbour> Simulation::nearest(const ShapeDescription& shape, const Placement& at, double radius,
                                           const QueryFilter& filter) const {
  return impl_->visit([&](auto& w) { return w.nearest(shape, at, radius, filter); });
}
std::vector<Neighbour> Simulation::nearest(const Eigen::Vector3d& point, double radius,
                                           const QueryFilter& filter) const {
  return impl_->visit([&](auto& w) { return w.nearest(point, radius, filter); });
}

}  // namespace touchstone
