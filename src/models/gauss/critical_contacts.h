#pragma once
// Contacts of convex polygons by their critical edges, in the place of those that the detector has found.
#include "models/contact_model.h"
#include "models/gauss/critical_edge.h"

namespace touchstone {

class CriticalContacts {
 public:
  // Pairs of other shapes keep their contacts. In the order of the keys.
  void refine(const ColliderTable<2>& colliders, const State<2>& state, std::vector<Contact<2>>& contacts);

 private:
  void add_outline(const ColliderTable<2>& colliders, const State<2>& state, std::uint32_t collider,
                   std::vector<std::uint32_t>& outline);

  std::vector<Vec<2>> points_;
  std::vector<std::uint32_t> a_, b_;
  std::vector<Sidedness<2>> sides_;
  std::vector<Contact<2>> out_;
};

}  // namespace touchstone
