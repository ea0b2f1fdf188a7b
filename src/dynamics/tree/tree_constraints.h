#pragma once
// Purpose: equations on top of a tree: loops that are closed, coordinates that are coupled (mimic).
// Source: [R. Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 8]; J·M⁻¹·Jᵀ by the sparse factor, § 8.5.
// Letters: C error, J its Jacobian, λ impulses or forces of the rows: M·a = Q − c + Jᵀ·λ, J·a + J̇·v = target.
// Deviations: 1. redundant rows are taken by a diagonal of kSoft of the greatest entry and one step of refinement.
// Fails: contradictory rows leave an error, which find_constraints() shows.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

struct TreeConstraint {
  enum class Kind : std::uint8_t {
    kCoordinates,  // q_a − reference_a = Σ polynomial[i]·(q_b − reference_b)^i; mimic: a line
    kConnect,      // point_a of link a and point_b of link b are one point
    kWeld          // link b has the pose `relative` in the frame of link a
  };
  static constexpr std::int32_t kNone = -1;
  Kind kind = Kind::kConnect;
  std::int32_t a = 0, b = kNone;                              // rates (b: kNone: none), or links (kNone: the world)
  Vec<3> point_a = Vec<3>::Zero(), point_b = Vec<3>::Zero();  // in the links' own frames
  Pose<3> relative;
  double reference_a = 0, reference_b = 0;
  std::array<double, 5> polynomial{0, 1, 0, 0, 0};

  static TreeConstraint mimic(std::uint32_t a, std::uint32_t b, double multiplier, double offset);
  int rows() const { return kind == Kind::kCoordinates ? 1 : kind == Kind::kConnect ? 3 : 6; }
};

class TreeConstraints {
 public:
  TreeConstraints(const TreeModel& model, std::span<const TreeConstraint> constraints);

  Eigen::Index rows() const { return error_.size(); }
  // C, J and J̇·v at q and v; after place_links(q) and move_links(v).
  void find(const TreeModel& model, const TreeData& data, std::span<const double> q, std::span<const double> v);
  const Eigen::VectorXd& error() const { return error_; }
  const Eigen::VectorXd& bias() const { return bias_; }               // J̇·v
  const Eigen::MatrixXd& jacobian_transposed() const { return jt_; }  // nv × rows

  // The least impulses (in the metric of M⁻¹) that bring J·x to `target`: x += M⁻¹·Jᵀ·λ. After find() and
  // factor_mass_matrix().
  void project(const TreeModel& model, const TreeData& data, const Eigen::VectorXd& target, std::span<double> x);
  // Accelerations of the free tree to those that keep the equations; errors fall as (1 + t/τ)·exp(−t/τ) with
  // τ = 1/rate.
  void constrain(const TreeModel& model, const TreeData& data, double rate, std::span<const double> v,
                 std::span<double> a);
  // Newton's method on C(q) = 0; false if the greatest error is above `tolerance` [m, rad] after `most` iterations.
  bool close(const TreeModel& model, TreeData& data, double tolerance, int most, std::span<double> q);
  // The greatest of these numbers, one for each row, among the rows of the same unit of the row's constraint.
  double scale(std::span<const double> numbers, Eigen::Index row) const;
  const Eigen::VectorXd& impulses() const { return lambda_; }  // of the last projection

 private:
  void find_one(const TreeModel& model, const TreeData& data, const TreeConstraint& c, Eigen::Index row,
                std::span<const double> q, std::span<const double> v);
  void add_point(const TreeModel& model, const TreeData& data, std::int32_t link, const Vec<3>& point, double sign,
                 Eigen::Index row, bool with_angles);

  std::vector<TreeConstraint> constraints_;
  Eigen::MatrixXd jt_, half_, w_;
  Eigen::VectorXd error_, bias_, target_, lambda_, residual_, pivots_, step_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
  std::vector<std::uint32_t> whole_;
  std::vector<Eigen::Index> group_;  // by row, the first of the rows of the same unit
  std::vector<double> move_, rest_;
};

}  // namespace touchstone
