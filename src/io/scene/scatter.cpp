#include "io/scene/scatter.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "collision/narrow/narrow.h"
#include "io/scene/repeat.h"
#include "math/rotation.h"

namespace touchstone {
namespace {

template <int D>
struct PlacedShapeOf {
  Shape<D> shape;
  Vec<D> p;
  Mat<D> R;
  Bounds<D> bounds;
};

template <int D>
Mat<D> turn_of(const Placement& placement) {
  if constexpr (D == 2)
    return matrix_of(placement.angle);
  else
    return placement.orientation.normalized().toRotationMatrix();
}

template <int D>
std::vector<PlacedShapeOf<D>> shapes_of(const BodyDescription& body) {
  std::vector<PlacedShapeOf<D>> out;
  const Mat<D> R = turn_of<D>(body.placement);
  for (const ShapeDescription& d : body.shapes) {
    try {
      PlacedShapeOf<D> s{make_shape<D>(d), {}, {}, {}};
      s.p = narrow<D>(body.placement.position) + R * narrow<D>(d.placement.position);
      s.R = R * turn_of<D>(d.placement);
      s.bounds = bounds_of(s.shape, s.p, s.R);
      out.push_back(std::move(s));
    } catch (const Error&) {
    }
  }
  return out;
}

}  // namespace

template <int D>
struct Places::List {
  std::vector<PlacedShapeOf<D>> shapes;

  bool is_free(const BodyDescription& body, double gap) const {
    for (PlacedShapeOf<D>& mine : shapes_of<D>(body)) {
      const Vec<D> grown = Vec<D>::Constant(gap);
      mine.bounds.lower -= grown, mine.bounds.upper += grown;
      for (const PlacedShapeOf<D>& other : shapes) {
        if (!mine.bounds.overlaps(other.bounds) || !narrow_supports<D>(mine.shape.kind, other.shape.kind)) continue;
        PairMemory memory;
        Closest<D> closest;
        if (closest_of<D>({mine.shape, mine.p, mine.R}, {other.shape, other.p, other.R}, gap, memory, closest))
          return false;
      }
    }
    return true;
  }
};

Places::Places(int dimension) {
  if (dimension == 2)
    plane_ = std::make_unique<List<2>>();
  else
    space_ = std::make_unique<List<3>>();
}
Places::~Places() = default;

void Places::add(const BodyDescription& body) {
  const auto into = [&](auto& list, auto&& fresh) {
    std::move(fresh.begin(), fresh.end(), std::back_inserter(list.shapes));
  };
  plane_ ? into(*plane_, shapes_of<2>(body)) : into(*space_, shapes_of<3>(body));
}

bool Places::is_free(const BodyDescription& body, double gap) const {
  return plane_ ? plane_->is_free(body, gap) : space_->is_free(body, gap);
}

Scatter read_scatter(const SceneTable& table, std::uint64_t scene_seed, std::size_t entry) {
  Scatter s;
  s.count = table.integer("count", 0);
  s.from = table.vector("from");
  s.to = table.vector("to");
  for (int axis = 0; axis < table.dimension(); ++axis)
    if (table.find("from") && table.find("to") && s.to[axis] < s.from[axis]) {
      table.error("to", "must not be below `from`");
      break;
    }
  s.gap = table.number("gap", 0.0);
  s.angle_jitter = table.number("angle_jitter", 0.0);
  s.velocity_jitter = table.number("velocity_jitter", 0.0);
  s.angular_velocity_jitter = table.number("angular_velocity_jitter", 0.0);
  Hash64 mix;
  mix.word(scene_seed), mix.word(entry);
  s.seed = mix.value();
  if (table.find("seed")) s.seed = static_cast<std::uint64_t>(table.integer("seed", 0));
  return s;
}

// The draws do not depend on the amounts of jitter.
std::optional<BodyDescription> scattered(const BodyDescription& body, const Scatter& s, int dimension,
                                         JitterGenerator& random, const Places& places) {
  constexpr int kTries = 10'000;
  BodyDescription out = body;
  for (int i = 0; i < kTries; ++i) {
    out.placement = body.placement;
    for (int axis = 0; axis < dimension; ++axis)
      out.placement.position[axis] += s.from[axis] + 0.5 * (1 + random.next()) * (s.to[axis] - s.from[axis]);
    out.placement = turned_at_random(out.placement, s.angle_jitter, dimension, random);
    for (int axis = 0; axis < dimension; ++axis)
      out.velocity[axis] = body.velocity[axis] + s.velocity_jitter * random.next();
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; ++axis)
      out.angular_velocity[axis] = body.angular_velocity[axis] + s.angular_velocity_jitter * random.next();
    if (places.is_free(out, s.gap)) return out;
  }
  return std::nullopt;
}

}  // namespace touchstone
