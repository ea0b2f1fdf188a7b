#pragma once
// Contacts that fast bodies make within a substep with features that were not the nearest ones at its start, so that
// they are not among the contacts found there.
#include <span>
#include <vector>

#include "models/impulse/contact_list.h"

namespace touchstone {

// Where bodies would be at the end of the substep.
template <int D>
struct SubstepEnd {
  std::span<const Vec<D>> position;
  std::span<const Rotation<D>> orientation;
  std::span<const double> swept;  // by body: how far turning moves its points at most [m]
  double far;                     // two that have moved less against each other touch where they were nearest [m]
};

template <int D>
class FirstTouches {
 public:
  // Looks where pairs that move far end up. What is deeper there than `depth` [m] and is not in the list joins it,
  // carried back to the start of the substep; impulses of records that were there are kept. Returns how many have
  // joined. rotation: of the bodies at the start.
  std::size_t find(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                   const SubstepEnd<D>& end, double depth, ContactList<D>& list);

 private:
  bool carry_back(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                  const SubstepEnd<D>& end, const ContactList<D>& list, Contact<D>& contact) const;

  std::vector<std::uint32_t> looked_at_;  // places among the detector's pairs
  std::vector<Contact<D>> found_;
};

}  // namespace touchstone
