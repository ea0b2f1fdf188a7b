#pragma once
// The rows of one island of a contact problem as dense matrices, with equalities taken out: what is left sees bodies
// and their joints as one, as in reduced coordinates.
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_problem.h"

namespace touchstone {

// The bound on the memory of one island's dense matrices [bytes]: 7,327 rows, or 2,442 contacts in 3D.
inline constexpr double kMostDenseBytes = 4.0 * (1ull << 30);
// Throws Error (kUnstable) with the number of contacts and the remedy if the island's matrices would need more.
void check_dense_size(const ContactProblem& problem, std::span<const std::uint32_t> blocks);

class DenseIsland {
 public:
  // kUnilateral: normal rows of contacts, and limits. kFriction: the other rows of contacts. kEqual: u = 0, whatever
  // impulse it takes. kFixed: the impulse is known. Rows that nothing can move are kFixed with no impulse.
  enum class Role : std::uint8_t { kUnilateral, kFriction, kEqual, kFixed };

  // `blocks` hang together by cliques. Roles follow their kinds; motors are kEqual.
  void load(const ContactProblem& problem, std::span<const std::uint32_t> blocks);
  std::size_t rows() const { return row_.size(); }
  std::uint32_t row(std::size_t i) const { return row_[i]; }      // in the problem
  std::uint32_t block(std::size_t i) const { return block_[i]; }  // in the problem
  std::uint32_t place(std::size_t i) const { return place_[i]; }  // within the block
  Role role(std::size_t i) const { return role_[i]; }
  void set_equal(std::size_t i) {
    role_[i] = Role::kEqual;
    fixed_[static_cast<Eigen::Index>(i)] = 0;
  }
  void fix(std::size_t i, double impulse);
  bool finite() const { return w_.allFinite() && q_.allFinite(); }
  double response(std::size_t i) const { return w_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)); }

  // Takes out kEqual and kFixed: for the rows kept u = w·x + q, if those do what they must. A dense factorisation.
  void reduce();
  const std::vector<std::size_t>& kept() const { return kept_; }
  const Eigen::MatrixXd& w() const { return reduced_w_; }
  const Eigen::VectorXd& q() const { return reduced_q_; }
  // All impulses from those kept, and the greatest |u| that equalities are left with: above rounding only if they
  // contradict each other.
  void expand(const Eigen::VectorXd& kept, Eigen::VectorXd& all);
  double equality_error(const Eigen::VectorXd& all) const;
  double velocity(std::size_t i, const Eigen::VectorXd& all) const {
    return w_.row(static_cast<Eigen::Index>(i)).dot(all) + q_[static_cast<Eigen::Index>(i)];
  }

 private:
  void load_matrices(const ContactProblem& problem, std::span<const std::uint32_t> blocks);

  std::vector<std::uint32_t> row_, block_, place_, cliques_;
  std::vector<Role> role_;
  std::vector<std::size_t> kept_, equal_;
  Eigen::MatrixXd jacobian_, response_, w_, inverse_, cross_, reduced_w_, half_, crossed_;
  std::vector<double> solved_rows_;
  Eigen::VectorXd q_, fixed_, reduced_q_, equal_q_, scale_, solved_, right_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen_;
};

}  // namespace touchstone
