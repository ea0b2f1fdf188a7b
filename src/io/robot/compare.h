#pragma once
// Two descriptions of one robot compared: masses, inertias and gravity torques at random poses.
#include <cstdint>
#include <string>
#include <vector>

#include "touchstone/robot.h"

namespace touchstone {

struct RobotComparison {
  struct Quantity {
    std::string name, unit;
    double difference = 0.0;  // the greatest over poses
    double size = 0.0;        // the greatest value of either robot
    std::string where;        // a joint or a link; may be empty
    // relative to the size of the quantity
    double relative() const { return size > 0 ? difference / size : 0.0; }
  };
  std::vector<Quantity> quantities;
  std::size_t joints = 0;                   // compared, with one coordinate
  bool by_name = true;                      // false: in the order of the files, as no name is in both
  std::vector<std::string> only_a, only_b;  // joints of one robot alone
  std::size_t poses = 0;
  double worst() const;  // relative
};

// Joints are matched by name; other joints stay at their reference. Coordinates are drawn from the limits that both
// files have, or from −π to π (m: −1 to 1). Compared are the total mass, the inertia of the whole about its centre of
// mass and the mass matrix and gravity torques of the matched joints. Both bases are at rest in the same frame with
// gravity −z, 9.81 m/s².
RobotComparison compare_robots(const RobotDescription& a, const RobotDescription& b, std::size_t poses,
                               std::uint64_t seed);

}  // namespace touchstone
