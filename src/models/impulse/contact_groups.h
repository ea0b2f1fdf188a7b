#pragma once
// Contacts packed for the solver: up to four points of one pair of bodies with one normal make a patch, patches are
// coloured, and four patches of a colour lie side by side in SIMD lanes; contact_sweeps.h puts two such groups
// together.
#include <span>
#include <vector>

#include "base/scratch.h"
#include "contact/colouring.h"
#include "contact/islands.h"
#include "math/lane_vectors.h"
#include "models/impulse/body_velocity.h"
#include "models/impulse/contact_record.h"

namespace touchstone {

// How a body is moved: an infinitesimal motion, a velocity or a shift.
template <int D>
struct SmallMotion {
  Vec<D> linear = Vec<D>::Zero();
  AngVec<D> angular = AngVec<D>::Zero();
};

// What the points of a few patches share, one patch a lane.
template <int D, class L>
struct PairGroup {
  LaneVec<D, L> n, t;  // normal and first tangent; the second is n × t
  L inv_mass_a, inv_mass_b;
  L static_friction, dynamic_friction;
  std::uint32_t a[LaneTraits<L>::kCount], b[LaneTraits<L>::kCount];
  std::uint8_t moves_a, moves_b;  // one bit a lane
};

// Their inverse inertias, in the world.
template <int D, class L>
struct PairInertia {
  LaneSym<kAngular<D>, L> a, b;
};

// Four patches.
template <int D>
struct ContactGroup : PairGroup<D, Lane> {
  LaneVec<D> centres, centres_now;  // from B's centre to A's: at the start of the step, and as points are now
  NarrowLane normal_a, normal_b;    // how far the normal turns with A, and with B
  NarrowLane weight_a;              // how far the point is A's: 1/2, or 0 or 1 if only one side is smooth
  std::uint8_t smooth_a, smooth_b;  // one bit a lane
  std::uint8_t driven;              // one bit a lane: a side is moved by others, or its skin
  std::uint8_t points, lanes;
  bool predicted;  // what the sweeps aim at is where the points end up
  std::uint32_t first_point;
  std::uint32_t rare;  // what else there is of it; 0: nothing
};

// What is zero where flat faces that stand still on their bodies touch: groups of such patches share the first.
template <int D>
struct RareSides {
  LaneVec<D - 1> skin;                    // along the tangents
  Lane radius_a, radius_b;                // of smooth sides, from the centre of curvature
  LaneVec<D, NarrowLane> edge_a, edge_b;  // where edges cross, else zero
};

// Four points side by side. Both bodies are pushed at one point, so that B's arm is A's and the way between the
// centres.
template <int D>
struct PointLanes {
  LaneVec<D> arm_a;
  Lane normal;  // impulses
  LaneVec<D - 1> tangent;
  Lane bias;                     // an open gap over h [m/s]
  NarrowLane stuck;              // 1 or 0
  std::int32_t contact[kLanes];  // in the list; −1: none
};
template <int D>
LaneVec<D> arm_of_b(const ContactGroup<D>& g, const PointLanes<D>& p) {
  return p.arm_a + g.centres_now;
}

// The same points: where they started, and what has become of it. Slips are small: single precision has digits enough
// for them.
template <int D>
struct PointStart {
  LaneVec<D> arm_a;  // to A's surface, at the start of the step
  Lane gap, gap_now;
  LaneVec<D - 1, NarrowLane> slip;  // at the start
  LaneVec<D - 1, NarrowLane> slip_now;
  // By how much the mean slip over h differs from what the points' arms say, if predicted [m/s].
  LaneVec<D - 1, NarrowLane> aim;
};
// To B's surface, at the start of the step.
template <int D>
LaneVec<D> arm_of_b(const ContactGroup<D>& g, const PointStart<D>& s) {
  return s.arm_a + g.n * s.gap + g.centres;
}

// Normal, then tangents, as columns.
Mat<2> contact_axes(const ContactGroup<2>& group, int lane);
Mat<3> contact_axes(const ContactGroup<3>& group, int lane);

// The velocity that what is deeper than `depth` [m] is to be left with: `rate` [1/s] times what it is deeper, at most
// `fastest` [m/s].
struct PushOut {
  double depth = 0, rate = 0, fastest = 0;
};

template <int D>
class ContactGroups {
 public:
  static constexpr std::size_t kGrain = 64;  // groups that a thread takes at a time
  // Lays out the contacts, which are in order of their keys; idle ones and those between bodies that cannot move are
  // left out. The last of `velocity` is nobody's: empty lanes use it. position: of bodies with contacts, where those
  // were found.
  void pack(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts, std::span<const Vec<D>> position,
            const Parallel& parallel);
  // Where the points are: others may use it once they are unpacked.
  Scratch& room() { return room_; }
  void set_push_out(const PushOut& push_out) { push_out_ = push_out; }
  // Gaps and slips at the displaced poses, and with `arms` also arms and inertias. Gaps below rest_gap count as closed.
  // held: an open gap may close within h; otherwise only closed contacts take part. The inertias are looked up when
  // they are needed, and have to stay.
  void prepare(std::span<const Displacement<D>> displacement, std::span<const AngMat<D>> inv_inertia, double h,
               double elapsed, double rest_gap, bool arms, bool held, const Parallel& parallel);
  // The gaps and slips at the end of h, exactly, at the poses that these velocities lead to: sets what the sweeps aim
  // at by them. Returns the greatest error: a penetration, a gap where there is an impulse, a slip where it sticks [m].
  // Gaps below rest_gap count as closed. bent: by body, whether what is linear in the velocities is not enough; empty:
  // for all of them.
  double predict(std::span<const Displacement<D>> displacement, std::span<const BodyVelocity<D>> velocity, double h,
                 double elapsed, double rest_gap, std::span<const std::uint8_t> bent, const Parallel& parallel);
  // By body: whose displacement predict() looks at for these `bent`.
  void find_concerned(std::span<const std::uint8_t> bent, std::span<std::uint8_t> out, const Parallel& parallel) const;
  // Whether no two points share a moving body.
  bool alone() const { return alone_; }
  // Applies the impulses that the points hold.
  void warm_start(std::span<BodyVelocity<D>> velocity, const Parallel& parallel);
  // Takes impulses back of islands that have gained energy by them, more than if all their bodies flew at `speed`
  // [m/s]: with `anew` all of them, so that velocities are those of the state again; otherwise as many as leave the
  // least energy. False if there is no such island. In energy_gains.cpp.
  bool take_gains_back(const Bodies<D>& bodies, const State<D>& state, double speed, bool anew,
                       std::span<BodyVelocity<D>> velocity, Scratch& room, const Parallel& parallel);
  // Which of the moving bodies, so many in all, hang together by contacts.
  Islands& islands(std::size_t bodies);
  // By body: whether its island was one of those.
  std::span<const std::uint8_t> taken_back() const { return taken_back_; }
  // Stops bodies that would get deeper than `far` times their radius within h into what cannot move. In last_stop.cpp.
  bool stop_flights(const Bodies<D>& bodies, double h, double far, std::span<BodyVelocity<D>> velocity);
  // What a small motion of the bodies does to gaps and slips.
  void follow(std::span<const SmallMotion<D>> motion, const Parallel& parallel);
  // The greatest penetration, as gaps are now [m].
  double deepest() const;
  // Impulses, slip and marks back into the records.
  void unpack(std::span<ContactRecord<D>> contacts, std::span<double> gap_now, const Parallel& parallel) const;
  // Impulses and marks into the records, slips as they were at the start: to be laid out anew within a step.
  void keep_in(std::span<ContactRecord<D>> contacts, const Parallel& parallel) const;
  // The contacts with a gap of at most `widest`, as they are now, with the impulses of this solve.
  void describe(std::span<const ContactRecord<D>> contacts, std::span<const Vec<D>> position, double widest,
                std::vector<SolvedContact<D>>& out) const;
  // Adds the impulses to what the records got in the step so far.
  void add_totals(std::span<ContactRecord<D>> contacts, const Parallel& parallel) const;
  std::size_t size() const { return groups_.size(); }
  std::size_t patch_count() const { return patches_.size(); }
  std::uint8_t points_of(std::size_t group) const { return layout_[group].points; }
  std::span<const ContactGroup<D>> groups() const { return groups_; }
  std::span<const PointLanes<D>> points() const { return points_; }
  std::span<PointLanes<D>> points() { return points_; }
  std::span<PointStart<D>> starts() { return starts_; }
  std::span<const PointStart<D>> starts() const { return starts_; }
  // 1 in the lanes of a row of points that hold one.
  Lane there(std::size_t row) const {
    Lane out;
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) out[lane] = points_[row].contact[lane] < 0 ? 0.0 : 1.0;
    return out;
  }
  // Groups of one colour share no moving body; those of the last one may, and then they are solved one by one.
  std::span<const std::size_t> colour_begin() const { return colour_begin_; }
  bool last_is_serial() const { return colouring_.last_is_serial(); }
  // The record of a group's k-th point in a lane; −1: none.
  std::int32_t contact(std::size_t group, std::size_t k, int lane) const {
    return points_[groups_[group].first_point + k].contact[lane];
  }
  // What is added to the tangential velocity of a row of points.
  LaneVec<D - 1> tangential_aim(const ContactGroup<D>& group, std::size_t row) const {
    const LaneVec<D - 1>& skin = rare_[group.rare].skin;
    return group.predicted ? skin + widened(starts_[row].aim) : skin;
  }
  PairInertia<D, Lane> inertia_of(const ContactGroup<D>& group) const;
  // Of the K of a row of points: nᵀKn, and the greatest eigenvalue of the tangential block.
  struct Response {
    double normal, slide;
  };
  Response response_of(const ContactGroup<D>& group, std::size_t row, int lane) const;
  // Normal first, then along the tangents.
  void set_impulse(std::size_t point, int lane, const Vec<D>& impulse, bool stuck);

