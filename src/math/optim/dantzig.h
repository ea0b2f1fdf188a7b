#pragma once
// Dantzig's incremental method for a linear complementarity problem with boxes, symmetric positive definite A:
//   w = A·x + b,  lower <= x <= upper,  w >= 0 at lower, w <= 0 at upper, w = 0 between.
// Bounds may follow another unknown: |x_i| <= upper_i·|x_leader(i)|.
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stop.h"
#include "math/optim/lcp.h"

namespace touchstone {

struct BoxLcp {
  Eigen::Ref<const Eigen::MatrixXd> a;
  Eigen::Ref<const Eigen::VectorXd> b;
  std::span<const double> lower, upper;    // may be infinite
  std::span<const std::int32_t> leader{};  // one an unknown, −1 for none; or nothing
};

struct DantzigOptions {
  std::int64_t max_pivots = 0;  // 0: 50·n + 100
  // Added to every diagonal entry, as a part of it: what is singular only because rows repeat can be solved then.
  double regularisation = 1e-10;
  // How often the whole is solved with the bounds of followers from the pass before. 1: bounds are those of the moment
  // at which the first follower's turn comes, and stay, although leaders still change.
  int passes = 1;
  double tolerance = 1e-9;  // on w and on followers' bounds, against the greatest of b, and of x
  StopFlag stop{};          // checked once an unknown
};

struct DantzigAnswer : LcpAnswer {
  double bound_error = 0;  // the greatest difference between a follower's bound and what its leader asks for in the end
  int passes = 0;
};

class Dantzig {
 public:
  // x: the answer, or the best that was found, within its bounds. Nothing is allocated once the largest problem has
  // been seen, if x keeps its size. residual: the worst of w that its bound does not excuse.
  DantzigAnswer solve(const BoxLcp& p, const DantzigOptions& options, Eigen::Ref<Eigen::VectorXd> x);

 private:
  enum class Place : std::uint8_t { kWaiting, kLower, kUpper, kFree };
  enum class Event : std::uint8_t { kNone, kSettled, kOwnBound, kFreeToBound, kBoundToFree };
  struct Step {
    double size;
    Event event;
    std::size_t index;
  };
  bool prepare(const BoxLcp& p, const DantzigOptions& options);
  void set_order(const BoxLcp& p);
  LcpStatus pass(const BoxLcp& p, const StopFlag& stop, std::int64_t most, std::int64_t& pivots);
  LcpStatus drive(std::size_t i, std::int64_t most, std::int64_t& pivots);
  void find_direction(std::size_t i, double sign);
  Step longest_step(std::size_t i, double sign) const;
  void set_followers(const BoxLcp& p, std::size_t k);
  bool append(std::size_t i);
  bool remove(std::size_t i);
  double entry(std::size_t i, std::size_t j) const { return a_[i * n_ + j]; }
  double bound_error(const BoxLcp& p) const;
  double residual(const BoxLcp& p) const;

  std::size_t n_ = 0;
  std::vector<double> a_, b_, lower_, upper_, x_, w_, dx_, dw_, offset_;
  std::vector<std::size_t> order_, free_;
  std::vector<Place> place_;
  std::vector<double> factor_;  // of A over free_, lower triangular, by rows of n_
  std::vector<double> y_;
};

}  // namespace touchstone
