// Purpose: levels of bodies above what does not move, and the pairs of points in that order.
// Source: [guendelman2003, §8.1]: the contact graph.
// Letters: docs/conventions.md.
// Deviations: (1) B lies on A if the normal rises; the source lets each body fall a little and sees what it meets.
//   (2) Levels are by the shortest way down instead of a topological sort: loops need no merging.
// Fails: never.
#include "models/pairwise/support_levels.h"

#include <algorithm>

namespace touchstone {
namespace {

constexpr double kSteep = 0.3;  // of a normal along `up`: less, and neither body lies on the other

}  // namespace

template <int D>
void SupportLevels<D>::climb(const Bodies<D>& bodies) {
  level_.assign(bodies.size(), kNoLevel);
  front_.clear();
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (!bodies.dynamic(i)) level_[i] = 0, front_.push_back(i);
  for (std::uint32_t height = 1; !front_.empty(); ++height, front_.swap(next_)) {
    next_.clear();
    for (const std::uint32_t i : front_)
      for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k)
        if (level_[above_[k]] == kNoLevel) level_[above_[k]] = height, next_.push_back(above_[k]);
  }
}

template <int D>
std::span<const std::uint32_t> SupportLevels<D>::sort(std::span<const CollisionPoint<D>> points,
                                                      const Bodies<D>& bodies, const Vec<D>& up,
                                                      std::span<PointPair> pairs) {
  const auto rise = [&](const PointPair& pair) { return up.dot(points[pair.first].axes.col(0)); };
  first_.assign(bodies.size() + 1, 0);
  for (PointPair& pair : pairs) {
    const CollisionPoint<D>& p = points[pair.first];
    const bool b_on_a = rise(pair) > kSteep, a_on_b = rise(pair) < -kSteep;
    const bool dynamic_a = bodies.dynamic(p.a), dynamic_b = bodies.dynamic(p.b);
    pair.moves_a = dynamic_a && !(b_on_a && dynamic_b);
    pair.moves_b = dynamic_b && !(a_on_b && dynamic_a);
    if (b_on_a) ++first_[p.a];
    if (a_on_b) ++first_[p.b];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& f : first_) f = sum += f;
  above_.resize(sum);
  for (const PointPair& pair : pairs) {
    const CollisionPoint<D>& p = points[pair.first];
    if (rise(pair) > kSteep) above_[--first_[p.a]] = p.b;
    if (rise(pair) < -kSteep) above_[--first_[p.b]] = p.a;
  }
  climb(bodies);
  order_.resize(pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const CollisionPoint<D>& p = points[pairs[i].first];
    pairs[i].level = std::min(level_[p.a], level_[p.b]);
    order_[i] = i;
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t x, std::uint32_t y) {
    return pairs[x].level != pairs[y].level ? pairs[x].level < pairs[y].level : x < y;
  });
  return order_;
}

template class SupportLevels<2>;
template class SupportLevels<3>;

}  // namespace touchstone
