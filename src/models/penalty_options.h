#pragma once
// The typed options of the penalty model.
#include "models/registry.h"

namespace touchstone {

struct PenaltyOptions {
  double stiffness;  // 0: from the sag
  double sag, share_distance, tangential_ratio, steps_per_contact;
  std::int64_t max_substeps;
};

TableSpec penalty_option_table();
PenaltyOptions read_penalty_options(const Options& options);

}  // namespace touchstone
