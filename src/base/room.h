#pragma once
// Room in lists that are filled anew in every step.
#include <cstddef>
#include <vector>

namespace touchstone {

// Room for n, and an eighth more if there was not enough: what is kept from step to step should not be twice what is
// needed, which is what a vector takes when it grows.
template <class T>
void make_room(std::vector<T>& list, std::size_t n) {
  if (n > list.capacity()) list.reserve(n + n / 8);
}

// As many as n, whatever they hold: who fills all of them anew need not have them cleared.
template <class T>
void size_to(std::vector<T>& list, std::size_t n) {
  if (n > list.capacity()) list.clear();  // nothing to copy
  make_room(list, n);
  list.resize(n);
}

}  // namespace touchstone
