#pragma once
// An island under the laws of friction pyramids by Newton's method: guesses what each contact does (open, stick, slide
// along an edge or at a corner of its pyramid), solves the linear system of that guess, and guesses anew. It ends at
// the right guess, with the answer to rounding; it may also not end, and says so.
#include <Eigen/Core>
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/reform/problem_as_lcp.h"
#include "contact/solvers/island_matrix.h"

namespace touchstone {

struct PyramidNewtonOptions {
  int facets = 8;           // as in ProblemAsLcp
  double tolerance = 1e-9;  // on the natural map of the pyramids' laws [m/s, rad/s]
  int rounds = 4;           // of sweeps and Newton steps
};

struct PyramidNewtonResult {
  bool converged = false;
  std::int64_t iterations = 0;  // linear systems solved
  double residual = 0;          // natural map of the best point [m/s, rad/s]
};

class PyramidNewton {
 public:
  // `matrix` is that of the blocks. `use` and `slides`: as in ProblemAsLcp::build. `impulses`, by row of the problem:
  // a guess, which becomes the answer, or the best point that was met. Memory is kept.
  PyramidNewtonResult solve(const ContactProblem& problem, std::span<const std::uint32_t> blocks,
                            const IslandMatrix& matrix, const PyramidNewtonOptions& options,
                            std::span<const FrictionUse> use, std::span<const Eigen::Vector2d> slides,
                            std::span<double> impulses);

 private:
  struct Law {  // of a block; impulses scaled by 1/s, velocities by s
    BlockKind kind;
    std::uint32_t first, rows;
    double scale, friction, lower, upper;
    bool slides;                       // along a given direction
    Eigen::Vector2d tangent;           // that; friction is against it
    double normal_step, tangent_step;  // of a sweep: inverse responses
  };
  struct Unknown {  // of the linear system: impulses act along `act` in the rows of a block, velocities along `row`
    std::uint32_t first, rows;
    double act[3], row[3], start;
  };
  struct Target {  // nearest point of a polygon, and where it lies
    double point[2];
    enum class At : std::uint8_t { kInside, kEdge, kCorner } at;
    double outward[2], along[2];  // of an edge; of a corner, outward is its direction
  };
  void load(const ContactProblem& p, std::span<const std::uint32_t> blocks, const IslandMatrix& matrix,
            std::span<const FrictionUse> use, std::span<const Eigen::Vector2d> slides);
  Target nearest(const Law& law, double radius, double x, double y) const;
  void project(const Law& law, const double* from, double* to) const;
  double natural_map() const;
  void refresh();
  void sweep();
  void cut();
  void choose();
  void add_contact(const Law& law);
  bool newton();
  bool eliminate(std::size_t n);

  std::size_t n_ = 0;
  int facets_ = 8;
  std::vector<Law> laws_;
  std::vector<double> w_, q_, r_, u_, best_;  // scaled
  std::vector<Unknown> unknowns_;
  std::vector<double> acts_, system_, x_;
};

}  // namespace touchstone
