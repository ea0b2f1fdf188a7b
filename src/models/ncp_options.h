#pragma once
// The typed options of the ncp model.
#include "models/registry.h"

namespace touchstone {

struct NcpOptions {
  double tolerance;  // on the natural map [m/s]
  std::int64_t max_iterations;
  bool accelerate;
  double joint_tolerance;  // errors of joints at the end of a step [m, rad]
  double bounce_gap;       // ε in the threshold √(2·g·ε) below which nothing bounces [m]
  double push_speed;       // greatest speed at which a penetration is pushed out [m/s]
  double slop;             // penetration that is left alone [m]
  double margin;           // contacts are found at this distance [m]
};

TableSpec ncp_option_table();
NcpOptions read_ncp_options(const Options& options);

}  // namespace touchstone
