#pragma once
// Contact problems on their own: solved by a named solver and judged by the yardstick; taken out of a step of a run.
#include <span>
#include <string>
#include <vector>

#include "contact/solvers/contact_solution.h"
#include "io/problem/problem_file.h"
#include "recording/recording.h"
#include "touchstone/description.h"
#include "touchstone/measures.h"

namespace touchstone {

struct ProblemRequest {
  std::string solver = "nsgs";
  double tolerance = 1e-8;          // on natural_map, relative [1]
  std::int64_t max_iterations = 0;  // 0: the solver's own limit
  bool use_guess = false;           // start from the impulses that the file has
};

struct ProblemResult {
  ContactSolution solution;
  double seconds = 0;    // of the solve
  double reference = 0;  // speed that errors are relative to [m/s]
  StepMeasures measures;
  const char* law = "";  // that the solver obeys: "Coulomb", or what it has instead
  // By the yardstick, under Coulomb's law, whatever the solver says: natural_map within the tolerance, joints' rows
  // within the same part of the reference speed.
  bool solved = false;
  bool finite = true;  // all measures are; if not, nothing is solved
  std::string status;  // in words, with the reason if it is not solved
};

// Throws Error (kBadInput) if it is not positive and finite.
void check_tolerance(double tolerance);

// Throws Error (kBadInput) with the names there are for an unknown solver, and for a tolerance that is not positive and
// finite.
ProblemResult solve_problem(const ProblemFile& file, const ProblemRequest& request);

// A solve of a step as a problem.
struct CapturedProblem {
  ProblemFile file;
  std::size_t solve = 0, solves = 0;  // which of the step's solves it is, 1 the first; how many there were
  bool impact = false;                // an instant, in which no other force acts
  double impulse = 0;                 // sum of the magnitudes of its contact impulses [N·s]
};

// The problem of a step (1 is the first): the recording's scene is simulated again up to it, from the last snapshot if
// that lies before. A step may have several solves (substeps, impacts): `solve` says which to take, 1 the first. 0: of
// the impacts that gave an impulse the one that gave most, if there are any; otherwise the solve that gave most. The
// impulses that the model found are the guess. Throws Error if the recording has no scene, not so many steps or not so
// many solves in the step, if the run does not repeat (another build, a program's callbacks), or if the solve has no
// contact and no joint.
CapturedProblem capture_problem(const Recording& recording, std::uint64_t step, std::size_t solve = 0);

// Of some steps, rising, of a scene that is run for it from the start: the solve with most contacts, of equal ones the
// last, which is the one that is worth to be timed.
std::vector<ProblemFile> capture_problems(const SceneDescription& scene, std::span<const std::uint64_t> steps);

}  // namespace touchstone
