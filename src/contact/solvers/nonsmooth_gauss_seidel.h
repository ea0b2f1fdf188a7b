#pragma once
// The reference solver: block after block is solved exactly with all others held, over and over, until every block
// obeys its law to a tolerance. No cone is cut into a pyramid and no law is relaxed.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/anderson.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/coulomb_contact.h"
#include "contact/solvers/sweep_rows.h"

namespace touchstone {

struct GaussSeidelOptions {
  // On the worst natural map of a block [m/s, rad/s]. Below the rounding of a problem's own velocities it is raised to
  // that: 1e-14 of the fastest, or of W·r, but at most 1e-6 of the fastest free one.
  double tolerance = 1e-10;
  std::int64_t max_iterations = 20000;
  bool accelerate = true;  // see the .cpp
  SweepRoute route = SweepRoute::kChosen;
};

class NonsmoothGaussSeidel {
 public:
  // `guess`: impulses by row, or nothing. `out` keeps its capacity. Nothing is allocated once the largest problem has
  // been seen.
  void solve(const ContactProblem& problem, const GaussSeidelOptions& options, std::span<const double> guess,
             ContactSolution& out);

 private:
  struct Local {
    Eigen::Matrix3d inverse = Eigen::Matrix3d::Zero();  // equalities
    CoulombContact contact;
    double rho = 0;           // rows/trace(W); 0: nothing here can move
    std::uint32_t flips = 0;  // between sticking and sliding
    bool sticks = false, ready = false;
  };
  const char* reason_of(SolveStatus status) const;
  void prepare(const ContactProblem& problem, SweepRoute route);
  void start(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out);
  Eigen::Vector3d solve_block(const ContactProblem& problem, std::size_t k, const Eigen::Vector3d& r,
                              const Eigen::Vector3d& u);
  double sweep(const ContactProblem& problem, ContactSolution& out);
  // How far impulses can go on along `way` until one leaves its law.
  double room(const ContactProblem& problem, const ContactSolution& out) const;
  // Goes on along the drift of the last two sweeps, if they went the same way. True if it did.
  bool follow_drift(const ContactProblem& problem, ContactSolution& out);
  void advance(const ContactProblem& problem, bool accelerate, ContactSolution& out);
  void prepare_acceleration(const ContactProblem& problem);
  double residual_of(const ContactProblem& problem, std::size_t k, const Eigen::Vector3d& r,
                     const Eigen::Vector3d& u) const;
  // The worst of all blocks; sets floor_ and boundless_.
  double residual(const ContactProblem& problem, const ContactSolution& out);
  // Looks at the residual, with velocities made anew if it seems good enough or if `thorough`.
  bool converged(const ContactProblem& problem, double tolerance, bool thorough, ContactSolution& out);

  std::vector<Local> locals_;
  SweepRows rows_;
  std::vector<double> state_;  // of the rows: what belongs to the impulses
  std::vector<double> before_, weight_, way_, last_way_;
  Anderson anderson_;
  double relaxation_ = 1;              // part of the way that a block goes to its answer
  double floor_ = 0, most_floor_ = 0;  // what rounding may leave [m/s]
  bool boundless_ = false;             // impulses have grown so much that this cannot be rounding
};

}  // namespace touchstone
