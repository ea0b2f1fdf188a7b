#pragma once
// What is looked at before and after a solve, whichever solver it is: problems that make no sense, answers that are
// none, and why there is none.
#include "contact/contact_problem.h"
#include "contact/solvers/contact_solution.h"

namespace touchstone {

// Null, or what is wrong with the numbers of a problem.
const char* problem_defect(const ContactProblem& problem);

// No impulses; velocities are the free ones, as far as they are numbers.
void answer_nothing(const ContactProblem& problem, SolveStatus status, const char* reason, ContactSolution& out);

bool all_finite(const ContactSolution& solution);

// Whether a contact, limit or equality that no impulse moves (its own block of W is zero or negative) is left further
// than the tolerance [m/s] from its law.
bool unmovable_is_left(const ContactProblem& problem, const ContactSolution& solution, double tolerance);

// Whether the answer is further from the laws, by the natural map of Coulomb's law, than no impulses are. For solves
// that have failed: such an answer has diverged.
bool worse_than_nothing(const ContactProblem& problem, const ContactSolution& solution);

// The reason of an answer that was given up for none; `reason` is what it would have had.
const char* cause_of_divergence(const ContactProblem& problem, const char* reason);

// Why a problem cannot be solved, as far as its matrices tell; null if they do not. Dense: for solves that have failed.
const char* cause_of_failure(const ContactProblem& problem);

}  // namespace touchstone
