#pragma once
// Text files of friction-contact problems as Siconos writes them: dimension, contacts, W (dense or in sparse blocks), q
// and μ. One more number may follow, which Siconos writes and nobody needs.
#include <string>

#include "io/problem/outside_problem.h"

namespace touchstone {

// Throws Error (kBadInput) that names the file and the line.
LocalProblem parse_siconos_text(const std::string& path, std::string_view text);

}  // namespace touchstone
