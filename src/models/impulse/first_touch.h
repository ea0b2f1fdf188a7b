#pragma once
// Contacts that fast bodies make within a substep and that are not among those found at its start: with features that
// were not the nearest ones there, or with what they are thrown against.
#include <span>
#include <vector>

#include "models/impulse/contact_groups.h"
#include "models/impulse/contact_list.h"

namespace touchstone {

// A substep as it would be.
template <int D>
struct SubstepEnd {
  double h;                                   // [s]
  std::span<const BodyVelocity<D>> velocity;  // over h
  double far;                                 // two that move less against each other touch where they were nearest [m]
  double depth;                               // less is left to others [m]
  double reach;                               // how far apart two may be that are said to have come round a corner [m]
};

template <int D>
class FirstTouches {
 public:
  // Looks where pairs that move far end up. What is too deep there and is not in the list joins it, carried back to the
  // start of the substep; impulses of records that were there are kept. Returns how many have joined. rotation: of the
  // bodies at the start.
  std::size_t find(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                   const SubstepEnd<D>& end, ContactList<D>& list);
  // Whether with these velocities bodies leave the bounds by far that pairs were looked for with, within h: another has
  // hit them. now: poses as they are, which may be those of a later substep.
  bool find_thrown(const StepInput<D>& in, const State<D>& now, double h, std::span<const BodyVelocity<D>> velocity,
                   const ContactList<D>& list);
  // What those may fly through joins the list. Returns how many contacts have joined.
  std::size_t join_thrown(const StepInput<D>& in, const State<D>& now, double h,
                          std::span<const BodyVelocity<D>> velocity, ContactList<D>& list);

 private:
  std::size_t join_near(const StepInput<D>& in, const State<D>& now, double h,
                        std::span<const BodyVelocity<D>> velocity, const ColliderPair& pair, ContactList<D>& list);
  void find_pairs(const StepInput<D>& in, const State<D>& start, const SubstepEnd<D>& end);
  void find_knocked(const StepInput<D>& in, const SubstepEnd<D>& end, const ContactList<D>& list);
  void place(const State<D>& start, const SubstepEnd<D>& end, std::uint32_t body, double part);
  bool carry_back(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation, Contact<D>& contact,
                  ContactSides<D>& sides, double depth) const;
  std::size_t join(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                   const SubstepEnd<D>& end, ContactList<D>& list);
  std::size_t join_of_start(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                            const SubstepEnd<D>& end, const ColliderPair& pair, ContactList<D>& list);
  std::size_t join_on_the_way(const StepInput<D>& in, const State<D>& start, std::span<const Mat<D>> rotation,
                              const SubstepEnd<D>& end, const ColliderPair& pair, ContactList<D>& list);

  std::vector<double> swept_;             // by body: how far turning moves its points at most [m]
  std::vector<std::uint32_t> looked_at_;  // places among the detector's pairs
  std::vector<std::uint32_t> knocked_;    // bodies that move farther than pairs were looked for
  std::vector<Vec<D>> moved_;             // by body, if some are
  std::vector<ColliderPair> more_;        // pairs of those that are not among the detector's
  std::vector<std::uint8_t> needed_;      // by body: whether its place is
  std::vector<Vec<D>> position_;          // at the end, or on the way there, of those
  std::vector<Rotation<D>> orientation_;
  std::vector<Contact<D>> found_, found_before_;  // at the end; at the start, or on the way
};

}  // namespace touchstone
