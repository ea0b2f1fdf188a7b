#pragma once
// The packed contacts as the sweeps read them. L is Lane: velocities and impulses themselves, in double precision; or
// SingleLane: by how much they change in this solve, in single precision, eight patches side by side. The sums stay in
// double precision, so that what is at rest stays at rest to all digits.
#include <span>
#include <type_traits>
#include <vector>

#include "base/scratch.h"
#include "contact/islands.h"
#include "models/impulse/contact_groups.h"
#include "models/impulse/contact_levels.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {

struct SweepResult {
  double change = 0;  // the greatest of a relative velocity at a contact [m/s]
  double energy = 0;  // Σ K·(change of impulse)² [J]
};

template <int D, class L>
struct SweepGroup : PairGroup<D, L> {
  PairInertia<D, L> inertia;
  LaneVec<D, L> centres;            // from B's centre to A's
  std::uint32_t first_row, source;  // rows of its points; its first group
  std::uint8_t points, parts;       // parts: groups side by side
};

// Points side by side. An impulse is normal first, then along the tangents.
template <int D, class L>
struct SweepPoint {
  LaneVec<D, L> arm_a;
  LaneVec<D, L> aim;  // added to the velocity that the bodies here have: what it is to be, and what they had before
  L k_normal, inv_k;  // nᵀKn and its inverse
  LaneVec<D - 1, L> k_couple;                // tᵀKn
  LaneVec<D == 3 ? 3 : 1, L> inv_k_tangent;  // of the 2×2 tangential block: 11, 22, 12
  L k_slide;                                 // its greatest eigenvalue
  LaneVec<D, L> base, impulse;               // the impulse is the sum of both
  L stuck;                                   // 1 or 0
  LaneVec<D, L> change, direction;           // by the last sweep, and where the sweeps before it went
  // When positions are corrected, what has no other use then is: by how much the point has to be moved (the gap as it
  // counts, that is to be taken back or may close, and the slip); the pushes so far [m·kg], normal first; and how much
  // of the tangential one friction holds by the load.
  LaneVec<D, L>& wanted() { return aim; }
  LaneVec<D, L>& pushed() { return change; }
  L& hold() { return direction[0]; }
};

template <int D, class L>
inline LaneVec<D, L> arm_of_b(const SweepGroup<D, L>& g, const SweepPoint<D, L>& p) {
  return p.arm_a + g.centres;
}

template <int D, class L>
class ContactSweeps {
 public:
  static constexpr bool kSingle = std::is_same_v<L, SingleLane>;
  using Velocity = std::conditional_t<kSingle, SingleVelocity, BodyVelocity<D>>;

  // Friction grows with the slip, up to about this speed [m/s]; 0: Coulomb's law.
  void set_slip_speed(double speed) { slip_speed_ = speed; }
  // Lays out the groups of a step. `bodies`: how many there are; the one after the last is nobody's.
  // The points are in `scratch`, which others may use when this step's contacts are solved.
  void begin(const ContactGroups<D>& groups, std::size_t bodies, Scratch& scratch, const Parallel& parallel);
  // What the groups hold now, after their warm start; with `masses` also K, which may be a little old: it only decides
  // how fast the sweeps converge. only: by body, whose contacts are loaded, swept and stored; empty: of all.
  // What is kept by body is in `room`, until these sweeps are stored.
  void load(ContactGroups<D>& groups, std::span<const BodyVelocity<D>> velocity, bool masses, Scratch& room,
            const Parallel& parallel, std::span<const std::uint8_t> only = {});
  // One sweep over all contacts. Before a contact is looked at, its impulse goes `factor` times along the direction of
  // the sweeps before, as move_on has let the bodies do; 0 in the first sweep.
  SweepResult sweep(double factor, const Parallel& parallel);
  // From here to the next load only islands are swept in which the last sweep changed something by more than this
  // [m/s]. Call it right after load(): what went before must be in the groups.
  void narrow_down(double change);
  void move_on(double factor, const Parallel& parallel);
  // If no two points share a moving body: how far the last sweep left them from their laws [m/s].
  double left_alone() const;
  // Impulses and marks back into the groups, and what they come to onto the velocities.
  void store(ContactGroups<D>& groups, std::span<BodyVelocity<D>> velocity, const Parallel& parallel) const;
  std::span<Velocity> bodies() { return bodies_; }
  std::span<const SweepGroup<D, L>> groups() const { return groups_; }
  std::span<const SweepPoint<D, L>> points() const { return points_; }

