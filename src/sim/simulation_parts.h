#pragma once
// What the modules above see of a Simulation beside its public face: the parts of its world, to read, and its solves.
// They hold a Simulation, and no world. D must be its dimension.
#include <span>

#include "collision/detector.h"
#include "contact/materials.h"
#include "contact/solve_view.h"
#include "dynamics/forces.h"
#include "dynamics/joints/joint.h"
#include "touchstone/simulation.h"

namespace touchstone {

// Good until the simulation changes.
template <int D>
struct SimulationParts {
  const Bodies<D>& bodies;
  const State<D>& state;
  const ColliderTable<D>& colliders;
  const IgnoredPairs& ignored_pairs;
  const MaterialTable& materials;
  std::span<const Joint<D>> joints;
  const Vec<D>& gravity;  // [m/s²]
};

template <int D>
SimulationParts<D> parts_of(const Simulation& simulation);

// All forces but those of contacts, drag included, at this instant.
template <int D>
void find_loads(const Simulation& simulation, WrenchSet<D>& out);

// The observer is shown every solve of the steps that follow; nobody: null. It must outlive them.
template <int D>
void watch_solves(Simulation& simulation, SolveObserver<D>* observer);

}  // namespace touchstone
