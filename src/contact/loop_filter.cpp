#include "contact/loop_filter.h"

#include <algorithm>
#include <limits>

namespace touchstone {
namespace {

// ε. Passing a singular position in steps of an angle θ, a linkage has eigenvalues down to θ²; errors of a step of
// order θ³ that are asked to go make motion of order θ³/σ there. At 1e-6 a four-bar of 1 m at 2 ms was thrown off
// (B55).
constexpr double kRidge = 1e-4;

struct Side {
  std::uint32_t clique, jacobian;
};
std::array<Side, 2> sides_of(const RowBlock& b) { return {{{b.clique_a, b.jacobian_a}, {b.clique_b, b.jacobian_b}}}; }

// J_i·M⁻¹·J_jᵀ of two blocks on one clique, from the response of the second.
Eigen::Matrix3d coupling(const ContactProblem& p, const RowBlock& i, std::uint32_t at_i, const RowBlock& j,
                         const double* response, const Clique& c) {
  Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
  for (std::uint32_t r = 0; r < i.rows; ++r)
    for (std::uint32_t s = 0; s < j.rows; ++s)
      for (std::uint32_t k = 0; k < c.size; ++k)
        out(r, s) += p.jacobian[at_i + r * c.size + k] * response[s * c.size + k];
  return out;
}

}  // namespace

bool LoopFilter::find_order(const ContactProblem& p) {
  by_clique_.clear();
  for (std::uint32_t n = 0; n < nodes_.size(); ++n)
    for (const Side& s : sides_of(p.blocks[nodes_[n]]))
      if (s.clique != Clique::kNone) by_clique_.emplace_back(s.clique, n);
  std::sort(by_clique_.begin(), by_clique_.end());
  edges_.clear();
  for (std::size_t i = 0; i < by_clique_.size(); ++i)
    for (std::size_t j = i + 1; j < by_clique_.size() && by_clique_[j].first == by_clique_[i].first; ++j)
      if (by_clique_[i].second != by_clique_[j].second) edges_.emplace_back(by_clique_[i].second, by_clique_[j].second);
  if (edges_ == ordered_edges_ && nodes_.size() == ordered_nodes_) return true;
  ordered_edges_ = edges_;
  ordered_nodes_ = nodes_.size();
  return factor_.analyse(nodes_.size(), edges_, std::numeric_limits<double>::infinity());
}

void LoopFilter::add_blocks(const ContactProblem& p) {
  factor_.clear();
  ridge_.resize(nodes_.size());
  response_.resize(p.jacobian.size());
  for (std::size_t i = 0; i < by_clique_.size(); ++i) {
    const auto [clique, n] = by_clique_[i];
    const Clique& c = p.cliques[clique];
    const auto jacobian = [&](const RowBlock& b) { return b.clique_a == clique ? b.jacobian_a : b.jacobian_b; };
    const RowBlock& b = p.blocks[nodes_[n]];
    if (i == 0 || by_clique_[i - 1].first != clique) {
      for (std::size_t j = i; j < by_clique_.size() && by_clique_[j].first == clique; ++j) {
        const RowBlock& each = p.blocks[nodes_[by_clique_[j].second]];
        p.mass_of(c).respond(each.rows, &p.jacobian[jacobian(each)], &response_[jacobian(each)]);
      }
    }
    factor_.diagonal(n) += coupling(p, b, jacobian(b), b, &response_[jacobian(b)], c);
    for (std::size_t j = i + 1; j < by_clique_.size() && by_clique_[j].first == clique; ++j) {
      const RowBlock& other = p.blocks[nodes_[by_clique_[j].second]];
      factor_.add(n, by_clique_[j].second, coupling(p, b, jacobian(b), other, &response_[jacobian(other)], c));
    }
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Eigen::Matrix3d& d = factor_.diagonal(n);
    for (std::uint32_t r = 0; r < 3; ++r)
      if (r >= p.blocks[nodes_[n]].rows || !(d(r, r) > 0)) d(r, r) = 1;  // no such row, or between two that do not move
    ridge_[n] = kRidge * d.diagonal();
    d.diagonal() += ridge_[n];
  }
}

bool LoopFilter::load(const ContactProblem& p) {
  nodes_.clear();
  for (std::uint32_t i = 0; i < p.blocks.size(); ++i)
    if (p.blocks[i].kind == BlockKind::kEquality) nodes_.push_back(i);
  loops_ = joint_loops_.close(p, nodes_) && find_order(p);
  if (!loops_) return false;
  add_blocks(p);
  loops_ = factor_.factor();
  return loops_;
}

// A·(A + ε·D)⁻¹·x = x − ε·D·(A + ε·D)⁻¹·x.
void LoopFilter::apply(const ContactProblem& p, std::span<double> x) {
  if (!loops_) return;
  x_.assign(nodes_.size(), Eigen::Vector3d::Zero());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const RowBlock& b = p.blocks[nodes_[n]];
    for (std::uint32_t r = 0; r < b.rows; ++r) x_[n][r] = x[b.first_row + r];
  }
  factor_.solve(x_);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const RowBlock& b = p.blocks[nodes_[n]];
    for (std::uint32_t r = 0; r < b.rows; ++r) x[b.first_row + r] -= ridge_[n][r] * x_[n][r];
  }
}

}  // namespace touchstone
