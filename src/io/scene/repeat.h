#pragma once
// Lattices of bodies with seeded jitter.
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "io/scene/table.h"
#include "touchstone/description.h"

namespace touchstone {

struct Lattice {
  std::array<std::int64_t, 3> count{1, 1, 1};
  Eigen::Vector3d spacing = Eigen::Vector3d::Zero();
  double jitter = 0.0, angle_jitter = 0.0;
  std::uint64_t seed = 0;

  std::size_t size() const { return static_cast<std::size_t>(count[0] * count[1] * count[2]); }
};

// `entry` is the body's place in the file: two lattices of a scene do not share their jitter.
Lattice read_lattice(const SceneTable& repeat, std::uint64_t scene_seed, std::size_t entry);
// Turned by up to about `amount` [rad], about z in 2D, about world axes in 3D.
Placement turned_at_random(Placement placement, double amount, int dimension, JitterGenerator& random);
// The placements of the bodies, x fastest. The draws do not depend on the amounts, so that a change of one amount
// leaves the others' jitter alone.
std::vector<Placement> lattice_placements(const Lattice& lattice, const Placement& base, int dimension);

}  // namespace touchstone
