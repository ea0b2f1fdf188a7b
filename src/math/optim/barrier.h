#pragma once
// Minimises a convex function within convex bounds by the logarithmic barrier: f + w·φ for falling weights w, each by
// Newton's method with Cholesky factors and Brent's line search. See barrier.cpp.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdint>

#include "base/stop.h"

namespace touchstone {

// What is to be minimised: f, smooth and convex, and φ, a self-concordant barrier of the bounds.
class BarrierProblem {
 public:
  virtual ~BarrierProblem() = default;
  virtual Eigen::Index variables() const = 0;
  // Of φ: f at the minimum of f + w·φ is at most w times this above the least.
  virtual double degree() const = 0;
  virtual bool inside(const Eigen::VectorXd& x) const = 0;  // strictly
  // Gradient and Hessian (the lower half is enough) of f + weight·φ at a point inside.
  virtual void derivatives(const Eigen::VectorXd& x, double weight, Eigen::VectorXd& gradient,
                           Eigen::MatrixXd& hessian) const = 0;
  // Looks along x + α·d: returns the α at which it leaves the bounds, infinite if it never does.
  virtual double begin_line(const Eigen::VectorXd& x, const Eigen::VectorXd& d) = 0;
  // f + weight·φ at α, less the value at 0; +∞ outside. As a difference, so that it is exact where it is small.
  virtual double along(double alpha, double weight) const = 0;
};

struct BarrierOptions {
  double gap = 1e-10;                 // in the unit of f: how far above the least f may be
  double first_weight = 1;            // in the unit of f
  double shrink = 0.05;               // of the weight, from one minimum to the next
  std::int64_t max_iterations = 300;  // Newton steps in all
  StopFlag stop{};                    // checked once a Newton step and a factorisation
};

// kStalled: rounding stops Newton's method short of the gap; the point reached is inside and is given.
enum class BarrierStatus : std::uint8_t { kOptimal, kIterationLimit, kStalled, kNotInside, kNotFinite, kUnbounded };
const char* reason_of(BarrierStatus status);

struct BarrierResult {
  BarrierStatus status = BarrierStatus::kOptimal;
  std::int64_t iterations = 0;
  double gap = 0;  // a bound on what f is above the least, as far as the last minimum was found
};

class BarrierMinimiser {
 public:
  // `x` is a point inside, and becomes the answer; it stays inside. Nothing is allocated for problems of the same size
  // as the last one, but for what Eigen's blocked products and factors take for themselves.
  BarrierResult minimise(BarrierProblem& problem, const BarrierOptions& options, Eigen::VectorXd& x);

 private:
  enum class Step : std::uint8_t { kMoved, kDone, kStuck, kNotFinite, kUnbounded };
  Step newton_step(BarrierProblem& problem, double weight, double enough, Eigen::VectorXd& x);
  bool factor();

  StopFlag stop_;

  Eigen::VectorXd gradient_, direction_, trial_;
  Eigen::MatrixXd hessian_, shifted_;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  double last_decrement_ = 0;
};

}  // namespace touchstone
