#pragma once
// The bodies of a world as they were described. Those that differ in nothing but name, place and velocity share the
// rest: a heap of a thousand cubes has one description, not a thousand.
#include <memory>
#include <vector>

#include "base/column.h"
#include "touchstone/description.h"

namespace touchstone {

class BodyDescriptions {
 public:
  std::size_t size() const { return bodies_.size(); }
  void reserve(std::size_t slots) { bodies_.reserve(slots); }
  void resize(std::size_t slots);
  void set(std::size_t slot, const BodyDescription& description);
  void clear(std::size_t slot);
  // Everything but the name, which the bodies themselves have.
  BodyDescription operator[](std::size_t slot) const;
  bool has_motion(std::size_t slot) const { return bodies_[slot].rest && bodies_[slot].rest->motion.has_value(); }

 private:
  struct Described {
    Placement placement;
    std::shared_ptr<const BodyDescription> rest;  // without place, velocities and name; none: the slot is free
  };
  std::vector<Described> bodies_;
  Column<Eigen::Vector3d> velocity_, angular_velocity_;
  std::vector<std::shared_ptr<const BodyDescription>> recent_;  // the newest last
};

}  // namespace touchstone