 private:
  struct Patch {
    std::uint32_t first;
    std::uint16_t count;
    bool rare;  // has rare sides
  };
  struct IslandWork {
    double mass = 0;      // [kg]
    double push = 0;      // pᵀKp: twice the energy of what the impulses change by itself [J]
    double work = 0;      // of the impulses [J]
    bool driven = false;  // something pushes it that is moved by others, or its skin
  };
  struct Layout {                  // of a group
    const std::uint32_t* patches;  // its first, others follow
    std::uint32_t first_point, rare;
    std::uint8_t points, lanes;
  };
  void find_patches(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts, const Parallel& parallel);
  template <class Visit>
  void each_contact(const Parallel& parallel, Visit visit) const;
  static bool concerns(const ContactGroup<D>& g, std::span<const std::uint8_t> bent);
  template <class Visit>
  void each_patch(const Bodies<D>& bodies, Visit visit) const;
  void find_gains(const Bodies<D>& bodies, const State<D>& state, std::span<const BodyVelocity<D>> velocity,
                  Scratch& room, const Parallel& parallel);
  void add_driven_work(const Bodies<D>& bodies, const State<D>& state, std::span<const BodyVelocity<D>> velocity);
  void put(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts, std::span<const Vec<D>> position,
           ContactGroup<D>& group, int lane, const Patch& patch);

  std::vector<Patch> patches_;
  std::vector<ColouredEdge> edges_;
  std::vector<Layout> layout_;
  std::vector<std::size_t> patch_begin_;  // by range of contacts
  std::vector<double> ranges_;
  Islands islands_;
  bool islands_known_ = false;         // of these groups
  std::vector<std::uint32_t> driven_;  // bodies at which something pushes that is moved by others, or its skin
  std::span<IslandWork> island_work_;  // by the island's lowest body
  std::vector<std::uint8_t> taken_back_;
  Colouring colouring_;
  std::vector<ContactGroup<D>> groups_;
  std::vector<RareSides<D>> rare_;
  std::vector<std::uint32_t> at_fixed_;  // groups with a patch of which one body cannot move
  Scratch room_;
  std::span<PointLanes<D>> points_;
  std::vector<PointStart<D>> starts_;
  std::vector<std::size_t> colour_begin_;  // of the groups
  bool alone_ = false;
  PushOut push_out_;
  std::span<const AngMat<D>> inv_inertia_;  // by body, where the arms are
};

}  // namespace touchstone
