#pragma once
// Collisions as thompson2003 writes them down: velocities after and impulses, of one pair and all joints, as the
// unknowns of one bordered identity matrix. No friction; pairs that approach take turns.
#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/contact_solution.h"
#include "math/sparse/krylov.h"
#include "math/sparse/operators.h"

namespace touchstone {

struct BorderedOptions {
  double tolerance = 1e-12;         // approach that is left [m/s]
  std::int64_t max_collisions = 0;  // of one pair each; 0: a thousand for each contact
};

class BorderedImpact {
 public:
  // The system of one contact or limit and of all equalities, from these velocities: first the velocities after, in the
  // order of the problem, then the impulse of the contact in world axes, then those of the equalities.
  void load(const ContactProblem& problem, std::uint32_t block, std::span<const double> before);
  const BorderedIdentityMatrix& matrix() const { return matrix_; }
  const Eigen::VectorXd& right() const { return right_; }

  // All contacts and limits that approach, the fastest first, until none does.
  void solve(const ContactProblem& problem, const BorderedOptions& options, ContactSolution& out);

 private:
  struct Border {
    std::uint32_t block;
    Eigen::Index first;  // of its unknowns
  };
  void add_border(const ContactProblem& problem, std::uint32_t block);
  bool collide(const ContactProblem& problem, std::uint32_t block, ContactSolution& out);

  BorderedIdentityMatrix matrix_;
  std::vector<Border> borders_;
  Eigen::VectorXd right_, unknowns_, rest_, step_, product_;
  KrylovWorkspace krylov_;
};

}  // namespace touchstone
