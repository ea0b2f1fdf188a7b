#pragma once
// The contacts that rest during a substep, wherever an integrator's stage has led the bodies.
#include <vector>

#include "models/contact_model.h"

namespace touchstone {

template <int D>
struct RestingContact {
  Contact<D> contact;  // at the state that was asked for last
  PairMaterial material;
  Vec<D> velocity = Vec<D>::Zero();  // of B relative to A there, with belts [m/s]
  Vec<D> bend = Vec<D>::Zero();      // its derivative without accelerations; along the normal that of the normal's rate
  std::uint32_t pair = 0;            // among Detector::pairs()
  Vec<D> force = Vec<D>::Zero();     // on B, of the last stage; a guess at first [N]
};

template <int D>
class StageContacts {
 public:
  void clear() { list_.clear(), pairs_.clear(); }
  // In the order of their keys.
  void add(const StepInput<D>& in, const Contact<D>& contact, const PairMaterial& material, const Vec<D>& force);
  // Their geometry and relative motion at a state near that of the search.
  void place(const StepInput<D>& in, const State<D>& state, double margin);
  std::span<RestingContact<D>> list() { return list_; }
  bool has(std::uint64_t key) const;

 private:
  void find(const StepInput<D>& in, const State<D>& state, double margin, std::vector<Contact<D>>& out);
  void set_motion(const StepInput<D>& in, const State<D>& state, RestingContact<D>& c) const;
  double difference_time(const StepInput<D>& in, const State<D>& state) const;

  std::vector<RestingContact<D>> list_;
  std::vector<std::uint32_t> pairs_;  // ascending
  std::vector<Contact<D>> found_, ahead_;
  State<D> advanced_;
};

}  // namespace touchstone
