#pragma once
// `touchstone stable`: the verdict on a scene, and all that it prints.
#include <nlohmann/json.hpp>

#include "statics/accelerations.h"
#include "statics/margins.h"
#include "study/statics/structure_of.h"

namespace touchstone::statics {

// A node takes a millisecond in 2D, and fifty in 3D.
inline constexpr std::int64_t kPlaneNodes = 2000, kSpaceNodes = 200;

struct StableRequest {
  TouchSettings touch;
  FrictionLaw law = FrictionLaw::kCircle;
  bool exact = false;                   // prove whatever it takes, and print fractions
  std::optional<bool> margins, ranges;  // not given: where the structure is small enough
  bool points = false;                  // ranges by contact point, not only by pair of bodies
  std::int64_t most_nodes = 0;          // 0: kPlaneNodes or kSpaceNodes
  std::vector<std::string> loads;       // "BODY:DIRECTION", DIRECTION down, up, +x, -x, ...
  StopFlag stop;
};

struct StableReport {
  std::string name;
  Detected detected;
  Scaled scaled;
  Equations equations;
  StableSettings settings;
  bool fractions = false;  // to be printed
  Assessment assessment;
  std::vector<Margin> margins;
  std::vector<ForceRange> pair_ranges, point_ranges;
  std::optional<InitialMotion> motion;  // FALLS, MAY STAND: how it begins to move
};

StableReport judge(const SceneDescription& scene, const StableRequest& request);

// The verdict's reason, and how sure it is, as sentences; the second is empty if the verdict is undecided.
std::string reason_text(const StableReport& report);
std::string proof_text(const StableReport& report);

std::string stable_text(const StableReport& report);
nlohmann::ordered_json stable_json(const StableReport& report);

// Of a force, a load or an acceleration in SI units; fractions as strings.
std::string bound_text(const Bound& bound, double unit, const char* unit_name, bool fractions);
Rational exact_unit(double power_of_ten);

}  // namespace touchstone::statics
