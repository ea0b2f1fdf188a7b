#pragma once
// When the next collision of a substep happens.
#include <functional>
#include <span>
#include <vector>

#include "collision/toi/time_of_impact.h"
#include "models/contact_model.h"

namespace touchstone {

struct ImpactSearchOptions {
  double touching;  // a gap up to this one is closed [m]
  double margin;    // gaps beyond are not known [m]
  bool binary;      // halve the interval, as [thompson2003] does; otherwise by regula falsi
};

template <int D>
class ImpactSearch {
 public:
  explicit ImpactSearch(const ImpactSearchOptions& options) : options_(options) {}

  // A substep begins here; resting: sorted keys of contacts that constraints hold. The pairs are the detector's.
  void begin(const StepInput<D>& in, const State<D>& start, std::span<const Contact<D>> contacts,
             std::span<const std::uint64_t> resting);
  // The least gap of contacts that nothing holds, and of limits of joints, against what it was at the start where that
  // was below zero [m].
  double least_gap(const StepInput<D>& in, const State<D>& state);
  bool collides(double least_gap) const { return least_gap < -options_.touching; }
  // When a pair that is apart first touches if bodies go straight from the start to `end`; `duration` if none does. It
  // sees what has passed through something thin.
  double first_pass(const StepInput<D>& in, const State<D>& start, const State<D>& end, double duration) const;
  // A time at which the least gap is zero within `touching`, between 0, where it is not below zero, and `late`, where
  // it is. `gap_at`: takes the bodies there.
  double locate(double late, double late_gap, const std::function<double(double)>& gap_at) const;

 private:
  const ImpactSearchOptions options_;
  struct Start {
    std::uint64_t key;
    double gap;
  };
  std::vector<Start> pressed_;  // contacts below zero at the start
  std::vector<std::uint64_t> resting_;
  std::vector<std::uint32_t> pairs_;   // all
  std::vector<std::uint64_t> closed_;  // pairs that touch at the start: key >> 16
  std::vector<Contact<D>> found_;
};

}  // namespace touchstone
