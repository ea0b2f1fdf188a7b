#pragma once
// Projected Gauss-Seidel: row after row goes to where its own response would end it, and is brought back into its
// bounds. A sweep is cheaper than one of NonsmoothGaussSeidel, and more of them are needed.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/contact_solution.h"

namespace touchstone {

struct ProjectedOptions {
  // kCone: friction is brought back into the disc of radius μ·r_N as one vector, which is Coulomb's law. kPyramid: each
  // tangential row is brought back into ±μ·r_N by itself, a pyramid of four sides along the tangents: its corners hold
  // √2 times as much, and it slides to the side of where it is pushed. In 2D the two are one.
  enum class Law : std::uint8_t { kCone, kPyramid };
  Law law = Law::kCone;
  bool conjugate = false;  // directions of non-linear conjugate gradients between sweeps
  // On the worst natural map of a block under that law [m/s, rad/s]. Below the rounding of a problem's own velocities
  // it is raised to that: 1e-14 of the fastest.
  double tolerance = 1e-10;
  std::int64_t max_iterations = 20000;
};

class ProjectedGaussSeidel {
 public:
  // As NonsmoothGaussSeidel::solve; out.residual is that of the law.
  void solve(const ContactProblem& problem, const ProjectedOptions& options, std::span<const double> guess,
             ContactSolution& out);

 private:
  struct Local {
    Eigen::Vector3d rho = Eigen::Vector3d::Zero();  // by row [kg]; of both tangents of a cone the lesser
    double measure_rho = 0;                         // rows/trace(W_ii); 0: nothing here can move
    std::uint32_t flips = 0;                        // between sticking and sliding
    bool sticks = false;
  };
  void prepare(const ContactProblem& problem, const ProjectedOptions& options);
  void start(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out);
  void refresh(const ContactProblem& problem, std::span<const double> r, std::span<double> v);
  double velocity(const ContactProblem& problem, const RowBlock& block, std::uint32_t row,
                  std::span<const double> v) const;
  void change(const ContactProblem& problem, const RowBlock& block, std::uint32_t row, double by,
              ContactSolution& out) const;
  void sweep(const ContactProblem& problem, const ProjectedOptions& options, ContactSolution& out);
  void sweep_friction(const ContactProblem& problem, const RowBlock& block, Local& local,
                      const ProjectedOptions& options, ContactSolution& out);
  void conjugate(ContactSolution& out);
  double residual_of(const ContactProblem& problem, const RowBlock& block, const Local& local,
                     const ProjectedOptions& options, const Eigen::Vector3d& r, const Eigen::Vector3d& u) const;
  double residual(const ContactProblem& problem, const ProjectedOptions& options, const ContactSolution& out);

  std::vector<Local> locals_;
  std::vector<double> response_;  // M⁻¹·Jᵀ, laid out as J
  std::vector<double> momentum_, weight_;
  std::vector<double> before_r_, before_v_, way_r_, way_v_;
  double last_step2_ = 0;
  double floor_ = 0;  // rounding of the problem's velocities [m/s]
};

}  // namespace touchstone
