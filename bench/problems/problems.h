#pragma once
// The contact problems that are measured: files of others, and steps of our own scenes, made when they are asked for.
#include <string>
#include <vector>

#include "io/problem/problem_file.h"
#include "problems/outsiders/siconos.h"

namespace touchstone::bench {

struct NamedProblem {
  std::string name;
  ProblemFile file;
};

// "heap" and "stack100": steps of those scenes, reached under the model `impulse`.
const std::vector<std::string>& recorded_names();
std::vector<NamedProblem> record_problems(const std::string& name);

// All files of a folder, by name. Throws Error if one cannot be read.
std::vector<NamedProblem> read_folder(const std::string& path);
NamedProblem read_file(const std::string& path);

// W, q and μ in blocks. Throws Error (kUnsupported) for joints and motors: Siconos' contact solvers have none.
BlockProblem to_blocks(const ContactProblem& problem);

}  // namespace touchstone::bench
