#include "io/scene/repeat.h"

#include "base/hash.h"

namespace touchstone {

Placement turned_at_random(Placement placement, double amount, int dimension, JitterGenerator& random) {
  if (dimension == 2) {
    placement.angle += amount * random.next();
    return placement;
  }
  const double half = 0.5 * amount;
  const double a = half * random.next(), b = half * random.next(), c = half * random.next();
  placement.orientation = Eigen::Quaterniond(1, a, b, c).normalized() * placement.orientation;
  return placement;
}

static Placement jittered(Placement placement, const Lattice& lattice, int dimension, JitterGenerator& random) {
  for (int axis = 0; axis < dimension; ++axis) placement.position[axis] += lattice.jitter * random.next();
  return turned_at_random(std::move(placement), lattice.angle_jitter, dimension, random);
}

Lattice read_lattice(const SceneTable& repeat, std::uint64_t scene_seed, std::size_t entry) {
  Lattice lattice;
  const std::vector<double> count = repeat.numbers("count");
  for (std::size_t i = 0; i < count.size() && i < 3; ++i) lattice.count[i] = static_cast<std::int64_t>(count[i]);
  lattice.spacing = repeat.vector("spacing");
  lattice.jitter = repeat.number("jitter", 0.0);
  lattice.angle_jitter = repeat.number("angle_jitter", 0.0);
  Hash64 mix;
  mix.word(scene_seed);
  mix.word(entry);
  lattice.seed = mix.value();
  if (repeat.find("seed")) lattice.seed = static_cast<std::uint64_t>(repeat.integer("seed", 0));
  return lattice;
}

std::vector<Placement> lattice_placements(const Lattice& lattice, const Placement& base, int dimension) {
  std::vector<Placement> out;
  out.reserve(lattice.size());
  JitterGenerator random(lattice.seed);
  for (std::int64_t k = 0; k < lattice.count[2]; ++k)
    for (std::int64_t j = 0; j < lattice.count[1]; ++j)
      for (std::int64_t i = 0; i < lattice.count[0]; ++i) {
        Placement placement = base;
        const Eigen::Vector3d steps(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        placement.position += steps.cwiseProduct(lattice.spacing);
        out.push_back(jittered(placement, lattice, dimension, random));
      }
  return out;
}

}  // namespace touchstone
