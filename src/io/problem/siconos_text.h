#pragma once
// Text files of friction-contact problems as Siconos writes them. Local: dimension, contacts, W, q and μ; one more
// number may follow, which Siconos writes and nobody needs. Global: dimension, contacts, M, H, q, b and μ.
#include <string>
#include <variant>

#include "io/problem/outside_problem.h"

namespace touchstone {

// Which of the two it is shows in the sizes. Throws Error (kBadInput) that names the file and the line.
std::variant<LocalProblem, GlobalProblem> parse_siconos_text(const std::string& path, std::string_view text,
                                                             ProblemNotes& notes);

}  // namespace touchstone
