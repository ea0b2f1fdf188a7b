#pragma once
// The contacts of a step of a velocity-level model: found by the detector, with the impulses of the last step as a
// guess by key, and with the slip that a sticking contact has gathered. Without it a body that swings in a grip would
// slip by h·ω²·r/2 in a second: velocities are zero at the point as it is at the start of the step, while the point
// goes round an arc.
#include <span>
#include <vector>

#include "models/contact_model.h"

namespace touchstone {

template <int D>
class SteppingContacts {
 public:
  // Contacts that bodies may make within in.h, from here with these velocities; a model may put others in their place,
  // in the order of their keys.
  std::vector<Contact<D>>& search(const StepInput<D>& in, const State<D>& state, double margin);
  // The list of those. Those that have slipped by more than `slop` while they stuck are asked to come back, with
  // push_speed at most.
  void recognise(const StepInput<D>& in, double push_speed, double slop);
  std::span<SolvedContact<D>> list() { return list_; }
  // Keeps for the next step the impulses of the list and where contacts were for which sticking[i].
  void remember(double h, std::span<const std::uint8_t> sticking);

  void keep_memory() { kept_ = memory_; }
  void restore_memory() { memory_ = kept_; }
  void forget(std::uint32_t body) {
    std::erase_if(memory_, [body](const Memory& m) { return m.body_a == body || m.body_b == body; });
  }
  void serialize(Archive& ar) { ar(memory_); }

 private:
  struct Memory {
    std::uint64_t key = 0;
    std::uint32_t body_a = 0, body_b = 0;
    Vec<D> force = Vec<D>::Zero();  // the mean over the last step [N]
    Vec<D> slip = Vec<D>::Zero();   // of B against A since it sticks, at the start of the last step [m]
    bool sticking = false;
    Vec<D> point = Vec<D>::Zero();  // of contact, then
    Pose<D> a, b;                   // of the bodies, then
    void serialize(Archive& ar) {
      ar(key), ar(body_a), ar(body_b), ar(force), ar(slip), ar(sticking), ar(point);
      ar(a.p), ar(a.R), ar(b.p), ar(b.R);
    }
  };
  Vec<D> slip_since(const Memory& m, const Contact<D>& c) const;
  std::vector<Contact<D>> found_;
  std::vector<SolvedContact<D>> list_;
  std::vector<Vec<D>> slips_;  // one a contact of the list, at the start of the step [m]
  State<D> start_;
  std::vector<double> reach_;
  std::vector<Vec<D>> displacement_;
  std::vector<Memory> memory_, kept_;
};

}  // namespace touchstone
