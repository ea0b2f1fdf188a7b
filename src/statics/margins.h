#pragma once
// How far a structure is from its limit, with the verdict on both sides of it.
#include <functional>

#include "statics/ranges.h"
#include "statics/verdict.h"

namespace touchstone::statics {

struct Margin {
  enum class Kind : std::uint8_t {
    kPush,      // horizontal force on every body, as a fraction of its weight
    kTilt,      // of the ground, as the tangent of the angle
    kLoad,      // force at the centre of one body [unit of force]
    kFriction,  // least μ, the same everywhere
  };
  Kind kind = Kind::kPush;
  std::string name;                                     // "push +x", "load of 'a', down"
  std::string body;                                     // kLoad
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // of the force; of kTilt: downhill
  Bound limit;
  Verdict within = Verdict::kUndecided, beyond = Verdict::kUndecided;  // a part kAside of it to either side
};

inline constexpr double kAside = 1e-6;

struct LoadCase {
  std::uint32_t body = 0;
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // unit
};

class Margins {
 public:
  // A structure whose loads are balanced.
  Margins(const Structure& scaled, const StableSettings& settings);
  // Two or four horizontal directions.
  std::vector<Eigen::Vector3d> horizontal() const;
  Margin push(const Eigen::Vector3d& direction);
  Margin tilt(const Eigen::Vector3d& downhill);
  Margin load(const LoadCase& load);
  Margin least_friction();

 private:
  Bound greatest(const std::vector<Rational>& load);
  Verdict verdict_of(const Structure& structure) const;
  bool has_other_loads() const;
  void judge(Margin& margin, const std::function<Structure(double)>& at);

  const Structure& structure_;
  StableSettings settings_;
  Equations equations_;
};

}  // namespace touchstone::statics
