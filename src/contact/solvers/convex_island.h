#pragma once
// The two phases of drumwright2009 on one island. Keeps its matrices: an island of the same size as the last one
// allocates nothing, but for what Eigen's blocked products and factors of more than 128 kB take for themselves.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/dense_island.h"
#include "math/optim/cone_program.h"

namespace touchstone {

struct ConvexOptions {
  enum class Form : std::uint8_t { kCorrected, kPrinted };
  Form form = Form::kCorrected;
  // Of the squared slip that is minimised, as a part of the squared speed that gives the island its impulses: what may
  // be left above the least.
  double gap = 1e-11;
  std::int64_t max_iterations = 1000;  // Newton steps in an island
};

class ConvexIsland {
 public:
  // `blocks` hang together by cliques. `guess`: impulses by row, or nothing. Sets their impulses in `out`, and adds to
  // its status, iterations and residual.
  void solve(const ContactProblem& problem, std::span<const std::uint32_t> blocks, const ConvexOptions& options,
             std::span<const double> guess, ContactSolution& out);
  static void note(SolveStatus status, const char* reason, ContactSolution& out);

 private:
  struct Normal {                 // a kept row of role kUnilateral
    std::size_t row = 0;          // in kept()
    std::size_t tangent[2] = {};  // in kept()
    int tangents = 0;             // none without friction
    double friction = 0;
    bool contact = false, two = false;             // a contact, not a limit; one whose coefficients differ
    double before = 0;                             // w_s, impulse of phase 1, scaled
    double closing = 0;                            // what rounding of phase 1 left, scaled velocity
    bool active = false;                           // takes part in phase 2
    Eigen::Index variable = 0, first_tangent = 0;  // in phase 2
  };
  struct Phase {
    Phase() : barrier(program) {}
    ConeProgram program;
    ConeBarrier barrier;
    BarrierMinimiser minimiser;
    Eigen::VectorXd x, start;
  };
  void run(const ContactProblem& problem, const ConvexOptions& options, std::span<const double> guess,
           ContactSolution& out);
  void start_motors(const ContactProblem& problem, std::span<const double> guess);
  bool turn_motors(const ContactProblem& problem);
  void gather_normals(const ContactProblem& problem);
  bool scale();
  void phase_one(std::span<const double> guess, ContactSolution& out);
  bool collect_variables();
  void add_slip_objective();
  void add_sum(bool contacts, Eigen::Index row);
  void add_constraints();
  void phase_two(const ConvexOptions& options, ContactSolution& out);
  void printed(const ConvexOptions& options, ContactSolution& out);
  void printed_friction(const ConvexOptions& options, const Eigen::VectorXd& w, double most, ContactSolution& out);
  bool again(const ContactProblem& problem, const ConvexOptions& options);
  void finish(const ContactProblem& problem, ContactSolution& out);
  // False if x has not been moved to anything of use; what went wrong is noted in `out`.
  bool minimise(Phase& phase, const BarrierOptions& options, ContactSolution& out);

  DenseIsland island_;
  std::vector<Normal> normals_;
  std::vector<std::uint8_t> slid_, woken_;  // by row of the island: what earlier rounds found
  std::vector<std::size_t> variable_;       // of phase 2: rows in kept()
  std::vector<std::uint8_t> turns_;         // by row of the island: how often a motor went to or from its bound
  Phase one_, two_;
  Eigen::VectorXd scale_, kept_, all_, moved_;  // moved_: the last place of the ridge
  Eigen::MatrixXd slip_;                        // D of §3.2, and b_T, scaled
  Eigen::VectorXd slip0_, residual_;
  double unit_ = 0;        // of scaled velocities [√J]
  double speed_ = 0;       // of scaled slip [m/s]
  std::int64_t left_ = 0;  // Newton steps
  StopFlag stop_;          // of the problem at hand
};

}  // namespace touchstone
