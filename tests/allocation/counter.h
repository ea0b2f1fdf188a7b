#pragma once
// Linking counter.cpp replaces operator new of the whole program by one that can count.

namespace touchstone::testing {

// Counts every call of operator new, by any thread, while it lives. One at a time.
class CountAllocations {
 public:
  CountAllocations();
  ~CountAllocations();
  CountAllocations(const CountAllocations&) = delete;
  CountAllocations& operator=(const CountAllocations&) = delete;
  long count() const;
};

}  // namespace touchstone::testing
