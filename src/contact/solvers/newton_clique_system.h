#pragma once
// The linear system of Newton's method in the velocities of cliques of any sizes: sparse, for islands in which some
// clique has more numbers than a body, as articulated trees do.
#include <span>
#include <vector>

#include "contact/solvers/newton_block.h"
#include "math/sized_block_lu.h"

namespace touchstone {

class CliqueSystem {
 public:
  // Unknowns of a clique at most: a factorisation costs their cube.
  static constexpr std::uint32_t kMostUnknowns = 60;

  // As BodySystem::load; `most_products` of 6×6 blocks.
  bool load(const ContactProblem& problem, std::span<const NewtonBlock> blocks, std::span<const std::uint32_t> cliques,
            double most_products);
  bool solve(std::span<NewtonBlock> blocks, double epsilon);

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 3, kMostUnknowns>;
  using Jacobian = Eigen::Map<const Rows>;
  struct Side {
    std::uint32_t at = 0;      // local clique
    std::size_t jacobian = 0;  // in jacobian_, rows × size
  };
  struct Sides {
    Side side[2];
    int count = 0;
    Eigen::Index rows = 0;
  };
  bool load_masses(const ContactProblem& problem, std::span<const std::uint32_t> cliques);
  Jacobian jacobian(const Sides& s, int k) const {
    return {&jacobian_[s.side[k].jacobian], s.rows, static_cast<Eigen::Index>(sizes_[s.side[k].at])};
  }
  Eigen::Map<Eigen::VectorXd> way(std::uint32_t clique) {
    return {&way_[first_[clique]], static_cast<Eigen::Index>(sizes_[clique])};
  }
  void add(const Sides& s, const NewtonGain& gain);

  SizedBlockLu lu_;
  std::vector<std::uint32_t> sizes_, local_;
  std::vector<std::size_t> first_, mass_at_;
  std::vector<double> mass_, inverse_, jacobian_, way_;
  std::vector<Sides> sides_;
  std::vector<NewtonGain> gains_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace touchstone
