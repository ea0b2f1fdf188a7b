#pragma once
// Room in lists that are filled anew in every step.
#include <cstddef>
#include <vector>

namespace touchstone {

// Room for n, and a sixteenth more if there was not enough: what is kept from step to step should not be twice what is
// needed, which is what a vector takes when it grows.
template <class T>
void make_room(std::vector<T>& list, std::size_t n) {
  if (n > list.capacity()) list.reserve(n + n / 16);
}

// As many as n, whatever they hold: who fills all of them anew need not have them cleared.
template <class T>
void size_to(std::vector<T>& list, std::size_t n) {
  if (n > list.capacity()) list.clear();  // nothing to copy
  make_room(list, n);
  list.resize(n);
}

// Adds a list to another, both in order: from the back, so that nothing is in the way and nothing more is needed.
template <class T, class Before>
void merge_into(std::vector<T>& list, const std::vector<T>& added, Before before) {
  std::size_t old = list.size(), more = added.size();
  make_room(list, old + more);
  list.resize(old + more);
  for (std::size_t to = list.size(); more > 0;) {
    const bool from_old = old > 0 && before(added[more - 1], list[old - 1]);
    list[--to] = from_old ? list[--old] : added[--more];
  }
}

}  // namespace touchstone
