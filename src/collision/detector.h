#pragma once
// The collision service that contact models see: which pairs may touch over a step, and where they touch now.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "collision/broad/broad_phase.h"
#include "collision/carry.h"
#include "collision/collider.h"
#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// How near two bodies must be to be looked at: `base`, and how far they may come towards each other within h, unless
// `alone` also if one of them is stopped by a third. Radius: of a body about its centre of mass, for what turning
// moves.
template <int D>
struct PairMargin {
  double base = 0, h = 0;
  std::span<const Vec<D>> velocity;
  std::span<const AngVec<D>> angular_velocity;
  std::span<const double> radius;
  bool alone = false;
  double of(std::uint32_t a, std::uint32_t b) const {
    if (h == 0) return base;
    const Vec<D>&u = velocity[a], &v = velocity[b];
    const double relative = (v - u).squaredNorm();
    const double fastest = std::sqrt(alone ? relative : std::max({relative, u.squaredNorm(), v.squaredNorm()}));
    return base + h * (fastest + angular_velocity[a].norm() * radius[a] + angular_velocity[b].norm() * radius[b]);
  }
};

template <int D>
class Detector {
 public:
  void configure(const CollisionDescription& description);
  ColliderTable<D>& colliders() { return colliders_; }
  const ColliderTable<D>& colliders() const { return colliders_; }
  IgnoredPairs& ignored_pairs() { return ignored_; }
  const IgnoredPairs& ignored_pairs() const { return ignored_; }

  // Broad phase: pairs whose bounds, grown by each body's `reach` (how far any of its points may move), overlap. With
  // `displacement`, bounds are swept along it first: a body that flies straight meets what lies on its way, no more.
  void find_pairs(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                  std::span<const double> reach, const Parallel& parallel, std::span<const Vec<D>> displacement = {});
  // Narrow phase over those pairs at the given poses: contacts with gap <= margin, ordered by key. With `reuse` > 0 [m]
  // a pair is searched again only once a point of one shape has moved by more than that against the other; until then
  // its contact points are carried along (collision/carry.h).
  void find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation, double margin,
                     const Parallel& parallel, std::vector<Contact<D>>& contacts, double reuse = 0);
  void find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                     const PairMargin<D>& margin, const Parallel& parallel, std::vector<Contact<D>>& contacts,
                     double reuse = 0);
  // The same where the pairs were looked for. The contacts stay where they are found, in parts that are in order: until
  // the next search.
  void find_parts(const PairMargin<D>& margin, const Parallel& parallel, double reuse);
  std::size_t part_count() const { return part_count_; }
  std::span<const Contact<D>> part(std::size_t i) const { return parts_[i].contacts; }
  std::span<const ColliderPair> pairs() const { return pairs_; }
  // How far the shapes of a pair were apart at least when contacts were last looked for [m]; 0: not known.
  double least_gap(std::size_t pair) const {
    if (pair >= carried_.pairs.size() || carried_.pairs[pair].count > 0) return 0;
    return std::max(0.0, static_cast<double>(carried_.pairs[pair].margin) - carried_.tolerance);
  }
  // Of the bodies, where pairs and contacts were last looked for.
  std::span<const Vec<D>> positions() const { return placed_position_; }
  std::span<const Mat<D>> rotations() const { return rotation_; }
  // Some of those pairs (places among pairs(), ascending) at other poses: contacts with gap <= margin. What pairs
  // remember, and the poses that find_contacts() knows, stay as they are.
  void look_at(std::span<const std::uint32_t> some, std::span<const Vec<D>> position,
               std::span<const Rotation<D>> orientation, double margin, std::vector<Contact<D>>& contacts);

  // Pairs that find_pairs() has not found, and would have if these bodies moved and reached otherwise: who has been
  // knocked goes elsewhere. Contacts of some pairs at other poses: with gap <= margin; nothing is remembered.
  void find_pairs_beyond(std::span<const std::uint32_t> bodies, std::span<const Vec<D>> displacement,
                         std::span<const double> reach, const Parallel& parallel, std::vector<ColliderPair>& out);
  void look_at(std::span<const ColliderPair> some, std::span<const Vec<D>> position,
               std::span<const Rotation<D>> orientation, double margin, std::vector<Contact<D>>& contacts);

  // The nearest points of two colliders where contacts were last looked for. False if they are farther apart than the
  // margin.
  bool find_nearest(std::uint32_t a, std::uint32_t b, double margin, Contact<D>& out) const;

  // What pairs remember of each other decides between equally good answers: it belongs to the state of a world. A step
  // that fails goes back to what was kept; a collider that goes takes its memory with it.
  void keep_memory();
  void restore_memory();
  void forget(std::uint32_t collider);
  void serialize(Archive& ar);

 private:
  struct Known {
    std::uint32_t a = 0, b = 0;
    PairMemory memory;
    void serialize(Archive& ar) { ar(a), ar(b), ar(memory); }
  };
  struct Part {
    std::vector<Contact<D>> contacts;
    ContactPoints<D> points;                // of a pair
    std::vector<Anchor<D>> fresh, anchors;  // of a pair that was searched again; of all, where there are several parts
  };
  void carry_memory();
  void prepare_carrying(double reuse);
  template <class Anchors>
  void find_points(std::size_t pair, const PairMargin<D>& margins, Part& part, Anchors& anchors);
  void add_contacts(const ColliderPair& pair, const ContactPoints<D>& points, std::vector<Contact<D>>& out) const;
  template <class Anchors>
  void search(std::size_t begin, std::size_t end, const PairMargin<D>& margin, Part& part, Anchors&& anchors);
  void join_anchors(const Parallel& parallel);
  void look_at_pair(const ColliderPair& pair, std::span<const Vec<D>> position,
                    std::span<const Rotation<D>> orientation, double margin, PairMemory memory,
                    std::vector<Contact<D>>& contacts);
  void set_bounds(std::uint32_t collider, std::span<const double> reach, std::span<const Vec<D>> displacement);
  // A collider where contacts are looked for.
  Placed<D> placed(std::uint32_t collider) const {
    const Collider<D>& c = colliders_[collider];
    const Mat<D>& R = rotation_[c.body];
    if (c.centred) return {c.shape(), placed_position_[c.body], R};
    return {c.shape(), placed_position_[c.body] + R * c.p_local(), R * c.R_local()};
  }
  void place_bodies(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                    const Parallel& parallel);

  ColliderTable<D> colliders_;
  IgnoredPairs ignored_;
  std::unique_ptr<BroadPhase<D>> broad_ = make_broad_phase<D>(BroadPhaseKind::kBvh);
  NarrowPhaseKind narrow_ = NarrowPhaseKind::kAuto;
  std::vector<Mat<D>> rotation_;         // of the bodies
  std::vector<Vec<D>> placed_position_;  // of the bodies
  std::vector<Bounds<D>> bounds_;
  std::vector<ColliderPair> pairs_, beyond_;
  std::vector<std::uint8_t> moved_on_;              // by body
  std::vector<Known> known_, kept_;                 // one a pair, in their order
  CarriedPoints<D> carried_, kept_carried_;         // empty unless points are re-used
  bool kept_pairs_ = false, kept_anchors_ = false;  // changed since keep_memory(): what was then is in kept_...
  std::vector<Part> parts_;
  std::size_t part_count_ = 0;  // in use
  std::vector<std::size_t> part_begin_;
};

}  // namespace touchstone
