#pragma once
// Linking counter.cpp replaces operator new and malloc of the whole program by ones that can count.

namespace touchstone::testing {

// Counts every call of operator new, by any thread, while it lives. One at a time.
class CountAllocations {
 public:
  CountAllocations();
  ~CountAllocations();
  CountAllocations(const CountAllocations&) = delete;
  CountAllocations& operator=(const CountAllocations&) = delete;
  long count() const;
  // Every call of malloc, those of operator new and of Eigen's matrices included. Under sanitizers always 0: they have
  // a malloc of their own.
  long blocks() const;
};

}  // namespace touchstone::testing
