#pragma once
// The two phases of drumwright2009: normal impulses that keep bodies apart, then friction that takes as much slip as it
// can, both by convex optimisation, island by island. It is not Coulomb's law: see convex_island.cpp and
// docs/models/convex.md.
#include <memory>
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/convex_island.h"
#include "contact/solvers/island_matrix.h"

namespace touchstone {

class ConvexBarrier {
 public:
  // `guess`: impulses by row, or nothing. `out.residual` is the greatest velocity by which a contact or limit closes
  // against its law or an equality is missed [m/s or rad/s]: slip is not judged, since the theory is not Coulomb's.
  // Matrices are kept by the sizes of islands: problems of islands as before allocate nothing.
  void solve(const ContactProblem& problem, const ConvexOptions& options, std::span<const double> guess,
             ContactSolution& out);

 private:
  struct Workspace {
    std::uint64_t size;  // rows and blocks of the islands it is for
    std::unique_ptr<ConvexIsland> island;
  };
  ConvexIsland& workspace(const ContactProblem& problem, std::span<const std::uint32_t> blocks);

  IslandList list_;
  std::vector<Workspace> workspaces_;  // by size
  std::vector<double> momentum_;
};

}  // namespace touchstone
