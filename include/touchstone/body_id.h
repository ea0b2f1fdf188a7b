#pragma once
#include <cstdint>

namespace touchstone {

/// Names a body for as long as it lives. A slot (index) is used again after removal, with a new
/// generation, so that an old id never reaches a new body.
struct BodyId {
  std::uint32_t index = 0xffffffffu;
  std::uint32_t generation = 0;
  friend bool operator==(const BodyId&, const BodyId&) = default;
};

}  // namespace touchstone
