#pragma once
// Do forces exist that balance the loads? A linear program in the forces of the contacts; if it has no answer, its
// proof is a motion that the contacts admit and on which the loads do work.
#include <optional>

#include "statics/equations.h"
#include "statics/programs.h"

namespace touchstone::statics {

// Forces in the rows J: contact by contact and axis by axis, then joints.
using Forces = Values;
// One number a freedom: a velocity, or an acceleration from rest.
using Motion = Values;

enum class BalanceStatus : std::uint8_t { kBalanced, kImpossible, kUndecided };

struct Balance {
  BalanceStatus status = BalanceStatus::kUndecided;
  bool exact = false;
  Forces forces;     // kBalanced
  Motion mechanism;  // kImpossible: W·y > 0, and for every contact y_N >= μ·|y_T|
  int sectors = 0;   // of the circle that decided
};

// Which generators of the friction cone a program has: a cone inside of the law, or one around it.
enum class ConeSide : std::uint8_t { kInside, kOutside };

// Least total normal force under J'·f = −W − t·extra, f in the cone. `extra`: one more column, an unknown t >= 0.
class BalanceProgram {
 public:
  BalanceProgram(const Equations& equations, const FrictionCone& cone, ConeSide side);
  // Adds −t·`load` to the right side, t within bounds; returns its column.
  std::size_t add_unknown_load(const std::vector<Rational>& load, std::optional<Rational> most);
  ExactProgram& program() { return program_; }
  const ExactProgram& program() const { return program_; }
  // The objective: Σ of `factor` times the normal forces of some contacts, nothing else.
  void set_objective(const std::vector<std::size_t>& contacts, int factor);
  Forces forces_of(const Values& x) const;

 private:
  struct Column {
    std::size_t contact;
    Direction direction;
  };
  const Equations& equations_;
  std::vector<Column> columns_;  // of contacts; holds follow
  ExactProgram program_;
};

struct BalanceSettings {
  FrictionLaw law = FrictionLaw::kCircle;
  ProgramSettings program;
};

// Cones inside and around the circle decide; where they do not, finer ones up to kMostSectors.
inline constexpr int kFewestSectors = 16, kMostSectors = 256;
Balance find_balance(const Equations& equations, const BalanceSettings& settings);
// The same as if no contact had friction.
Balance find_frictionless_balance(const Equations& equations, const ProgramSettings& settings);

// A motion that no force resists to first order: y_N >= μ·|y_T| everywhere, W·y = 0, and it breaks if the loads change
// as little as one likes. `forces` balance the loads. Where a contact has no friction, only motions that tip a body
// count. See balance.cpp.
std::optional<Motion> find_neutral_motion(const Equations& equations, const Structure& structure, const Forces& forces,
                                          const BalanceSettings& settings);

}  // namespace touchstone::statics
