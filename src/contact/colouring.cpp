#include "contact/colouring.h"

#include <algorithm>
#include <bit>

namespace touchstone {
namespace {

constexpr std::uint8_t kNone = 64;

}  // namespace

void Colouring::colour(std::span<const ColouredEdge> edges, std::size_t bodies) {
  taken_.assign(bodies, 0);
  colour_.resize(edges.size());
  std::size_t count[kNone + 1] = {};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const ColouredEdge& e = edges[i];
    const std::uint64_t taken = (e.moves_a ? taken_[e.a] : 0) | (e.moves_b ? taken_[e.b] : 0);
    const int free = std::countr_one(taken);
    colour_[i] = static_cast<std::uint8_t>(free);  // kNone if all are taken
    ++count[free];
    if (free == kNone) continue;
    if (e.moves_a) taken_[e.a] |= std::uint64_t{1} << free;
    if (e.moves_b) taken_[e.b] |= std::uint64_t{1} << free;
  }
  begin_.assign(1, 0);
  for (std::size_t c = 0; c <= kNone && (count[c] > 0 || c < kNone); ++c)
    if (count[c] > 0) begin_.push_back(begin_.back() + count[c]);
  serial_ = count[kNone] > 0;
  order_.resize(edges.size());
  // Greedy colours have no holes: the first `colours` numbers are used, and kNone at the end.
  std::size_t place[kNone + 1] = {};
  for (std::size_t c = 0, at = 0; c <= kNone; ++c) place[c] = at, at += count[c];
  for (std::size_t i = 0; i < edges.size(); ++i) order_[place[colour_[i]]++] = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c + 1 < begin_.size(); ++c)
    std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(begin_[c]),
                     order_.begin() + static_cast<std::ptrdiff_t>(begin_[c + 1]),
                     [&](std::uint32_t x, std::uint32_t y) { return edges[x].weight > edges[y].weight; });
}

}  // namespace touchstone
