#pragma once
// A convex quadratic function of x under bounds, linear inequalities, second-order cones of coordinates and a ball,
// with its logarithmic barrier; over all x, or over x = origin + basis·y, which is how equalities are kept.
#include <limits>
#include <vector>

#include "math/optim/barrier.h"

namespace touchstone {

struct ConeProgram {
  struct Bound {  // lower < x_i < upper
    Eigen::Index index = 0;
    double lower = 0, upper = std::numeric_limits<double>::infinity();
  };
  struct Cone {  // |(x_i: i in tail)| < slope·x_head
    Eigen::Index head = 0;
    Eigen::Index tail[2] = {0, 0};
    int tails = 0;  // 1 or 2
    double slope = 1;
    bool two_sided = false;  // the mirrored cone, x_head < 0, is allowed too: then the program is not convex
  };
  Eigen::MatrixXd q;  // symmetric, positive semi-definite
  Eigen::VectorXd c;  // f = ½·xᵀ·q·x + cᵀ·x
  std::vector<Bound> bounds;
  std::vector<Cone> cones;
  Eigen::MatrixXd g;  // g·x + g0 > 0; may have no rows
  Eigen::VectorXd g0;
  Eigen::Index ball = 0;  // x_0² + … + x_{ball−1}² < radius²; 0: no ball
  double radius = 0;
  Eigen::VectorXd origin;  // of the equalities' solutions; used if basis has columns
  Eigen::MatrixXd basis;

  Eigen::Index size() const { return c.size(); }
  // Without constraints but for room for rows of g, for n variables. The same sizes again allocate nothing.
  void reset(Eigen::Index n, Eigen::Index rows = 0);
};

// The program as a barrier method sees it. Keeps a reference: the program must outlive it.
class ConeBarrier : public BarrierProblem {
 public:
  explicit ConeBarrier(const ConeProgram& program) : p_(program) {}
  Eigen::Index variables() const override { return reduced() ? p_.basis.cols() : p_.size(); }
  double degree() const override;
  bool inside(const Eigen::VectorXd& y) const override;
  void derivatives(const Eigen::VectorXd& y, double weight, Eigen::VectorXd& gradient,
                   Eigen::MatrixXd& hessian) const override;
  double begin_line(const Eigen::VectorXd& y, const Eigen::VectorXd& d) override;
  double along(double alpha, double weight) const override;
  // x of y.
  void full(const Eigen::VectorXd& y, Eigen::VectorXd& x) const;

 private:
  bool reduced() const { return p_.basis.cols() > 0; }
  void add_barrier(double weight) const;

  struct Slack {  // of a constraint along a line: value + α·slope + α²·bend
    double value, slope, bend;
  };
  const ConeProgram& p_;
  mutable Eigen::VectorXd x_, rows_, gradient_;
  mutable Eigen::MatrixXd hessian_, scaled_;
  Eigen::VectorXd way_, product_, row_way_;
  std::vector<Slack> slacks_;
  double slope_ = 0, bend_ = 0, leaves_ = 0;  // of f along the line
};

}  // namespace touchstone
