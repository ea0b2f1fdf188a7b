#pragma once
// Does a structure stand? The verdict, the reason, and what shows it.
#include "statics/modes.h"

namespace touchstone::statics {

enum class Verdict : std::uint8_t { kStands, kFalls, kMayStand, kUndecided };
const char* verdict_word(Verdict verdict);   // "stands", "falls", "may_stand", "undecided"
const char* verdict_title(Verdict verdict);  // "STANDS", ...

// Why zero is the only acceleration.
enum class Reason : std::uint8_t {
  kNone,
  kNoForces,      // FALLS: no forces balance the loads
  kFrictionless,  // STANDS: forces exist and no contact has friction, so that the acceleration is unique
  kSupported,     // STANDS: normal forces alone would balance the loads: the loads do no work on any admissible motion
  kModes,         // STANDS: no combination of contact modes admits another acceleration
  kTwoAnswers,    // MAY STAND: balancing forces and an acceleration, both lawful
  kSectors,       // UNDECIDED: inner and outer pyramid disagree
  kBudget,        // UNDECIDED: the search was ended
  kRounding,      // UNDECIDED: a program was not solved to its tolerance
};

struct StableSettings {
  FrictionLaw law = FrictionLaw::kCircle;
  std::int64_t most_nodes = 2000;
  bool marginal = true;  // whether to search for a neutral motion
  ProgramSettings program;
};

struct Assessment {
  Verdict verdict = Verdict::kUndecided;
  Reason reason = Reason::kNone;
  bool exact = false;     // proven in fractions
  std::string detail;     // of an undecided verdict
  Forces forces;          // balancing; STANDS, MAY STAND
  Forces smooth_forces;   // kSupported: balancing without friction
  Motion mechanism;       // FALLS: the motion that proves it
  Uniqueness modes;       // kModes, kTwoAnswers, kBudget
  bool marginal = false;  // STANDS: an arbitrarily small load may end it
  Motion neutral;         // of it
  bool marginal_exact = false;
};

Assessment assess(const Structure& scaled, const Equations& equations, const StableSettings& settings);

}  // namespace touchstone::statics
