#pragma once
// A square matrix as Siconos writes it into text: dense by columns, or in sparse blocks (docs/problems.md).
#include <string>

#include "contact/delassus.h"
#include "io/problem/number_reader.h"

namespace touchstone {

// n × n, from its storage type on. `name` and `because` ("6 contacts in 3D have", before n) are for messages. Throws
// Error (kBadInput).
SparseRows read_siconos_matrix(NumberReader& in, const std::string& name, std::uint64_t n, const std::string& because);

}  // namespace touchstone
