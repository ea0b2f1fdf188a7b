#include "sim/simulation_parts.h"

#include "sim/simulation_impl.h"

namespace touchstone {

class SimulationInside {
 public:
  template <int D>
  static World<D>& world(const Simulation& s) {
    return *std::get<std::unique_ptr<World<D>>>(s.impl_->world);
  }
};

template <int D>
SimulationParts<D> parts_of(const Simulation& simulation) {
  const World<D>& w = SimulationInside::world<D>(simulation);
  return {w.bodies(), w.state(), w.colliders(), w.ignored_pairs(), w.materials(), w.joints(), w.gravity_vector()};
}

template <int D>
void find_loads(const Simulation& simulation, WrenchSet<D>& out) {
  SimulationInside::world<D>(simulation).find_loads(out);
}

template <int D>
void watch_solves(Simulation& simulation, SolveObserver<D>* observer) {
  SimulationInside::world<D>(simulation).set_watcher(observer);
}

#define TOUCHSTONE_INSTANTIATE(D)                             \
  template SimulationParts<D> parts_of<D>(const Simulation&); \
  template void find_loads(const Simulation&, WrenchSet<D>&); \
  template void watch_solves(Simulation&, SolveObserver<D>*);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
