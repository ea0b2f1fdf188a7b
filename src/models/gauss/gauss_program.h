#pragma once
// Solves a contact problem as a program of Gauss' principle in reduced coordinates: 3 unknowns a body in 2D, 6 in 3D.
#include "contact/reform/problem_as_qp.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"

namespace touchstone {

struct GaussProgramOptions {
  int facets = 0;  // of a friction pyramid in 3D; 0: no friction
  double tolerance = 1e-11;
  std::int64_t max_iterations = 500;
};

// The worst of the three numbers of a certificate, and what else a model reports of a solve.
double worst_of(const QpAnswer& answer);
// Null if the answer is one to this tolerance; otherwise why it is none.
const char* fault_of(const QpAnswer& answer, double tolerance);

// Sets the velocities of `out` from its impulses: v_free + M⁻¹·Jᵀ·r.
void velocities_of(const ContactProblem& problem, std::vector<double>& momentum, ContactSolution& out);

class GaussProgram {
 public:
  // `guess`: impulses by row, or nothing; together with the problem it decides the answer to the last bit. The residual
  // of `out` is the worst number of the certificate. A program without solution is answered by sweeps, and says so.
  void solve(const ContactProblem& problem, const GaussProgramOptions& options, std::span<const double> guess,
             ContactSolution& out);

 private:
  void take(const ContactProblem& problem, ContactSolution& out);
  void give_up(const ContactProblem& problem, const char* reason, ContactSolution& out);

  ProblemAsQp reform_;
  QuadraticSolver solver_;
  NonsmoothGaussSeidel sweeps_;
  std::vector<ContactLaw> laws_;  // of sweeps: without friction
  std::vector<double> momentum_;
};

}  // namespace touchstone
