#pragma once
// The warm phase of the quadratic solver, and the finish of the cold one: from a guess of the active rows to an optimum
// that is exact but for rounding. See qp_active_set.cpp.
#include <vector>

#include "math/optim/qp_kkt.h"

namespace touchstone {

class QpActiveSet {
 public:
  // From x, y and `active`, which become the answer where true is returned. `iterations` counts factorisations; at most
  // `budget` of them are made here.
  bool run(const ScaledQp& p, QpKkt& kkt, std::int64_t budget, const StopFlag& stop, Eigen::VectorXd& x,
           Eigen::VectorXd& y, std::vector<std::int8_t>& active, std::int64_t& iterations);

 private:
  enum class Outcome : std::uint8_t { kSettled, kAstray, kBudget };
  Outcome settle(const ScaledQp& p, QpKkt& kkt, std::int64_t most, const StopFlag& stop, std::int64_t& iterations);
  void factor(const ScaledQp& p, QpKkt& kkt);
  bool solve(const ScaledQp& p, QpKkt& kkt);
  double kkt_miss(const ScaledQp& p);
  void find_wrong(const ScaledQp& p);
  void turn(const ScaledQp& p, Eigen::Index i);
  double pull(const ScaledQp& p, Eigen::Index i, double w) const;
  double slope(const ScaledQp& p, double t) const;
  double best_part(const ScaledQp& p);
  void shorten(const ScaledQp& p);

  Eigen::VectorXd x_, y_, x_center_, y_center_, weight_, f_, g_, dx_, dy_, ax_;
  Eigen::VectorXd best_x_, best_y_, last_x_, adx_;
  std::vector<std::int8_t> active_;
  std::vector<Eigen::Index> wrong_;
  std::vector<double> breaks_;
  double smooth_ = 0, bend_ = 0;
  double shift_ = 0, least_shift_ = 0;  // ρ and δ, and those that went astray
  bool factored_ = false;
};

}  // namespace touchstone
