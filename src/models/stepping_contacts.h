#pragma once
// The contacts of a step of a velocity-level model: found by the detector, with the impulses of the last step as a
// guess by key.
#include <span>
#include <vector>

#include "models/contact_model.h"

namespace touchstone {

template <int D>
class SteppingContacts {
 public:
  // Contacts that bodies may make within in.h, from here with these velocities.
  void find(const StepInput<D>& in, const State<D>& state, double margin);
  std::span<SolvedContact<D>> list() { return list_; }
  // Keeps the impulses of the list for the next step.
  void remember(double h);

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
    void serialize(Archive& ar) { ar(key), ar(body_a), ar(body_b), ar(force); }
  };
  std::vector<Contact<D>> found_;
  std::vector<SolvedContact<D>> list_;
  std::vector<double> reach_;
  std::vector<Vec<D>> displacement_;
  std::vector<Memory> memory_, kept_;
};

}  // namespace touchstone