  // Takes back penetrations above `allowed` and slips above `allowed_slip` of contacts that stick, at the prepared
  // poses: bodies() is by how much bodies have to be moved. No velocity is changed, and none is pushed by more than
  // half of `most` (lift, in contact_levels.h, may take the other half). Returns the number of sweeps, 0 if there is
  // nothing to do. The groups' gaps and slips follow. h: how long their impulses lasted. room: as for load().
  std::int64_t take_back(ContactGroups<D>& groups, double allowed, double allowed_slip, double most, double h,
                         std::int64_t max_sweeps, Scratch& room, const Parallel& parallel);

 private:
  using Group = SweepGroup<D, L>;
  using Point = SweepPoint<D, L>;
  static constexpr std::size_t kParts = kSingle ? 2 : 1, kGrain = 32;
  struct Layout {  // of a group
    std::uint32_t first_row, source;
    std::uint8_t points, parts;
  };
  void begin_group(const ContactGroups<D>& groups, std::size_t bodies, const Layout& layout, Group& g);
  void load_part(ContactGroups<D>& groups, Group& g, int part, std::span<const BodyVelocity<D>> velocity, bool masses);
  SweepResult sweep_range(std::size_t begin, std::size_t end, double factor);
  void narrow_to(std::span<const std::uint8_t> bodies);
  // Which groups a sweep visits: of all colours, one after the other.
  std::size_t visited(std::size_t i) const { return narrowed_ ? visited_[i] : i; }
  std::span<const std::size_t> visits_by_colour() const { return narrowed_ ? visited_begin_ : colour_begin_; }
  void store_group(ContactGroups<D>& groups, const Group& g, std::span<BodyVelocity<D>> velocity) const;
  void load_shifts(ContactGroups<D>& groups, double allowed, double most, double h, const Parallel& parallel);
  void settle(ContactGroups<D>& groups, const Parallel& parallel) const;
  // Colour by colour: ranges of visits of one colour side by side, those of the last in order if it has to be.
  template <class Range>
  void by_colour(const Parallel& parallel, Range range) const {
    const std::span<const std::size_t> colours = visits_by_colour();
    for (std::size_t c = 0; c + 1 < colours.size(); ++c) {
      const std::size_t first = colours[c], count = colours[c + 1] - first;
      auto of_colour = [&](std::size_t begin, std::size_t end) { range(first + begin, first + end); };
      if (last_is_serial_ && c + 2 == colours.size())
        of_colour(0, count);
      else
        parallel.for_ranges(count, kGrain, of_colour);
    }
  }

  std::vector<Layout> layout_;
  std::vector<Group> groups_;
  std::span<Point> points_;
  std::vector<std::size_t> colour_begin_{0};
  bool last_is_serial_ = false;
  double slip_speed_ = 0;
  std::vector<SweepResult> ranges_;  // of a colour
  std::vector<L> squared_;           // by group: greatest squared change by the last sweep [m²/s²]
  bool narrowed_ = false;
  std::vector<std::uint32_t> visited_;
  std::vector<std::size_t> visited_begin_;
  Islands islands_;
  std::vector<double> island_squared_;   // by body
  std::vector<std::uint8_t> concerned_;  // by body
  std::size_t body_count_ = 0;
  std::span<Velocity> bodies_, before_, direction_;
};

inline void get_velocity(const SingleVelocity& in, Vec<3>& v, Vec<3>& w) {
  v = Vec<3>(in.x[0], in.x[1], in.x[2]), w = Vec<3>(in.x[4], in.x[5], in.x[6]);
}
inline void get_velocity(const SingleVelocity& in, Vec<2>& v, AngVec<2>& w) {
  v = Vec<2>(in.x[0], in.x[1]), w[0] = in.x[2];
}

}  // namespace touchstone
