#pragma once
// Contact problems as others write them down, and as problems of ours. A local one is W, q and μ: u = W·r + q. A global
// one is M, H, f, w and μ: M·v = H·r + f, u = Hᵀ·v + w. Rows of a contact: normal, then tangents.
#include <string>
#include <vector>

#include "contact/delassus.h"

namespace touchstone {

// Behind the contacts' rows may follow rows of equalities, whose u is zero.
struct LocalProblem {
  int dimension = 3;  // rows of a contact
  SparseRows w;       // (contacts·dimension + equalities) squared
  std::vector<double> q, mu;
};

struct GlobalProblem {
  int dimension = 3;
  SparseRows mass, h;  // velocities × velocities, velocities × rows
  std::vector<double> f, w, mu;
};

// What is strange about a problem without being wrong, in words: no symmetry, no full rank.
using ProblemNotes = std::vector<std::string>;

// Throw Error (kBadInput) that begins with `name` and says what does not fit together, and where.
ProblemData to_problem(const LocalProblem& local, const std::string& name, ProblemNotes& notes);
ProblemData to_problem(const GlobalProblem& global, const std::string& name, ProblemNotes& notes);

// W, q and μ of a problem of ours. Limits become contacts without friction; of two coefficients the dynamic one is
// taken, which is noted. Throws Error (kUnsupported) for motors: nobody else has bounded impulses.
LocalProblem to_local(const ContactProblem& problem, ProblemNotes& notes);

}  // namespace touchstone
