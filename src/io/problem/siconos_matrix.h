#pragma once
// A matrix as Siconos writes it into text: dense by columns, in sparse blocks, or as CSparse prints it
// (docs/problems.md).
#include <string>

#include "contact/delassus.h"
#include "io/problem/number_reader.h"

namespace touchstone {

// What stands before the entries.
struct SiconosMatrixHead {
  std::uint64_t storage = 0, rows = 0, cols = 0;
  bool sparse() const { return storage == 2; }  // printed by CSparse, with six digits
};

// All throw Error (kBadInput); `name` is for messages.
SiconosMatrixHead read_siconos_head(NumberReader& in, const std::string& name);
SparseRows read_siconos_entries(NumberReader& in, const std::string& name, const SiconosMatrixHead& head);

// n × n, from its storage type on. `because` ("6 contacts in 3D have", before n) is for messages.
SparseRows read_siconos_matrix(NumberReader& in, const std::string& name, std::uint64_t n, const std::string& because);
// Throws Error unless the matrix is n × n.
void check_siconos_size(const NumberReader& in, const std::string& name, const SiconosMatrixHead& head, std::uint64_t n,
                        const std::string& because);

}  // namespace touchstone
