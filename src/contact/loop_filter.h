#pragma once
// Joints that close a loop may depend on each other: always, where one would do for two, or at an instant, as in a
// four-bar linkage whose bars lie in one line. What is asked of them along the direction in which they depend cannot be
// had, and asking makes impulses without bound. The filter takes that part off what is asked.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/joint_loops.h"
#include "math/block_cholesky.h"

namespace touchstone {

// With A = J·M⁻¹·Jᵀ of the equality rows and D its diagonal, x ← A·(A + ε·D)⁻¹·x: a part of x along an eigenvector of A
// (scaled by D) with eigenvalue σ² is multiplied by σ²/(σ² + ε). Motion along it is then left to inertia, for the few
// steps that a linkage takes to pass.
class LoopFilter {
 public:
  // Looks at the equality blocks of a problem. False: they close no loop, and nothing is to be filtered.
  bool load(const ContactProblem& problem);
  bool loops() const { return loops_; }
  // x: one number a row of the problem; those of other blocks stay.
  void apply(const ContactProblem& problem, std::span<double> x);

 private:
  bool find_order(const ContactProblem& problem);
  void add_blocks(const ContactProblem& problem);

  JointLoops joint_loops_;
  bool loops_ = false;
  std::vector<std::uint32_t> nodes_;  // equality blocks
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_, ordered_edges_, by_clique_;
  std::size_t ordered_nodes_ = 0;
  BlockCholesky<3> factor_;
  std::vector<Eigen::Vector3d> ridge_, x_;
  std::vector<double> response_;  // J·M⁻¹, laid out as J
};

}  // namespace touchstone
