#pragma once
// In which order the nodes of a graph are eliminated, and which blocks a factorisation in that order has. By minimum
// degree, ties by number, so that the result depends on the graph alone. Nothing is allocated once the largest graph
// has been seen.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace touchstone {

class EliminationOrder {
 public:
  // Nodes 0..n−1 and the pairs of them that have a block. Gives up, and returns false, as soon as the work of a
  // symmetric factorisation exceeds `most` products of blocks.
  bool analyse(std::size_t n, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges, double most);
  double products() const { return products_; }

  std::size_t size() const { return order_.size(); }
  std::size_t blocks() const { return rows_.size(); }  // beside the diagonal, on one side of it
  std::size_t node(std::size_t column) const { return order_[column]; }
  std::size_t place(std::size_t node) const { return place_[node]; }  // the column of a node
  std::size_t begin(std::size_t column) const { return begin_[column]; }
  std::size_t end(std::size_t column) const { return begin_[column + 1]; }
  std::size_t row(std::size_t slot) const { return rows_[slot]; }
  // Where the block of a row below the diagonal of a column is; it must be there.
  std::size_t slot(std::size_t column, std::size_t row) const {
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[column]),
               last = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[column + 1]);
    return static_cast<std::size_t>(std::lower_bound(first, last, static_cast<std::uint32_t>(row)) - rows_.begin());
  }

 private:
  std::vector<std::uint32_t> order_, place_;           // node of a column, column of a node
  std::vector<std::vector<std::uint32_t>> near_;       // while eliminating: neighbours, by node
  std::vector<std::vector<std::uint32_t>> structure_;  // rows below the diagonal, by column, as nodes
  std::vector<std::uint8_t> gone_;
  std::vector<std::size_t> begin_;  // of a column in rows_
  std::vector<std::uint32_t> rows_, merged_;
  double products_ = 0;
};

inline bool EliminationOrder::analyse(std::size_t n, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                                      double most) {
  if (near_.size() < n) near_.resize(n), structure_.resize(n);
  for (std::size_t i = 0; i < n; ++i) near_[i].clear();
  for (const auto& [a, b] : edges) near_[a].push_back(b), near_[b].push_back(a);
  for (std::size_t i = 0; i < n; ++i) {
    std::sort(near_[i].begin(), near_[i].end());
    near_[i].erase(std::unique(near_[i].begin(), near_[i].end()), near_[i].end());
  }
  order_.resize(n), place_.resize(n), gone_.assign(n, 0);
  products_ = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!gone_[i] && (best == n || near_[i].size() < near_[best].size())) best = i;
    order_[k] = static_cast<std::uint32_t>(best), place_[best] = static_cast<std::uint32_t>(k), gone_[best] = 1;
    structure_[k] = near_[best];
    const double degree = static_cast<double>(near_[best].size());
    products_ += 1 + degree + 0.5 * degree * (degree + 1);
    if (products_ > most) return false;
    for (const std::uint32_t i : structure_[k]) {  // its neighbours become neighbours of each other
      merged_.clear();
      std::set_union(near_[i].begin(), near_[i].end(), structure_[k].begin(), structure_[k].end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](std::uint32_t j) { return j == i || j == best; });
      near_[i].swap(merged_);
    }
  }
  begin_.assign(1, 0);
  rows_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    for (const std::uint32_t i : structure_[k]) rows_.push_back(place_[i]);
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(begin_[k]), rows_.end());
    begin_.push_back(rows_.size());
  }
  return true;
}

}  // namespace touchstone
