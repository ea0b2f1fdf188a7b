#pragma once
// Which constraints may be solved side by side: those of one colour share no body that moves. Greedy, in the order
// given, so that the colours depend on nothing else.
#include <cstdint>
#include <span>
#include <vector>

namespace touchstone {

struct ColouredEdge {
  std::uint32_t a = 0, b = 0;  // bodies
  bool moves_a = false, moves_b = false;
  std::uint16_t weight = 0;  // edges of one colour are ordered by it, heaviest first: equal work lies side by side
};

class Colouring {
 public:
  // The last range holds edges that found no colour: they may share bodies and are solved one by one.
  void colour(std::span<const ColouredEdge> edges, std::size_t bodies);
  std::size_t colours() const { return begin_.size() - 1; }
  std::span<const std::uint32_t> edges_of(std::size_t colour) const {
    return std::span(order_).subspan(begin_[colour], begin_[colour + 1] - begin_[colour]);
  }
  bool last_is_serial() const { return serial_; }

 private:
  std::vector<std::uint64_t> taken_;  // by body: the colours that its edges have
  std::vector<std::uint8_t> colour_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> begin_, place_;
  std::size_t heaviest_ = 0;
  bool serial_ = false;
};

}  // namespace touchstone
