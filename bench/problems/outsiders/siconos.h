#pragma once
// Siconos' non-smooth Gauss-Seidel behind plain numbers: none of its headers meets ours.
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace touchstone::bench {

// u = W·r + q with friction μ. W by rows of blocks of dimension², each block column by column: Siconos' own sparse
// form.
struct BlockProblem {
  int dimension = 3;
  std::vector<std::size_t> row_start, column;  // in blocks
  std::vector<double> blocks, q, mu;
  std::size_t contacts() const { return mu.size(); }
};

class Siconos {
 public:
  explicit Siconos(const BlockProblem& problem);
  ~Siconos();

  // fc3d_nsgs or fc2d_nsgs with the options that Siconos sets itself, from nothing, to a tolerance of its measure.
  void solve(double tolerance, int max_iterations);
  std::span<const double> impulses() const;
  long iterations() const;
  // Siconos' measure of any impulses, by its own code: ‖r − P_K(r − û)‖/‖q‖.
  double measure(std::span<const double> impulses) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace touchstone::bench
