#pragma once
// Room in lists that are filled anew in every step.
#include <algorithm>
#include <cstddef>
#include <span>
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

// A list that is written anew in its own room, in order, from what it holds: what may still be read stands at the back,
// and makes way where what is written comes up to it.
template <class T>
class Rewriting {
 public:
  explicit Rewriting(std::vector<T>& list) : list_(list), old_size_(list.size()) {
    list_.resize(list_.capacity());
    shift_ = list_.size() - old_size_;
    if (shift_ > 0)
      std::move_backward(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(old_size_), list_.end());
  }
  std::size_t size() const { return size_; }  // so far
  std::size_t old_size() const { return old_size_; }
  // Some of those that were there; valid until the next is added.
  std::span<const T> old(std::size_t first, std::size_t count) const { return {list_.data() + shift_ + first, count}; }
  // Of those that were there the first n are not needed any more.
  void release(std::size_t n) { released_ = std::max(released_, n); }
  void add(T value) {
    if (size_ == shift_ + released_) make_way();
    list_[size_++] = std::move(value);
  }
  void finish() { list_.resize(size_); }

 private:
  void make_way() {
    const std::size_t more = list_.size() / 16 + 16, unread = old_size_ - released_;
    list_.reserve(list_.size() + more);
    list_.resize(list_.size() + more);
    std::move_backward(list_.end() - static_cast<std::ptrdiff_t>(more + unread),
                       list_.end() - static_cast<std::ptrdiff_t>(more), list_.end());
    shift_ += more;
  }
  std::vector<T>& list_;
  std::size_t old_size_, shift_ = 0, released_ = 0, size_ = 0;
};

}  // namespace touchstone
