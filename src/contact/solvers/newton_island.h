#pragma once
// Newton's method on one island of a contact problem.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/solvers/newton_clique_system.h"
#include "contact/solvers/newton_system.h"

namespace touchstone {

struct NewtonIslandOptions {
  double tolerance = 1e-10;      // on the worst natural map of a block [m/s, rad/s]
  std::int64_t max_steps = 20;   // of Newton's method on the laws as they are
  double side = 3;               // by how much more friction is smoothed than the rest: another number, another path
  double most_products = 2e6;    // of 6×6 blocks in a factorisation: about a second
  std::size_t most_rows = 1500;  // of a dense system: about a second
};

class NewtonIsland {
 public:
  // `blocks` hang together by cliques.
  void load(const ContactProblem& problem, std::span<const std::uint32_t> blocks);
  // From and to `impulses`, by row of the problem; only the island's are touched. Returns the worst natural map. What
  // it leaves is within the bounds of its laws; what was within the tolerance already is left as it is.
  double solve(const ContactProblem& problem, const NewtonIslandOptions& options, std::span<double> impulses);
  std::int64_t steps() const { return steps_; }
  bool too_large() const { return too_large_; }  // and was left as it is
  double floor() const { return floor_; }        // rounding of the island's velocities [m/s]

 private:
  void load_block(const ContactProblem& problem, std::uint32_t index, NewtonBlock& out);
  bool prepare_system(const ContactProblem& problem, const NewtonIslandOptions& options);
  void choose_friction(const ContactProblem& problem);
  bool loosen(const ContactProblem& problem, double slip);
  // out += J·M⁻¹·Jᵀ·x for members of the blocks.
  void respond(const ContactProblem& problem, Eigen::Vector3d NewtonBlock::*x, Eigen::Vector3d NewtonBlock::*out);
  void refresh(const ContactProblem& problem);
  double worst();
  double squared_error_at(double t) const;
  bool solve_system(double epsilon);
  bool step(const ContactProblem& problem, double above, double& epsilon);
  void weigh_all(double noise);
  double distance() const;
  int approach(const ContactProblem& problem, double delta, double noise, int most);
  void follow_path(const ContactProblem& problem, const NewtonIslandOptions& options, double delta);
  double iterate(const ContactProblem& problem, const NewtonIslandOptions& options);
  void solve_laws(const ContactProblem& problem, const NewtonIslandOptions& options);
  void keep(std::vector<Eigen::Vector3d>& impulses) const;
  void put_back(const ContactProblem& problem, const std::vector<Eigen::Vector3d>& impulses);
  void finish(const ContactProblem& problem);

  enum class Route : std::uint8_t { kPlane, kSpace, kCliques, kRows };
  Route route_ = Route::kRows;
  std::vector<NewtonBlock> blocks_;
  std::vector<std::uint32_t> cliques_;
  std::vector<double> momentum_, velocity_;  // of all cliques of the problem
  std::vector<Eigen::Vector3d> best_, start_, plain_, centre_;
  BodySystem<3> plane_;
  BodySystem<6> space_;
  CliqueSystem trees_;
  RowSystem rows_;
  std::int64_t steps_ = 0;
  double floor_ = 0;
  bool too_large_ = false;
};

}  // namespace touchstone
