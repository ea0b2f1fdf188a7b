#pragma once
// One value for each of many things, of which most are the same: as long as all are, it is kept once.
#include <cstddef>
#include <cstring>
#include <vector>

namespace touchstone {

// T is a number, or a few of them without anything in between: values are the same if their bytes are.
template <class T>
class Column {
 public:
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t i) const { return values_[shared_ ? 0 : i]; }
  bool all_are(const T& value) const { return size_ == 0 || (shared_ && same(values_[0], value)); }
  void set(std::size_t i, const T& value) {
    if (shared_ && same(values_[0], value)) return;
    if (shared_) spread();
    values_[i] = value;
  }
  // Those that are added get this value.
  void resize(std::size_t n, const T& value) {
    if (size_ == 0) shared_ = true, values_.assign(1, value);
    if (n > size_ && shared_ && !same(values_[0], value)) spread();
    size_ = n;
    if (!shared_) values_.resize(n, value);
  }

 private:
  static bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }
  void spread() {
    const T value = values_[0];
    values_.assign(size_, value);
    shared_ = false;
  }
  std::vector<T> values_;
  std::size_t size_ = 0;
  bool shared_ = true;
};

}  // namespace touchstone
