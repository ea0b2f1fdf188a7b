#pragma once
// Which moving bodies hang together by constraints. Islands are numbered by their lowest body.
#include <cstdint>
#include <numeric>
#include <vector>

namespace touchstone {

class Islands {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  void reset(std::size_t bodies) {
    parent_.resize(bodies);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }
  // The lowest body that hangs together with this one.
  std::uint32_t root(std::uint32_t body) {
    while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
    return body;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace touchstone
