#pragma once
// The options that all velocity-level models have.
#include "contact/restitution_law.h"
#include "models/registry.h"

namespace touchstone {

struct SteppingOptions {
  double joint_tolerance;    // errors of joints at the end of a step [m, rad]
  double bounce_gap;         // ε in the threshold √(2·g·ε) below which nothing bounces [m]
  double push_speed;         // greatest speed at which a penetration is pushed out [m/s]
  double slop;               // penetration that is left alone [m]
  double margin;             // contacts are found at this distance [m]
  double slip_speed;         // a contact that is slower is reported as sticking [m/s]; not an option of scenes
  double tolerance = 1e-10;  // of an impact's solves [m/s]; not an option of its own
  RestitutionLaw law = RestitutionLaw::kNewton;
};

// Adds a key with its text; numbers must be positive, integers at least 1.
void add_option(TableSpec& table, const char* name, ValueType type, const char* unit, const char* fallback,
                const char* help);
void add_stepping_options(TableSpec& table);
// `restitution_law`, of models that offer it.
void add_restitution_law(TableSpec& table);
RestitutionLaw read_restitution_law(const Options& options);
SteppingOptions read_stepping_options(const Options& options, double slip_speed);

}  // namespace touchstone
