#pragma once
// Equations of joints by structure, without a world: bodies at places in the plane or in space, and rows between them.
#include <string>

#include "contact/contact_problem.h"

namespace touchstone::bench {

// chain, chain_3d: bodies in a line on the ground, pins or balls. tree: each body carries two more. ladder: four-bar
// linkages in a row, loops without redundant rows. doubled: a chain with each pin twice. net: a square grid of bodies,
// neighbours at fixed distances. plate: the same with pins, half of whose rows are redundant. hub: all on one body.
inline constexpr const char* kStructures[] = {"chain",   "chain_3d", "tree",  "ladder",
                                              "doubled", "net",      "plate", "hub"};

// With about this many rows. Throws std::invalid_argument for another name.
ProblemData make_structure(const std::string& name, std::uint32_t rows);

}  // namespace touchstone::bench
