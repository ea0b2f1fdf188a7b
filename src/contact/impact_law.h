#pragma once
// Impacts under laws of restitution that follow the course of an impact: Poisson's and Stronge's. For any model that
// builds contact problems. Newton's law needs none of this: `ContactProblem::restitution` states it.
//
// The problem is that of an instant (ProblemInput::impact), with e of each contact in ContactLaw::restitution; the
// rows' own `restitution` is not looked at. Islands in which no contact with e > 0 approaches faster than `slowest`
// keep their velocities.
#include <functional>
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/islands.h"
#include "contact/restitution_law.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"

namespace touchstone {

struct ImpactLawOptions {
  RestitutionLaw law = RestitutionLaw::kPoisson;
  double slowest = 0;        // slower approaches are no impact [m/s]
  double tolerance = 1e-10;  // of natural maps [m/s]
  bool inelastic = false;    // islands in which only contacts without restitution approach are impacts, too
};

class ImpactLaw {
 public:
  // Solves a problem under the model's own laws of friction: compression.
  using Solve = std::function<void(const ContactProblem&, std::span<const double> guess, ContactSolution&)>;

  // `out` is as a solver gives it: impulses of the whole impact by row, and the velocities after it.
  void resolve(const ContactProblem& problem, const ImpactLawOptions& options, const Solve& solve,
               ContactSolution& out);

 private:
  struct Point {
    std::uint32_t row = 0, rows = 0, contact = 0;  // of the island's problem
    double e = 0, friction = 0;
    double start = 0;                              // u_N at the start, if it approaches: < 0
    double compression = 0, work = 0;              // r_C [N·s], W_C [J]: <= 0
    double done = 0;                               // of the work of expansion [J]
    bool expands = false;                          // has not given back all that it owes
    Eigen::Vector3d u = {0, 0, 0}, v = {0, 0, 0};  // relative velocity at the start and at the end of a part
  };
  enum class Phase { kCompression, kExpansion };

  void sort_into_islands(const ContactProblem& problem);
  bool collides(const ContactProblem& problem, std::span<const std::uint32_t> blocks) const;
  void load(const ContactProblem& problem, std::span<const std::uint32_t> blocks);
  void resolve_island();
  bool resolve_alone();
  template <int D>
  void resolve_point(const Point& point);
  void compress();
  void expand();
  void expand_by_work();
  double next_part(Phase phase, double from, double longest);
  void solve_part(Phase phase, double from, double length);
  bool keeps_modes(Phase phase, double from) const;
  double first_event(Phase phase, double from, double length, double longest) const;
  double first_paid(double length) const;
  void bend(Phase phase, double from, double length);
  void accept(Phase phase);
  void note(const ContactSolution& part);
  Eigen::Vector3d relative(const Point& point, const std::vector<double>& relative) const;
  double target(Phase phase, const Point& point, double at) const {
    return phase == Phase::kCompression ? (1 - at) * point.start : 0.0;
  }
  bool spent() const { return solves_ >= most_solves_; }

  ImpactLawOptions options_;
  const Solve* solve_ = nullptr;
  Islands islands_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // island, block
  std::vector<std::uint32_t> blocks_, local_;                   // of an island; clique of the island by clique
  ProblemData data_;                                            // the island's problem
  std::vector<std::uint32_t> rows_, cliques_;                   // of the whole problem, by those of the island
  std::vector<Point> points_;
  std::vector<double> whole_;  // relative velocities of the whole problem at the start
  std::vector<double> impulses_, relative_, momentum_;
  NonsmoothGaussSeidel sweeps_;
  ContactSolution part_;
  std::int64_t solves_ = 0, most_solves_ = 0, iterations_ = 0;
  double hint_ = 1;   // how long a part is tried first
  double still_ = 0;  // slower is no slip, and nearer to its bound is at it [m/s]
  SolveStatus status_ = SolveStatus::kConverged;
  const char* reason_ = "";
  double residual_ = 0;
};

}  // namespace touchstone
