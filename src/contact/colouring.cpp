#include "contact/colouring.h"

#include <algorithm>
#include <bit>
#include <utility>

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
  // Greedy colours have no holes: the first ones are used, and kNone at the end. Within a colour edges are counted into
  // places by weight, which keeps their order and needs no memory.
  order_.resize(edges.size());
  heaviest_ = 0;
  for (const ColouredEdge& e : edges) heaviest_ = std::max<std::size_t>(heaviest_, e.weight);
  place_.assign((kNone + 1) * (heaviest_ + 1), 0);
  const auto bucket = [&](std::size_t i) { return colour_[i] * (heaviest_ + 1) + (heaviest_ - edges[i].weight); };
  for (std::size_t i = 0; i < edges.size(); ++i) ++place_[bucket(i)];
  std::size_t at = 0;
  for (std::size_t& p : place_) at += std::exchange(p, at);
  for (std::size_t i = 0; i < edges.size(); ++i) order_[place_[bucket(i)]++] = static_cast<std::uint32_t>(i);
}

}  // namespace touchstone
