#pragma once
// Creep: the speed at which bodies go on moving that should be at rest.
#include "recording/recording.h"
#include "study/compare/scene_facts.h"

namespace touchstone::compare {

// Over the last tenth of a run. A body rests if it touches something at the end and is, in every frame of that time,
// slower than kRestSpeed·√(g·size), its surface included. Its creep is the steady part of its motion: the window is cut
// into two halves, the displacement of each (of the centre of mass, and of the rotation times the radius of gyration)
// is taken along the displacement of the whole, and the slower half counts. What settles or rocks to and fro has hardly
// any; what goes on and on has its speed.
struct Creep {
  bool known = false;       // there was gravity, and time enough: three frames in the window
  double from = 0, to = 0;  // the window [s]
  std::size_t resting = 0;  // bodies
  double worst = 0;         // [m/s]
  double mean = 0;          // over the resting bodies [m/s]
  std::string body;         // the worst one's name; "" if none rests
  double body_size = 0;     // its size [m]
};

inline constexpr double kRestSpeed = 0.02;   // of √(g·size): 28 mm/s for a body of 0.2 m
inline constexpr double kCreepWindow = 0.1;  // of the run

Creep measure_creep(const Recording& recording, const SceneFacts& facts);

}  // namespace touchstone::compare
