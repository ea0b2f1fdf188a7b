// Purpose: Hands a problem to Siconos' numerics library in its sparse block format and runs its drivers.
// Source: the headers of libsiconos-numerics-dev 4.4.
// Letters: as in the header.
// Deviations: none; the options are those that solver_options_create sets, but for tolerance and iterations.
// Fails: an answer that is not converged says so; memory that Siconos cannot get ends the program, as it does itself.
#define restrict __restrict  // its headers are C
#include "problems/outsiders/siconos.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc2d_compute_error.h>
#include <fc3d_compute_error.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace touchstone::bench {
namespace {

// Siconos frees what it is given by free().
template <class T>
T* copy_of(const std::vector<T>& values) {
  T* out = static_cast<T*>(std::malloc(std::max<std::size_t>(1, values.size()) * sizeof(T)));
  std::copy(values.begin(), values.end(), out);
  return out;
}

SparseBlockStructuredMatrix* matrix_of(const BlockProblem& p) {
  const std::size_t n = p.contacts(), size = static_cast<std::size_t>(p.dimension) * p.dimension;
  SparseBlockStructuredMatrix* m = SBM_new();
  m->nbblocks = static_cast<unsigned>(p.column.size());
  m->blocknumber0 = m->blocknumber1 = static_cast<unsigned>(n);
  std::vector<unsigned> ends(n);
  for (std::size_t i = 0; i < n; ++i) ends[i] = static_cast<unsigned>((i + 1) * p.dimension);
  m->blocksize0 = copy_of(ends), m->blocksize1 = copy_of(ends);
  m->filled1 = n + 1, m->filled2 = p.column.size();
  m->index1_data = copy_of(p.row_start), m->index2_data = copy_of(p.column);
  m->block = static_cast<double**>(std::malloc(p.column.size() * sizeof(double*)));
  for (std::size_t k = 0; k < p.column.size(); ++k)
    m->block[k] = copy_of(std::vector<double>(p.blocks.begin() + static_cast<std::ptrdiff_t>(k * size),
                                              p.blocks.begin() + static_cast<std::ptrdiff_t>((k + 1) * size)));
  return m;
}

}  // namespace

struct Siconos::Inside {
  FrictionContactProblem* problem = nullptr;
  SolverOptions* options = nullptr;
  double norm = 0;
  std::vector<double> reaction, velocity;
  ~Inside() {
    solver_options_delete(options);
    std::free(options);
    frictionContactProblem_free(problem);
  }
};

Siconos::Siconos(const BlockProblem& p) : inside_(std::make_unique<Inside>()) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  const int rows = static_cast<int>(p.q.size());
  inside_->problem = frictionContactProblem_new_with_data(
      p.dimension, static_cast<int>(p.contacts()), NM_new_SBM(rows, rows, matrix_of(p)), copy_of(p.q), copy_of(p.mu));
  inside_->options = solver_options_create(p.dimension == 3 ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_2D_NSGS);
  for (const double x : p.q) inside_->norm += x * x;
  inside_->norm = std::sqrt(inside_->norm);
  inside_->reaction.resize(p.q.size());
  inside_->velocity.resize(p.q.size());
}

Siconos::~Siconos() = default;

void Siconos::solve(double tolerance, int max_iterations) {
  Inside& in = *inside_;
  std::fill(in.reaction.begin(), in.reaction.end(), 0.0);
  std::fill(in.velocity.begin(), in.velocity.end(), 0.0);
  in.options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  in.options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
  // What it says of itself is not asked for: its answer is judged.
  if (in.problem->dimension == 3)
    fc3d_driver(in.problem, in.reaction.data(), in.velocity.data(), in.options);
  else
    fc2d_driver(in.problem, in.reaction.data(), in.velocity.data(), in.options);
}

std::span<const double> Siconos::impulses() const { return inside_->reaction; }

long Siconos::iterations() const { return inside_->options->iparam[SICONOS_IPARAM_ITER_DONE]; }

double Siconos::measure(std::span<const double> impulses) const {
  std::vector<double> r(impulses.begin(), impulses.end()), u(r.size());
  double error = 0;
  if (inside_->problem->dimension == 3)
    fc3d_compute_error(inside_->problem, r.data(), u.data(), 1.0, inside_->options, inside_->norm, &error);
  else
    fc2d_compute_error(inside_->problem, r.data(), u.data(), 1.0, inside_->norm, &error);
  return error;
}

}  // namespace touchstone::bench
