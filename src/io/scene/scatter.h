#pragma once
// Bodies at random places of a box, apart from each other and from everything that was placed before.
#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/random.h"
#include "io/scene/table.h"
#include "touchstone/description.h"

namespace touchstone {

struct Scatter {
  std::int64_t count = 0;
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();
  double gap = 0, angle_jitter = 0, velocity_jitter = 0, angular_velocity_jitter = 0;
  std::uint64_t seed = 0;
};

// `entry` is the body's place in the file, as for lattices.
Scatter read_scatter(const SceneTable& table, std::uint64_t scene_seed, std::size_t entry);

// The shapes that were placed so far.
class Places {
 public:
  explicit Places(int dimension);
  ~Places();
  void add(const BodyDescription& body);
  // Whether all its shapes are farther than `gap` from those. A shape that cannot be made is nowhere in the way: what
  // is wrong with it is said elsewhere.
  bool is_free(const BodyDescription& body, double gap) const;

 private:
  template <int D>
  struct List;
  std::unique_ptr<List<2>> plane_;
  std::unique_ptr<List<3>> space_;
};

// The next one of a scatter, at a place that is free; empty if none was found.
std::optional<BodyDescription> scattered(const BodyDescription& body, const Scatter& scatter, int dimension,
                                         JitterGenerator& random, const Places& places);

}  // namespace touchstone
