#pragma once
// The three programs of the paper on a framework: (Q) in accelerations, (Q') in positions, (Q*) in velocities. They
// have the same matrix, and differ in targets and right sides.
#include "math/optim/quadratic_program.h"
#include "models/gauss/sidedness.h"

namespace touchstone {

// How bars hold: as equations, or by a penalty M in the objective (§8.4).
enum class BarForm : std::uint8_t { kEquations, kPenalty };
// Right sides of bars in (Q'): (L') has the length of the last step, (L'') that of the start.
enum class LengthForm : std::uint8_t { kLast, kStart };
// (S') as it follows from (S2⁺), or as it is printed: divided by Δt and with α on the other corner.
enum class SideForm : std::uint8_t { kCorrected, kPrinted };

struct BarOptions {
  BarForm form = BarForm::kEquations;
  double penalty = 100;  // M, relative to the masses at the ends of the bar and to its length
};

template <int D>
class FrameworkProgram {
 public:
  explicit FrameworkProgram(const BarOptions& options = {}) : options_(options) {}

  // (Q) under (L2⁺) and (S2⁺), in the accelerations a of the points. `sides`: those that are active.
  const QuadraticProgram& accelerations(const Framework<D>& framework, std::span<const Vec<D>> p,
                                        std::span<const Vec<D>> v, const Vec<D>& g,
                                        std::span<const Sidedness<D>> sides);
  // (Q') under (L') or (L''), and (S'), in p − p̄, where p̄ is the extrapolated position: differences keep their digits.
  // `recovery`: part of a penetration that is closed within the step; 1 is (S').
  struct PositionStep {
    double dt = 0;
    Vec<D> g = Vec<D>::Zero();
    LengthForm lengths = LengthForm::kStart;
    SideForm sides = SideForm::kCorrected;
    double recovery = 1;
  };
  const QuadraticProgram& positions(const Framework<D>& framework, std::span<const Vec<D>> p,
                                    std::span<const Vec<D>> last, const PositionStep& step,
                                    std::span<const Sidedness<D>> sides);
  // (Q*) under (L1) and (S1), in the changes of velocities.
  const QuadraticProgram& velocities(const Framework<D>& framework, std::span<const Vec<D>> p,
                                     std::span<const Vec<D>> old, std::span<const Sidedness<D>> sides);

  // What an answer says of the points; those that do not move have zero.
  void read(const Framework<D>& framework, const Eigen::VectorXd& x, std::vector<Vec<D>>& out) const;
  std::size_t bar_rows() const { return bar_rows_; }  // they come first

 private:
  void begin(const Framework<D>& framework, const Vec<D>& target);
  // ⟨x_i − x_j, d⟩ = right.
  void add_bar(const Framework<D>& framework, const Bar& bar, const Vec<D>& d, double right);
  // ⟨x_k − Σ α·x_corner, n⟩ >= right.
  void add_side(const Sidedness<D>& s, const SideFrame<D>& frame, double right);
  void add_point(std::uint32_t point, const Vec<D>& d);
  const QuadraticProgram& finish();

  BarOptions options_;
  QuadraticProgram program_;
  std::vector<std::uint32_t> variable_;  // its first, of a point; or kFixed
  std::vector<Eigen::Triplet<double>> rows_, hessian_;
  std::vector<double> lower_, upper_, linear_;
  std::vector<Vec<D>> delta_;
  std::size_t bar_rows_ = 0;
};

}  // namespace touchstone
