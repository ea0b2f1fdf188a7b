#pragma once
// The contacts of a step: found by the detector, matched with what is remembered of them, reported from where they are.
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/scratch.h"
#include "models/contact_model.h"
#include "models/impulse/body_velocity.h"
#include "models/impulse/contact_sides.h"

namespace touchstone {

template <int D>
class ContactList {
 public:
  // Contacts that bodies may make within h from `time` on, with these velocities and forces. substep: how long the
  // impulses last that the remembered forces are turned into. alone: as if no third body stopped one of a pair.
  // scratch: for what is only needed here. known: for what is remembered of an earlier part of the step, until
  // release_memory().
  void find(const StepInput<D>& in, const State<D>& state, double time, double h, double substep, double margin,
            double reuse, bool alone, Scratch& scratch, Scratch& known);
  std::span<ContactRecord<D>> records() { return records_; }
  std::span<const ContactRecord<D>> records() const { return records_; }
  std::span<double> gaps() { return gaps_; }  // at the end of the step, one a record

  // How bodies were to move, and how far beyond that they may, when pairs were looked for: by body [m].
  std::span<const Vec<D>> displacement() const { return displacement_; }
  std::span<const double> reach() const { return reach_; }

  // A contact that was overlooked; its pair is idle no more. turning: whose faces or edges turn its normal; null: as it
  // is at the start. False if it is there already; one of the same name with another normal or gap (clipped faces touch
  // elsewhere as they slide), or whose normal turns otherwise, gives way.
  bool join(const StepInput<D>& in, const State<D>& state, std::span<const Mat<D>> rotation, const Contact<D>& contact,
            const ContactSides<D>* turning = nullptr);
  // In idle_contacts.cpp. A pair of shapes is idle if it carries nothing and no point of it comes nearer than `near`
  // [m] within h, as bodies move now; the solver need not know of it.
  void set_idle(const State<D>& state, double h, double near);
  // Idle pairs that with these velocities come nearer than that are idle no more. Returns how many contacts they have.
  // position: of bodies with contacts, where those were found.
  std::size_t wake_idle(std::span<const Vec<D>> position, std::span<const BodyVelocity<D>> velocity, double h,
                        double near);
  // What the records carry is what the next search starts from, which takes it from them before they go. Positions and
  // rotations are those of the start, where the points were found; they have to stay until then.
  void remember(double substep, std::span<const Vec<D>> position, std::span<const Mat<D>> rotation,
                const Parallel& parallel);
  // Keeps the contacts of pairs of shapes that touch, that is, have a gap of at most `gap` somewhere.
  void keep_touching(double gap);
  bool touches(std::uint32_t collider_a, std::uint32_t collider_b) const;  // whether there are contacts of this pair
  // The guesses are for a substep that is longer by this factor.
  void rescale(double factor, const Parallel& parallel);
  // Contacts between bodies that cannot move now keep their impulses: of one substep, of which the step has so many.
  void hold_still(const Bodies<D>& bodies, double substeps);
  double penetration() const;
  // Contacts that carried an impulse in the last substep, collisions aside; once they are remembered.
  std::int64_t resting() const { return resting_; }

  // In contact_report.cpp. What the records carry is to be reported, with what those of earlier parts of the step
  // carried.
  void start_report();
  void note_loads() { unreported_ = true; }
  void finish_report(const Parallel& parallel);
  // Contacts that carried force in the last step, by key: they are records as long as those are there.
  std::size_t reported_count() const { return reported_.size(); }
  ReportedContact<D> reported(std::size_t i) const;
  Vec<D> reported_velocity(std::size_t i, const State<D>& state) const;
  void serialize_report(Archive& ar);

  // In contact_memory.cpp. A step begins; restore_memory() goes back to what was remembered then.
  void keep_memory() { begun_ = false; }
  void restore_memory() {
    if (begun_) pending_ = false, known_ = memory_;
  }
  // What the last search started from; none after release_memory(), when its room is used for something else.
  std::span<const ContactMemory<D>> known() const { return known_; }
  void release_memory() { known_ = {}; }
  // Between steps: what is remembered, and what is remembered and reported of a body.
  std::span<const ContactMemory<D>> memory();
  void forget(std::uint32_t body);
  void serialize(Archive& ar);

 private:
  bool look_ahead(const StepInput<D>& in, const State<D>& state, double time, double h);
  void match(const State<D>& state, std::span<const Mat<D>> rotation, double substep, const Parallel& parallel);
  static constexpr std::size_t kGrain = 512;  // records that a thread takes at a time
  // How many records count; place: where those of each range begin among them.
  template <class Counts>
  std::size_t count_by_range(const Parallel& parallel, Counts counts, std::vector<std::size_t>& place) const {
    place.assign((records_.size() + kGrain - 1) / kGrain, 0);
    parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) place[begin / kGrain] += counts(i) ? 1 : 0;
    });
    std::size_t sum = 0;
    for (std::size_t& p : place) sum += std::exchange(p, sum);
    return sum;
  }
  void recall(Scratch& room, const Parallel& parallel);
  void write_memory(std::span<ContactMemory<D>> out, const Parallel& parallel) const;
  void inherit(const State<D>& state, std::span<const Mat<D>> rotation, const ContactMemory<D>& known,
               std::size_t begin, std::size_t end, double substep);

  // A contact that joined: what a record points at must not move.
  struct Late {
    Contact<D> contact;
    ContactSides<D> sides;
  };
  Late& late();
  // What a record carried, while contacts are found again within a step: most of them are there again.
  struct Passed {
    std::uint64_t key;
    Vec<D> impulse;
    SingleVec<D> point;  // from the centre of A, or, if A cannot move, of B
    SingleVec<D> normal;
    float gap;
    bool sticking;
  };
  std::span<Passed> set_aside(const Bodies<D>& bodies, const State<D>& state, Scratch& scratch) const;
  void claim(const StepInput<D>& in, const State<D>& state, std::span<const Passed> passed);
  void lose(const ContactRecord<D>& r);
  const Vec<D>& skin(std::size_t reported) const;
  void fill_part(const StepInput<D>& in, const State<D>& state, std::size_t part);

  std::vector<ContactRecord<D>> records_;
  std::vector<ContactSides<D>> sides_;
  std::vector<std::unique_ptr<Late>> late_;
  std::size_t late_count_ = 0;
  std::vector<std::size_t> part_begin_, sides_begin_;  // by part of what was found
  std::vector<double> gaps_, reach_;
  std::vector<std::size_t> reported_place_, memory_place_;  // by range of records: what begins where
  std::vector<Vec<D>> displacement_, velocity_;
  std::vector<AngVec<D>> turning_;  // only its length matters
  WrenchSet<D> forces_;
  // What is reported: places of records, or, with kAside, of what was set aside: contacts of earlier parts of the step
  // that are not there any more, or those of a snapshot. Their relative_velocity is that of the skins alone.
  static constexpr std::uint32_t kAside = 0x80000000;
  std::vector<std::uint32_t> reported_;
  std::vector<StepContact<D>> aside_;
  bool unreported_ = false;               // the records' loads
  std::vector<ContactMemory<D>> memory_;  // when the step began; once its last search is over, and not pending, of now
  std::span<const ContactMemory<D>> known_;
  bool begun_ = false;        // the step has searched
  bool pending_ = false;      // the records are what is remembered:
  std::int64_t resting_ = 0;  // so many of them, with impulses of this length
  double substep_ = 0;
  std::span<const Vec<D>> found_position_;
  std::span<const Mat<D>> found_rotation_;
};

}  // namespace touchstone
