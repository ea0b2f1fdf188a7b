#pragma once
// The typed options of the impulse model. A preset sets all of them; each can be given on its own.
#include "models/registry.h"

namespace touchstone {

enum class ImpulseTiming : std::uint8_t { kFixed, kEvents };

struct ImpulseOptions {
  double tolerance;       // of penetration and slip at the end of a substep [m]
  std::int64_t substeps;  // 0: as many as keep a substep below max_substep
  double max_substep;     // [s]
  std::int64_t min_iterations, max_iterations;
  ImpulseTiming timing;
  double push_speed;               // greatest speed at which a penetration is pushed out [m/s]
  double margin;                   // contacts are found at this distance [m]
  std::int64_t correction_sweeps;  // over positions, a step
  bool shock_propagation;
};

TableSpec impulse_option_table();
ImpulseOptions read_impulse_options(const Options& options);

}  // namespace touchstone
