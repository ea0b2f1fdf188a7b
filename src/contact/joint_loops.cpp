#include "contact/joint_loops.h"

namespace touchstone {

bool JointLoops::close(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  const auto ground = static_cast<std::uint32_t>(p.cliques.size());
  parent_.resize(ground + 1);
  for (std::uint32_t i = 0; i <= ground; ++i) parent_[i] = i;
  const auto root = [&](std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  };
  bool found = false;
  const RowBlock* last = nullptr;
  for (const std::uint32_t n : blocks) {
    const RowBlock& b = p.blocks[n];
    const bool same_joint = last && last->key >> 8 == b.key >> 8;
    last = &b;
    if (same_joint) continue;
    const std::uint32_t x = root(b.clique_a == Clique::kNone ? ground : b.clique_a),
                        y = root(b.clique_b == Clique::kNone ? ground : b.clique_b);
    found |= x == y;
    parent_[x] = y;
  }
  return found;
}

}  // namespace touchstone
