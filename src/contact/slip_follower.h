#pragma once
// Slip that contacts gather while the laws say that they stick: errors of each step that add up over a run, where no
// single step looks wrong.
#include <vector>

#include "base/archive.h"
#include "contact/solve_view.h"

namespace touchstone {

// A contact sticks if it pushes and its friction is below this part of Coulomb's limit.
inline constexpr double kSticks = 0.999;

template <int D>
class SlipFollower {
 public:
  struct Slip {
    std::uint32_t body_a = 0, body_b = 0;
    double length = 0;  // gathered since it began to stick [m]
  };
  // After each solve that is no impact. Returns the contacts that stuck since the solve before, in the order of their
  // keys; valid until the next call.
  std::span<const Slip> follow(const SolveView<D>& view);
  void forget() { followed_.clear(); }
  void serialize(Archive& ar) { ar(followed_); }

 private:
  struct Followed {
    std::uint64_t key = 0;
    bool sticks = false;
    Vec<D> point = Vec<D>::Zero(), normal = Vec<D>::Zero();
    Vec<D> skin = Vec<D>::Zero();  // way of B's skin relative to A's in the solve [m]
    Vec<D> position_a = Vec<D>::Zero(), position_b = Vec<D>::Zero();
    Rotation<D> rotation_a = identity_rotation<D>(), rotation_b = identity_rotation<D>();
    Vec<D> slip = Vec<D>::Zero();  // gathered, world axes [m]
    void serialize(Archive& ar) {
      ar(key), ar(sticks), ar(point), ar(normal), ar(skin), ar(position_a), ar(position_b), ar(rotation_a);
      ar(rotation_b), ar(slip);
    }
  };
  static Followed seen(const SolveView<D>& view, const SolvedContact<D>& contact);
  static void add_way(const SolveView<D>& view, const SolvedContact<D>& contact, const Followed& before, Followed& now);

  std::vector<Followed> followed_, next_;  // by key
  std::vector<Slip> slips_;
};

}  // namespace touchstone
