#pragma once
// A contact problem as one convex quadratic program in the velocities: Gauss' principle of least restraint for a step.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "math/optim/quadratic_program.h"

namespace touchstone {

class ProblemAsQp {
 public:
  static constexpr int kLeastFacets = 4, kMostFacets = 64;

  // facets: 0 leaves friction out; otherwise the sides of the pyramid of a contact with three rows, even. The program
  // stays in memory that is kept.
  const QuadraticProgram& build(const ContactProblem& problem, int facets);
  const QuadraticProgram& program() const { return program_; }

  // Rows that these impulses (by row of the problem) need, as QuadraticSolver takes a guess. Empty: they need none.
  std::span<const std::int8_t> guess(const ContactProblem& problem, std::span<const double> impulses);
  // Impulses by row of the problem from the multipliers of the program.
  void read_impulses(const ContactProblem& problem, const Eigen::VectorXd& multipliers, std::span<double> out) const;

 private:
  // One row of the program: a combination of rows of a block, times the sign of slack variables.
  struct Row {
    std::uint32_t block = 0;
    Eigen::Vector3d weight = Eigen::Vector3d::Zero();  // of the block's rows
  };
  struct Entry {
    int row, column;
    double value;
  };
  void add_row(const ContactProblem& p, std::uint32_t block, const Eigen::Vector3d& weight, bool equation);
  void add_contact(const ContactProblem& p, std::uint32_t block, int facets);
  void add_motor(const ContactProblem& p, std::uint32_t block);
  void add_mass(const ContactProblem& p);
  static void fill(std::vector<Entry>& entries, std::vector<int>& begin, int rows, int columns,
                   Eigen::SparseMatrix<double>& out);

  QuadraticProgram program_;
  std::vector<Row> rows_;
  std::vector<Entry> entries_, mass_;
  std::vector<double> lower_, upper_, linear_, block_;
  std::vector<int> begin_;
  std::vector<std::int8_t> active_;
};

}  // namespace touchstone
