#pragma once
// Is zero the only acceleration that obeys the laws of contact? Forces that balance the loads do not decide it: walls
// that squeeze a block may hold it, and may as well not. The search goes over contact modes (open, stick, slide).
#include <utility>

#include "statics/balance.h"
#include "statics/mode_program.h"

namespace touchstone::statics {

// A node of the finished search. A branch splits the mode of one contact; a leaf proves that W·a <= 0 in its modes:
// multipliers p of M·a − Jᵀ·f = W, and factors q of the rows of J that the modes bound, such that
// W + M·p + Jᵀ·q = 0 and W·p >= 0; an empty one has M·p + Jᵀ·q = 0 and W·p > 0.
struct ModeNode {
  int contact = -1;                                   // −1: a leaf
  std::vector<std::pair<int, std::size_t>> children;  // mode, node
  bool empty = false;                                 // of a leaf: nothing at all obeys its modes
  std::vector<Rational> momentum;                     // of a leaf: p, by freedom
  std::vector<Rational> rates;                        // of a leaf: factors of the rows of J
};

enum class UniqueStatus : std::uint8_t {
  kOnlyRest,   // zero is the only admissible acceleration
  kMotion,     // another one is: `acceleration` and `forces`
  kUndecided,  // budget
};

struct Uniqueness {
  UniqueStatus status = UniqueStatus::kUndecided;
  bool exact = false;
  std::int64_t nodes = 0;  // programs of modes that were looked at
  int sectors = 0;
  std::string reason;          // kUndecided
  std::vector<ModeNode> tree;  // kOnlyRest, exact; the first is the root
  Motion acceleration;
  Forces forces;
};

struct ModeSettings {
  FrictionLaw law = FrictionLaw::kCircle;
  std::int64_t most_nodes = 2000;
  ProgramSettings program;
  Eigen::VectorXd hint;  // an acceleration that may obey the laws; empty: none is known
};

Uniqueness search_modes(const Equations& equations, const ModeSettings& settings);

}  // namespace touchstone::statics
