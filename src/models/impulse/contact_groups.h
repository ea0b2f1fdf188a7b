#pragma once
// Contacts packed for the solver: up to four points of one pair of bodies with one normal make a patch, patches are
// coloured, and four patches of a colour lie side by side in SIMD lanes.
#include <span>
#include <vector>

#include "contact/colouring.h"
#include "math/lane_vectors.h"
#include "models/impulse/contact_record.h"

namespace touchstone {

// Velocities as the solver holds them: one cache line a body in 3D, turned into lanes four bodies at a time.
template <int D>
struct BodyVelocity;
template <>
struct BodyVelocity<3> {
  Lane v, w;  // x, y, z, unused
};
template <>
struct BodyVelocity<2> {
  Lane v;  // x, y, ω, unused
};

inline void set_velocity(BodyVelocity<3>& out, const Vec<3>& v, const Vec<3>& w) {
  out = {Lane{v[0], v[1], v[2], 0}, Lane{w[0], w[1], w[2], 0}};
}
inline void set_velocity(BodyVelocity<2>& out, const Vec<2>& v, const AngVec<2>& w) {
  out = {Lane{v[0], v[1], w[0], 0}};
}
inline void get_velocity(const BodyVelocity<3>& in, Vec<3>& v, Vec<3>& w) {
  v = Vec<3>(in.v[0], in.v[1], in.v[2]), w = Vec<3>(in.w[0], in.w[1], in.w[2]);
}
inline void get_velocity(const BodyVelocity<2>& in, Vec<2>& v, AngVec<2>& w) {
  v = Vec<2>(in.v[0], in.v[1]), w[0] = in.v[2];
}

// What the points of four patches share.
template <int D>
struct ContactGroup {
  LaneVec<D> n, t;  // normal and first tangent; the second is n × t
  Lane inv_mass_a, inv_mass_b;
  LaneSym<kAngular<D>> inv_inertia_a, inv_inertia_b;  // in the world
  Lane static_friction, dynamic_friction;
  LaneVec<D - 1> skin;      // along the tangents
  Lane weight_a;            // how far the point is A's: 1/2, or 0 or 1 if only one side is smooth
  Lane radius_a, radius_b;  // of smooth sides, from the centre of curvature
  std::uint32_t a[kLanes], b[kLanes];
  std::uint8_t moves_a, moves_b, smooth_a, smooth_b;  // one bit a lane
  std::uint8_t points, lanes;
  std::uint32_t first_point;
};

// Four points side by side: what a sweep reads.
template <int D>
struct PointLanes {
  LaneVec<D> arm_a, arm_b;
  Lane bias;                              // an open gap over h [m/s]
  Lane k_normal, inv_k;                   // nᵀKn and its inverse
  LaneVec<D - 1> k_couple;                // tᵀKn
  LaneVec<D == 3 ? 3 : 1> inv_k_tangent;  // of the 2×2 tangential block: 11, 22, 12
  Lane k_slide;                           // its greatest eigenvalue
  Lane normal;                            // impulses
  LaneVec<D - 1> tangent;
  Lane stuck;                    // 1 or 0
  LaneVec<D> change, direction;  // of the impulses: by the last sweep, and where the sweeps before it went
};

// The same points: what is looked at once a substep.
template <int D>
struct PointStart {
  LaneVec<D> arm_a, arm_b;  // at the start of the step
  Lane gap;
  LaneVec<D - 1> slip;  // at the start
  LaneVec<D - 1> slip_now;
  Lane gap_now;
  LaneVec<D - 1>
      aim;  // by how much the mean slip over h differs from what the arms of the points say, if predicted [m/s]
  LaneVec<D> total;
  std::int32_t contact[kLanes];  // in the list; −1: none
};

// The correction of positions: how far a point may be pushed, and what has been [m·kg].
template <int D>
struct PointShift {
  Lane wanted;  // gap with what is allowed and the limit taken off
  LaneVec<D - 1> slip;
  Lane normal;
  LaneVec<D - 1> tangent;
};

// Normal, then tangents, as columns.
Mat<2> contact_axes(const ContactGroup<2>& group, int lane);
Mat<3> contact_axes(const ContactGroup<3>& group, int lane);

template <int D>
class ContactGroups {
 public:
  // Friction grows with the slip, up to about this speed [m/s]; 0: Coulomb's law.
  void set_slip_speed(double speed) { slip_speed_ = speed; }
  // Lays out the contacts, which are in order of their keys. The last of `velocity` is nobody's: empty lanes use it.
  void pack(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts);
  // Gaps and slips at the displaced poses, and with `masses` arms and masses. Gaps below rest_gap count as closed.
  // held: an open gap may close within h; otherwise only closed contacts take part.
  void prepare(std::span<const Displacement<D>> displacement, std::span<const AngMat<D>> inv_inertia, double h,
               double elapsed, double rest_gap, bool masses, bool held, const Parallel& parallel);
  // The gaps and slips at the end of h, exactly, at the poses that these velocities lead to: sets what the sweeps aim
  // at by them. Returns the greatest error: a penetration, a gap where there is an impulse, a slip where it sticks [m].
  double predict(std::span<const Displacement<D>> displacement, std::span<const BodyVelocity<D>> velocity, double h,
                 double elapsed);
  // Applies the impulses that the points hold.
  void warm_start(std::span<BodyVelocity<D>> velocity, const Parallel& parallel);
  // One sweep over all contacts. Returns the greatest change of a relative velocity at a contact [m/s].
  double sweep(std::span<BodyVelocity<D>> velocity, const Parallel& parallel);
  // Whether no two points share a moving body; if so, how far the last sweep left them from their laws [m/s].
  bool alone() const { return alone_ && slip_speed_ == 0; }
  double left_alone() const;
  // Σ K·(change of impulse by the last sweep)² [J].
  double change_energy() const;
  // impulses += factor·direction; direction = factor·direction + change.
  void extrapolate(double factor, const Parallel& parallel);
  // Moves bodies apart that penetrate, and back what has slipped although it sticks, at the prepared poses: `shift` is
  // by how much (no velocity is changed). Penetrations above `allowed` count; none is pushed out by more than `most`.
  // Returns the number of sweeps, 0 if there is nothing to do.
  std::int64_t correct(double allowed, double most, std::int64_t max_sweeps, std::span<BodyVelocity<D>> shift,
                       const Parallel& parallel);
  // What the shift does to gaps and slips.
  void settle(std::span<const BodyVelocity<D>> shift);
  // Impulses, slip and marks back into the records.
  void unpack(std::span<ContactRecord<D>> contacts, std::span<double> gap_now) const;
  // The contacts with a gap of at most `widest`, as they are now, with the impulses of this solve.
  void describe(std::span<const ContactRecord<D>> contacts, std::span<const Vec<D>> position, double widest,
                std::vector<SolvedContact<D>>& out) const;
  void add_totals();
  std::size_t size() const { return groups_.size(); }
  std::span<const ContactGroup<D>> groups() const { return groups_; }
  std::span<const PointLanes<D>> points() const { return points_; }
  // The record of a group's k-th point in a lane; −1: none.
  std::int32_t contact(std::size_t group, std::size_t k, int lane) const {
    return starts_[groups_[group].first_point + k].contact[lane];
  }
  // What is added to the tangential velocity of a point.
  Vec<D - 1> tangential_aim(std::size_t group, std::size_t point, int lane) const {
    const Vec<D - 1> skin = get_lane(groups_[group].skin, lane);
    return predicted_ ? Vec<D - 1>(skin + get_lane(starts_[point].aim, lane)) : skin;
  }
  // Normal first, then along the tangents.
  void set_impulse(std::size_t point, int lane, const Vec<D>& impulse, bool stuck);

 private:
  struct Patch {
    std::uint32_t first, count;
  };
  void put(const Bodies<D>& bodies, std::span<const ContactRecord<D>> contacts, ContactGroup<D>& group, int lane,
           const Patch& patch);
  double sweep_range(std::size_t begin, std::size_t end, std::span<BodyVelocity<D>> velocity);

  std::vector<Patch> patches_;
  std::vector<ColouredEdge> edges_;
  Colouring colouring_;
  std::vector<ContactGroup<D>> groups_;
  std::vector<PointLanes<D>> points_;
  std::vector<PointStart<D>> starts_;
  std::vector<PointShift<D>> shifts_;
  std::vector<std::uint8_t> shifted_;      // by group: whether the correction looks at it
  std::vector<std::size_t> colour_begin_;  // of the groups
  std::vector<double> greatest_;           // by range
  bool alone_ = false, predicted_ = false;
  double slip_speed_ = 0;
};

}  // namespace touchstone
