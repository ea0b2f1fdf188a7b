#pragma once
// The linear systems of both phases of the quadratic solver: [q + ρ·I, aᵀ; a, −diag(w)]·[u; −v] = [f; g], with rows of
// a switched off at will. The pattern is that of all rows, so that it is analysed once for all active sets.
#include <cstdint>
#include <vector>

#include "math/optim/qp_scaling.h"
#include "math/sparse_ldl.h"

namespace touchstone {

class QpKkt {
 public:
  void analyse(const ScaledQp& p);  // the pattern alone
  // w_i < 0: row i is off. ρ and w must be positive otherwise.
  void factor(const ScaledQp& p, double rho, const Eigen::VectorXd& w);
  // u and v from f and g by the factors and at most `refinements` corrections, as long as these pay. Of rows that are
  // off, v is 0.
  void solve(const ScaledQp& p, const Eigen::VectorXd& f, const Eigen::VectorXd& g, int refinements, Eigen::VectorXd& u,
             Eigen::VectorXd& v);
  double miss() const { return miss_; }  // of the last solve: |residual|∞ / |right-hand side|∞
  std::size_t factor_entries() const { return ldl_.entries(); }

 private:
  double residual(const ScaledQp& p, const Eigen::VectorXd& f, const Eigen::VectorXd& g, const Eigen::VectorXd& u,
                  const Eigen::VectorXd& v);

  SparseLdl ldl_;
  std::vector<double> values_;
  std::vector<std::int8_t> signs_;
  std::vector<int> slot_of_a_, diagonal_of_row_;  // in values_
  Eigen::VectorXd w_, right_, step_u_, step_v_;
  double rho_ = 0, miss_ = 0;
};

}  // namespace touchstone
