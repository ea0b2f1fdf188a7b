#pragma once
// The cold phase of the quadratic solver: a primal-dual interior-point method, from any point to a neighbourhood of the
// optimum that is small enough to read the active set from. See qp_interior.cpp.
#include "math/optim/qp_kkt.h"

namespace touchstone {

class QpInterior {
 public:
  enum class Outcome : std::uint8_t { kNear, kSeemsInfeasible, kSeemsUnbounded, kStalled, kLimit };

  // One factorisation: a point well inside of the bounds.
  void begin(const ScaledQp& p, QpKkt& kkt);
  // Until the residuals and the gap are below `enough`. Goes on from where it stopped, for a smaller `enough`.
  // `iterations` counts factorisations up to `most`. `seeks_proofs`: stops where the program seems to have no optimum.
  Outcome run(const ScaledQp& p, QpKkt& kkt, double enough, bool seeks_proofs, const StopFlag& stop, std::int64_t most,
              std::int64_t& iterations);

  const Eigen::VectorXd& x() const { return x_; }
  const Eigen::VectorXd& y() const { return y_; }
  // −1 where the multiplier of the lower bound outweighs the distance from it, +1 for the upper one, 0 elsewhere.
  void guess_active(const ScaledQp& p, std::vector<std::int8_t>& active) const;

 private:
  void measure(const ScaledQp& p);
  void set_right_side(const ScaledQp& p, double target, bool corrected);
  void find_step(const ScaledQp& p, QpKkt& kkt, double target, bool corrected);
  double longest_step(const ScaledQp& p) const;
  double average_product(const ScaledQp& p, double alpha) const;
  void move(const ScaledQp& p, double alpha);
  bool contradicts(const ScaledQp& p) const;
  bool falls_for_ever(const ScaledQp& p) const;

  Eigen::VectorXd x_, s_, y_, lower_z_, upper_z_;  // s = a·x of inequalities, y = lower_z − upper_z
  Eigen::VectorXd qx_, ax_, aty_, dual_miss_, primal_miss_, weight_, f_, g_, push_;
  Eigen::VectorXd dx_, dy_, ds_, dl_, du_, adx_;
  double shift_ = 0, mu_ = 0, primal_ = 0, dual_ = 0, gap_ = 0;
  Eigen::Index products_ = 0;
};

}  // namespace touchstone
