#pragma once
// Contact problems as files: ours, Siconos' text and FCLIB's HDF5, told apart by what is in them (docs/problems.md).
#include <string>
#include <vector>

#include "io/problem/outside_problem.h"

namespace touchstone {

struct ProblemFile {
  std::string format;  // "touchstone", "siconos text", "fclib local" or "fclib global"
  std::string origin;  // where it comes from, one line; of foreign files ""
  double gravity = 0;  // [m/s²]; with h the least speed that errors are compared with. Unknown: 0
  ProblemData data;
  std::vector<double> guess;     // impulses by row; or empty
  std::vector<double> solution;  // the same as the file's author found them; or empty
  ProblemNotes notes;
};

// Throws Error: kIo if it cannot be read, kBadInput with the line or the dataset if it is wrong.
ProblemFile read_problem(const std::string& path);

// Our own text: every number comes back with the same bits. The solution and the notes are not kept.
std::string problem_text(const ProblemFile& file);
ProblemFile parse_problem_text(const std::string& path, std::string_view text);

// FCLIB (local) where the name ends in .hdf5 or .h5, ours otherwise. Returns what was lost, in words. Throws Error
// (kIo, kUnsupported).
ProblemNotes write_problem(const std::string& path, const ProblemFile& file);

}  // namespace touchstone
