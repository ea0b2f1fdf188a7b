#pragma once
// FCLIB's HDF5 files of contact problems, as plain arrays: what is in them, not what it means.
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {

// A matrix as CSparse has it: compressed columns where nz = −1, compressed rows where nz = −2, triplets otherwise
// (i the rows, p the columns).
struct FclibMatrix {
  std::int32_t m = 0, n = 0, nz = -2;
  std::vector<std::int32_t> p, i;
  std::vector<double> x;
};

// Local: W, q, μ; with equalities V, R, s. Global: M, H, f, w, μ.
struct FclibData {
  bool global = false;
  std::int32_t dimension = 3;
  FclibMatrix w, v, r;  // local: W, V, R; V and R may be empty
  FclibMatrix mass, h;  // global
  std::vector<double> q, s, mu, f, bias;
  std::vector<double> guess, solution;  // r, where the file has them
  std::vector<double> solution_u;       // u of the solution
  std::vector<std::string> notes;       // optional parts that are there and cannot be read, in words
};

// Throw Error that names the file and the dataset: kIo where it cannot be read, kBadInput where it is damaged, of
// another kind, or holds what FCLIB allows and nobody here knows (equalities in a global problem).
FclibData read_fclib(const std::string& path);
// Of a local problem. The file appears when it is complete.
void write_fclib(const std::string& path, const FclibData& data);
// Whether the file begins as HDF5 files do. Throws Error (kIo) if it cannot be read.
bool is_hdf5(const std::string& path);
// All of a file; `what` names its kind in messages. Throws Error: kIo, or kBadInput for a file too large to be a text.
std::string read_whole_file(const std::string& path, const std::string& what = "problem file");
// Throws Error (kIo). The file appears when it is complete.
void write_whole_file(const std::string& path, const std::string& text);

}  // namespace touchstone
