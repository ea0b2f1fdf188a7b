#pragma once
// A robot of a world as its user names it: links by name with their bodies, joints by name with their numbers.
#include <cstdint>
#include <string>
#include <vector>

#include "base/archive.h"
#include "dynamics/tree/tree_body.h"
#include "touchstone/robot_state.h"

namespace touchstone {

struct WorldRobot {
  struct Joint {
    std::string name;
    std::uint32_t first_q = 0, nq = 0, first_v = 0, nv = 0;
    void serialize(Archive& ar) { ar(name), ar(first_q), ar(nq), ar(first_v), ar(nv); }
  };
  std::string name;
  std::vector<std::string> links;
  std::vector<std::uint32_t> slots;  // by link; TreeBody::kNone: it has no body
  std::vector<Joint> joints;
  void serialize(Archive& ar) { ar(name), ar(links), ar(slots), ar(joints); }
};

}  // namespace touchstone
