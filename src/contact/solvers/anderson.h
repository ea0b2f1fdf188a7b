#pragma once
// Acceleration of a fixed-point iteration x → s(x) by the differences of its last steps, with velocities that depend on
// x linearly carried along.
#include <cstddef>
#include <span>
#include <vector>

namespace touchstone {

class Anderson {
 public:
  // Forgets everything. weight: by entry of x, the square of the unit in which its steps are compared.
  void reset(std::span<const double> weight, std::size_t velocities);
  // The iteration has gone from `before` to x, with velocities v that belong to x. Replaces both by a better guess; the
  // sum of the weights of all s so far is one, so that v still belongs to x.
  void step(std::span<const double> before, std::span<double> x, std::span<double> v);

 private:
  static constexpr std::size_t kMemory = 24;  // differences
  struct Pair {
    std::vector<double> step, x, v;  // step: in its unit, of unit length and at right angles to the others
  };
  void remember(std::span<const double> x, std::span<const double> v);

  std::vector<double> unit_;  // root of the weight
  Pair pairs_[kMemory];
  std::size_t count_ = 0, next_ = 0;
  bool has_last_ = false;
  std::vector<double> step_ /* in its unit */, last_step_, last_x_, last_v_;
  double best_ = 0;  // shortest step since all was forgotten
};

}  // namespace touchstone
