#pragma once
// The Delassus operator W = J·M⁻¹·Jᵀ of a problem: how impulses of rows change the relative velocities of rows. Applied
// without being formed; dense for tests and for direct methods on small problems; sparse where rows of few bodies meet.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "contact/contact_problem.h"

namespace touchstone {

class Delassus {
 public:
  // The problem must outlive the operator's use.
  void prepare(const ContactProblem& problem);
  // out = W·r. Nothing is allocated once the largest problem has been seen.
  void apply(std::span<const double> r, std::span<double> out);
  Eigen::MatrixXd dense() const;

 private:
  ContactProblem problem_;
  std::vector<double> momentum_, velocity_;
};

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;

// W by blocks: only rows that share a clique meet. Entries that are exactly zero are left out.
SparseRows sparse_delassus(const ContactProblem& problem);

// J as a dense matrix, rows × velocities; M⁻¹ likewise.
Eigen::MatrixXd dense_jacobian(const ContactProblem& problem);
Eigen::MatrixXd dense_inverse_mass(const ContactProblem& problem);

// q = J·v_free + biases: what the rows would see without impulses.
void free_relative_velocity(const ContactProblem& problem, std::span<double> q);

}  // namespace touchstone
