#pragma once
// The rows of a problem as Gauss-Seidel goes over them: what a block's relative velocity is now, and how all change
// when the block's impulse does. There are two routes, which give the same to rounding:
//
// - bodies: the state is v, a block reads and writes the velocities of its two cliques. For problems that have bodies.
// - blocks: the state is u of all rows, three to a block, and a block writes to those that its columns of W have. For
//   problems whose cliques are W itself (J = 1): there a clique is wide, and most of W is zero.
#include <Eigen/Core>
#include <span>
#include <vector>

#include "contact/contact_problem.h"

namespace touchstone {

enum class SweepRoute : std::uint8_t { kChosen, kBodies };  // kBodies: for tests

class SweepRows {
 public:
  void prepare(const ContactProblem& problem, SweepRoute route);
  bool by_blocks() const { return by_blocks_; }
  // A block's own part of W, made symmetric by its upper half, padded by zeros.
  const Eigen::Matrix3d& own(std::size_t block) const { return own_[block]; }

  // The state of impulses by row.
  void refresh(const ContactProblem& problem, std::span<const double> impulses, std::vector<double>& state);
  // u of a block with biases, padded by zeros.
  Eigen::Vector3d velocity(std::size_t block, const double* state) const;
  void change(std::size_t block, const Eigen::Vector3d& impulse, double* state) const;
  // The velocities of the cliques.
  void velocities(const ContactProblem& problem, const std::vector<double>& state, std::vector<double>& out) const;

 private:
  using Solid = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  struct Side {
    std::uint32_t first = 0, size = 0, jacobian = 0;  // size 0: none
  };
  struct Block {
    Side a, b;
    Eigen::Vector3d bias = Eigen::Vector3d::Zero();
    std::uint32_t rows = 0;
    bool solid = false;  // three rows between cliques of six numbers, or one such and the world
  };
  struct Entry {
    Eigen::Matrix3d w;
    std::uint32_t state = 0;  // of the block that it acts on
  };
  bool is_local(const ContactProblem& problem);
  void prepare_bodies(const ContactProblem& problem);
  void prepare_blocks(const ContactProblem& problem);
  void place_blocks(const ContactProblem& problem);
  void find_pairs(const ContactProblem& problem, std::uint32_t clique);

  bool by_blocks_ = false;
  std::vector<Eigen::Matrix3d> own_;
  std::vector<double> momentum_;
  // By bodies.
  std::vector<Block> blocks_;
  const double* jacobian_ = nullptr;  // the problem's
  std::vector<double> response_;      // M⁻¹·Jᵀ, laid out as J
  // By blocks: the columns of W, one after the other; q, padded.
  std::vector<std::uint32_t> column_start_;
  std::vector<Entry> entries_;
  std::vector<double> q_;
  std::vector<std::uint32_t> member_start_, members_;  // blocks of the cliques
  struct Pair {
    std::uint32_t j, k;
  };
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> filled_, next_;
  std::vector<std::uint64_t> strip_;
};

inline Eigen::Vector3d SweepRows::velocity(std::size_t k, const double* state) const {
  if (by_blocks_) return Eigen::Map<const Eigen::Vector3d>(state + 3 * k);
  const Block& block = blocks_[k];
  Eigen::Vector3d u = block.bias;
  if (block.solid) {
    u.noalias() +=
        Eigen::Map<const Solid>(jacobian_ + block.a.jacobian) * Eigen::Map<const Vector6>(state + block.a.first);
    if (block.b.size)
      u.noalias() +=
          Eigen::Map<const Solid>(jacobian_ + block.b.jacobian) * Eigen::Map<const Vector6>(state + block.b.first);
    return u;
  }
  for (const Side* side : {&block.a, &block.b}) {
    const double *j = jacobian_ + side->jacobian, *v = state + side->first;
    for (std::uint32_t i = 0; i < block.rows; ++i)
      for (std::uint32_t c = 0; c < side->size; ++c) u[i] += j[i * side->size + c] * v[c];
  }
  return u;
}

inline void SweepRows::change(std::size_t k, const Eigen::Vector3d& impulse, double* state) const {
  if (by_blocks_) {
    for (std::uint32_t e = column_start_[k]; e < column_start_[k + 1]; ++e) {
      const Entry& entry = entries_[e];
      double* u = state + entry.state;
      const double* w = entry.w.data();
      for (int i = 0; i < 3; ++i) u[i] += w[i] * impulse[0] + w[3 + i] * impulse[1] + w[6 + i] * impulse[2];
    }
    return;
  }
  const Block& block = blocks_[k];
  if (block.solid) {
    Eigen::Map<Vector6>(state + block.a.first).noalias() +=
        Eigen::Map<const Solid>(&response_[block.a.jacobian]).transpose() * impulse;
    if (block.b.size)
      Eigen::Map<Vector6>(state + block.b.first).noalias() +=
          Eigen::Map<const Solid>(&response_[block.b.jacobian]).transpose() * impulse;
    return;
  }
  for (const Side* side : {&block.a, &block.b}) {
    double* v = state + side->first;
    for (std::uint32_t i = 0; i < block.rows; ++i)
      for (std::uint32_t c = 0; c < side->size; ++c)
        v[c] += response_[side->jacobian + i * side->size + c] * impulse[i];
  }
}

}  // namespace touchstone
