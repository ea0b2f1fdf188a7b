#pragma once
// What a Simulation holds: one of the two worlds.
#include <memory>
#include <variant>

#include "sim/world.h"

namespace touchstone {

struct Simulation::Impl {
  std::variant<std::unique_ptr<World<2>>, std::unique_ptr<World<3>>> world;
  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit([&](auto& w) -> decltype(auto) { return f(*w); }, world);
  }
};

}  // namespace touchstone
