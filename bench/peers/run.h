#pragma once
// One run of one engine through one scene, in a process of its own: its memory and its crashes are its own.
#include <string>

#include "peers/engine.h"

namespace touchstone::bench {

struct RunOptions {
  int judge_every = 1;       // frames between two looks at the penetration; 0: only at the end
  double time_limit = 1e30;  // of processor time in steps [s]: afterwards the run is cut off
};

struct RunResult {
  int steps = 0;               // done
  double ms_per_step = 0;      // processor time within the steps (with several threads: time), over the steps done [ms]
  long contacts = 0;           // the engine's own count at the end
  double memory = 0;           // most that the engine held in the allocator between two steps [bytes per body]
  double penetration_run = 0;  // greatest of the frames looked at [m]
  double penetration_made = 0;  // the same without the overlaps of the scene's description
  Verdict verdict;              // at the end
  char trouble[160] = "";       // empty: went through
};

RunResult run(const Scene& scene, const EngineEntry& engine, const EngineOptions& options, const RunOptions& how);

}  // namespace touchstone::bench
