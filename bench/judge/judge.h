#pragma once
// Judges where an engine left the bodies of a scene, from poses and velocities alone; the same for every engine.
#include <cstdint>
#include <utility>

#include "judge/gap.h"

namespace touchstone::bench {

struct Motion {
  Pose pose;
  Vec3 velocity{0, 0, 0};          // of the centre [m/s]
  Vec3 angular_velocity{0, 0, 0};  // world axes [rad/s]
};

// Pairs count as touching up to this gap [m]; a gap is no penetration. A tenth of the penetration that matters (1 mm).
inline constexpr double kTouching = 1e-4;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

struct Verdict {
  long touching = 0;                                                      // pairs of bodies
  double penetration_max = 0, penetration_p99 = 0, penetration_mean = 0;  // over the touching pairs [m]
  double kinetic_energy = 0;                                              // [J]
  long lost = 0;     // left the room, or the centre is inside a static body
  long broken = 0;   // a number is not finite
  double sag = 0;    // greatest way down of a centre since the start [m]
  double drift = 0;  // greatest horizontal way of a centre since the start [m]
};

class Judge {
 public:
  explicit Judge(const Scene& scene);
  Verdict judge(const std::vector<Motion>& motions);
  // Only the depths, for every frame of a run in turn: of all pairs, and without those that overlapped in the scene's
  // description (some jittered lattices do, by up to 19 mm) and have not come apart since.
  struct Depths {
    double all = 0, made = 0;  // greatest [m]
  };
  Depths depths(const std::vector<Motion>& motions);

 private:
  void find_penetrations(const std::vector<Motion>& motions);
  void sort_into_cells();
  void judge_pair(const Posed& a, const Posed& b, std::uint32_t number_a, std::uint32_t number_b);
  void judge_motion(const std::vector<Motion>& motions, Verdict& verdict) const;

  Scene scene_;
  double cell_;  // edge of a cell: no two bodies touch that are more than one cell apart [m]
  std::vector<Posed> statics_, bodies_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cells_;  // of each body, sorted
  std::vector<double> penetrations_;                            // of the touching pairs, none negative [m]
  std::vector<std::uint32_t> numbers_;                          // of bodies_ in the scene; statics follow
  std::vector<std::pair<Pair, double>> overlapping_;            // and their depths [m]
  std::vector<Pair> inherited_, still_;                         // from the start until now, sorted; scratch
};

}  // namespace touchstone::bench
