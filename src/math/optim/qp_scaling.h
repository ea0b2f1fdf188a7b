#pragma once
// A quadratic program in units of its own, in which its numbers are near 1. All factors are powers of two, so that no
// number is rounded, and equal bounds stay equal. See qp_scaling.cpp.
#include "math/optim/quadratic_program.h"

namespace touchstone {

struct ScaledQp {
  Eigen::SparseMatrix<double> q, a;  // κ·D·q·D, E·a·D
  Eigen::VectorXd c, lower, upper;   // κ·D·c/τ, E·lower/τ
  Eigen::VectorXd column, row;       // D, E
  double length = 1, cost = 1;       // τ, κ

  Eigen::Index variables() const { return c.size(); }
  Eigen::Index rows() const { return lower.size(); }
  bool equation(Eigen::Index i) const { return lower[i] == upper[i]; }

  // True if the pattern of entries is that of the last program. The matrices are compressed and finite.
  bool load(const QuadraticProgram& program);
  // x = τ·D·x̂ and y = τ/κ·E·ŷ, and back.
  void unscale(const Eigen::VectorXd& xs, const Eigen::VectorXd& ys, Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  void scale(const Eigen::VectorXd& x, const Eigen::VectorXd& y, Eigen::VectorXd& xs, Eigen::VectorXd& ys) const;

 private:
  void equilibrate();
  void set_units(const QuadraticProgram& program);

  Eigen::VectorXd column_most_, row_most_;
};

}  // namespace touchstone
