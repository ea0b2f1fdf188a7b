#pragma once
// The typed options of the impulse model. A preset sets all of them; each can be given on its own.
#include "contact/restitution_law.h"
#include "models/registry.h"

namespace touchstone {

enum class ImpulseTiming : std::uint8_t { kFixed, kEvents };

struct ImpulseOptions {
  double tolerance;  // of penetration and slip at the end of a substep [m]
  // What the sweeps aim at, as a part of the tolerance: the nearer to rest, the less there is to do in the next step.
  double aim;
  double rest_gap;        // contacts nearer than this count as closed [m]
  std::int64_t substeps;  // 0: as many as keep a substep below max_substep
  double max_substep;     // [s]
  double longer_if_cut;   // substeps may be longer by this in a step that is cut, with a detection for each part
  double short_substep;   // shorter ones are solved more exactly [s]
  std::int64_t min_iterations, iterations, max_iterations;
  ImpulseTiming timing;
  double push_speed;               // greatest speed at which a penetration is pushed out [m/s]
  double slip_speed;               // friction grows with the slip up to about this speed [m/s]; 0: Coulomb's law
  double margin;                   // contacts are found at this distance [m]
  std::int64_t correction_sweeps;  // over positions, a step
  std::int64_t lift_passes;        // over positions from below upwards
  bool no_gains;                   // impulses that give energy are taken back, also where substeps are not short
  double slack;                    // penetration that they leave, as a part of the tolerance
  double reuse, short_reuse;       // contact points are kept while a pair moves by less [m]; in short substeps
  std::int64_t newton_bodies;      // islands up to this size are solved at once where sweeps are slow
  double newton_target;            // and then to this part of what is aimed at
  double newton_products;          // unless a factorisation takes more products of blocks
  double newton_speed;             // if nothing in them moves faster [m/s]
  bool predict_contacts;           // gaps at the end of a substep are evaluated exactly, and iterated
  bool single;                     // sweeps compute what changes in single precision; sums are double
  bool verlet;                     // forces act half before and half after the motion, with a solve each
  bool shock_propagation;          // velocities are made right from below upwards after the sweeps
  bool sleep;                      // islands that rest are left alone
  double sleep_time, sleep_speed;  // after so long [s] below so much [m/s]
  RestitutionLaw law = RestitutionLaw::kNewton;
};

TableSpec impulse_option_table();
std::vector<ModelPreset> impulse_presets();
ImpulseOptions read_impulse_options(const Options& options);
// Substeps no longer than `longest` in a part of a step. Throws Error (kUnstable) for more than a billion: hours.
std::int64_t substeps_of(double length, double longest);

}  // namespace touchstone
