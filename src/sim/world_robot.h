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
    // In maximal coordinates: q where the world's joint has its coordinate zero; its own spring and damper, and what
    // drives it besides; the body that a floating joint moves.
    double start = 0, stiffness = 0, damping = 0, rest = 0;
    RateDrive drive{};
    std::uint32_t body = TreeBody::kNone;
    void serialize(Archive& ar) {
      ar(name), ar(first_q), ar(nq), ar(first_v), ar(nv), ar(start), ar(stiffness), ar(damping), ar(rest), ar(drive);
      ar(body);
    }
  };
  bool maximal = false;
  std::uint32_t nq = 0, nv = 0;
  Placement base;
  std::string name;
  std::vector<std::string> links;
  std::vector<std::uint32_t> slots;  // by link; TreeBody::kNone: it has no body
  std::vector<Joint> joints;
  void serialize(Archive& ar) {
    ar(name), ar(links), ar(slots), ar(joints), ar(maximal), ar(nq), ar(nv);
    ar(base.position), ar(base.orientation), ar(base.angle);
  }
};

}  // namespace touchstone
